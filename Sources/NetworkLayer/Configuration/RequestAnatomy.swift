/// How much goes out and comes back, and how long that may take. TNL's `TNLRequestAnatomy`, with its numbers and its seconds (CFG-4).
public enum RequestAnatomy: Int, Sendable, Hashable, Codable, CaseIterable {
    /// 30 s for an attempt, 90 s for the operation.
    case smallRequestSmallResponse
    /// 60 s for an attempt, 180 s for the operation: the default.
    case smallRequestLargeResponse
    /// 60 s for an attempt, 180 s for the operation.
    case largeRequestSmallResponse
    /// 120 s for an attempt, 360 s for the operation.
    case largeRequestLargeResponse
    /// 240 s for an attempt, 480 s for the operation.
    case veryLargeRequestSmallResponse
    /// 180 s for an attempt, 480 s for the operation.
    case smallRequestVeryLargeResponse
    /// A response that may go on for ever: only 30 s of silence end it.
    case smallRequestStreamingResponse

    /// ``smallRequestLargeResponse``, as in TNL.
    public static let `default` = RequestAnatomy.smallRequestLargeResponse

    /// TNL's number; the default for one that stands for nothing.
    package init(number: Int) {
        self = RequestAnatomy(rawValue: number) ?? .default
    }

    /// | anatomy                    | idle | attempt | operation |
    /// |----------------------------|------|---------|-----------|
    /// | small, small               | 30 s | 30 s    | 90 s      |
    /// | small, large               | 30 s | 60 s    | 180 s     |
    /// | large, small               | 30 s | 60 s    | 180 s     |
    /// | large, large               | 30 s | 120 s   | 360 s     |
    /// | very large, small          | 30 s | 240 s   | 480 s     |
    /// | small, very large          | 30 s | 180 s   | 480 s     |
    /// | small, streaming           | 30 s | never   | never     |
    public var timeouts: Timeouts {
        switch self {
        case .smallRequestSmallResponse: Timeouts(attempt: .seconds(30), operation: .seconds(90))
        case .smallRequestLargeResponse, .largeRequestSmallResponse: Timeouts(attempt: .seconds(60), operation: .seconds(180))
        case .largeRequestLargeResponse: Timeouts(attempt: .seconds(120), operation: .seconds(360))
        case .veryLargeRequestSmallResponse: Timeouts(attempt: .seconds(240), operation: .seconds(480))
        case .smallRequestVeryLargeResponse: Timeouts(attempt: .seconds(180), operation: .seconds(480))
        case .smallRequestStreamingResponse: Timeouts(attempt: nil, operation: nil)
        }
    }
}

extension RequestConfiguration {
    /// The defaults, with the timeouts of an anatomy.
    public init(anatomy: RequestAnatomy) {
        self.init()
        timeouts = anatomy.timeouts
    }
}
