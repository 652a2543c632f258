package import Base
package import HTTPTypes
package import NetworkLayer

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
