/// An answer without the network, when mocks are on.
package struct MockDefinition: Hashable, Sendable, Codable {
    package var status: Int?
    package var headers: [RequestDefinition.Row] = []
    package var body: Body?
    /// Before anything; drawn anew for each request.
    package var delay: ClosedRange<Duration>?
    /// Before the head, and the least time between two pieces of the body.
    package var latency: Duration?
    /// Bytes a second.
    package var rate: Int?
    /// A failure in place of the answer.
    package var error: FailureKind?
    package var location: SourceLocation

    package init(location: SourceLocation) { self.location = location }

    package enum Body: Hashable, Sendable, Codable {
        case text(String)
        /// In JSON, with templates.
        case json(String)
        /// Relative to the file that names it.
        case file(String)

        /// JSON when it is a list or a map, else a text. As a file says it: laid out, however it was typed.
        package init(typed text: String) {
            let value = JSONParser.parse(text)
            switch value {
            case .array?, .object?: self = value?.standsAsYAML == true ? .json(value?.text(pretty: true) ?? text) : .text(text)
            default: self = .text(text)
            }
        }
    }

    /// `200ms`, `100ms..2s`; what can't be one is none.
    package var delayText: String? {
        get {
            delay.map { delay in
                let ends = [delay.lowerBound, delay.upperBound].map(DurationText.format)
                return ends[0] == ends[1] ? ends[0] : ends.joined(separator: "..")
            }
        }
        set { delay = newValue.flatMap(DurationText.parseRange) }
    }

    package var saysNothing: Bool {
        status == nil && headers.isEmpty && body == nil && delay == nil && latency == nil && rate == nil && error == nil
    }

    /// The kinds that a mock can fail with.
    package static let errors: [FailureKind] = [.timeout, .dns, .connection, .tls, .protocol]
}
