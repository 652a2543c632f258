package import NetworkLayer

/// Whether and how to try again, as it stands in the file; `nil` where a nearer or farther level decides.
package struct RetrySettings: Hashable, Sendable, Codable {
    /// `false` for `retry: none`; a nearer map turns it on again.
    package var isOn: Bool?
    /// The most attempts, the first included.
    package var attempts: Int?
    /// What it is tried again on, each as ``RetryCondition`` reads it: `503`, `5xx`, `timeout`.
    package var conditions: [String]?
    /// Before the first retry.
    package var first: Duration?
    package var factor: Double?
    /// The longest wait.
    package var longest: Duration?
    package var jitter: RetryBackoff.Jitter?
    package var honoursRetryAfter: Bool?

    package init() {}
}

/// Statuses as the format writes them.
enum StatusText {
    /// 2 of `2xx`.
    static func statusClass(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 3, (0x31...0x35).contains(bytes[0]), bytes[1] | 0x20 == 0x78, bytes[2] | 0x20 == 0x78 else {
            return nil
        }
        return Int(bytes[0]) - 0x30
    }
}
