/// What kind of traffic a request is, for the routers that forward its packets. TNL's `networkServiceType`, as the DSCP of its connection.
///
/// | type          | DSCP | name (RFC 4594, RFC 8622) |
/// |---------------|------|---------------------------|
/// | standard      | 0    | DF, best effort           |
/// | background    | 1    | LE, less than best effort |
/// | responsive    | 18   | AF21, low-latency data    |
/// | video         | 34   | AF41                      |
/// | signaling     | 40   | CS5                       |
/// | voice         | 46   | EF                        |
public enum NetworkServiceType: String, Sendable, Hashable, Codable, CaseIterable {
    /// The rows of the table above; the raw values are these names.
    case standard, background, responsive, video, signaling, voice

    /// The six bits of the field of that name (RFC 2474).
    public var dscp: Int32 {
        switch self {
        case .standard: 0
        case .background: 1
        case .responsive: 18
        case .video: 34
        case .signaling: 40
        case .voice: 46
        }
    }
}
