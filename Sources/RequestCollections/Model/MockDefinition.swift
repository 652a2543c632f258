package import Base
package import HTTPTypes
package import NetworkLayer

/// An answer without the network, when mocks are on.
package struct MockDefinition: Hashable, Sendable, Codable {
    package var status: Int?
    package var headers: [RequestDefinition.Row] = []
    package var body: Body?
    /// The delay before anything else happens, drawn anew for each request.
    package var delay: ClosedRange<Duration>?
    /// The delay before the head, and the least time between two pieces of the body.
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

    /// In place of a file, and the other way round.
    var bodyText: String? {
        get {
            switch body {
            case .text(let text): text
            // The body in one line, in the form in which it is typed.
            case .json(let text): JSONParser.parse(text)?.text(pretty: false) ?? text
            case .file, nil: nil
            }
        }
        set { if newValue != nil || bodyText != nil { body = newValue.map { Body(typed: $0) } } }
    }

    var file: String? {
        get { if case .file(let path) = body { path } else { nil } }
        set { if newValue != nil || file != nil { body = newValue.map { .file($0) } } }
    }

    package var saysNothing: Bool {
        status == nil && headers.isEmpty && body == nil && delay == nil && latency == nil && rate == nil && error == nil
    }

    /// The kinds that a mock can fail with.
    package static let errors: [FailureKind] = [.timeout, .dns, .connection, .tls, .protocol]
}

/// A mock with everything filled in: what a `MockTransport` is told for the request's URL.
package struct ResolvedMock: Hashable, Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: Body
    package var delay: ClosedRange<Duration>
    package var latency: Duration
    /// 0: all of the body at once.
    package var bytesPerSecond: Int
    /// The error that takes the place of the answer.
    package var error: FailureKind?

    package init(
        status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: Body = .data(Data()),
        delay: ClosedRange<Duration> = .zero ... .zero, latency: Duration = .zero, bytesPerSecond: Int = 0,
        error: FailureKind? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.delay = delay
        self.latency = latency
        self.bytesPerSecond = bytesPerSecond
        self.error = error
    }

    package enum Body: Hashable, Sendable {
        case data(Data)
        case file(BodyFile)
    }
}
