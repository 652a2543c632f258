public import HTTPTypes
public import NetworkLayer

/// How a mock treats a request: its speed and its faults. TNL's `TNLPseudoURLResponseConfig`.
///
/// | time                       | what happens                                                      |
/// |----------------------------|-------------------------------------------------------------------|
/// | `delay`                    | nothing; then the request is sent                                 |
/// | + `latency`                | the head arrives                                                  |
/// | + `latency` or 250 ms each | a piece of the body, where there is a rate: as much as fits       |
public struct MockBehavior: Sendable, Hashable {
    /// The rate of the body; 0: all of it at once.
    public var bitsPerSecond: Int
    /// Before the head, and the least time between two pieces of the body.
    public var latency: Duration
    /// Before anything; drawn anew for every request.
    public var delay: ClosedRange<Duration>
    /// Ends the transfer with this error.
    public var failure: NetworkError?
    /// How many bytes of the body arrive before ``failure``; `nil`: it comes in place of the head.
    public var failureOffset: Int?
    /// In place of the response's own.
    public var status: HTTPResponse.Status?
    /// Answers a GET that has a `Range` with 206 or 416 (RFC 9110, section 14), if the status would be 200.
    public var providesRanges: Bool
    /// Which `If-Range` is answered with a range.
    public var ifRange: IfRange
    /// What becomes of a 3xx with a `Location`.
    public var redirects: Redirects
    /// Fields that the mock adds to the request before it looks at it, as a real transport adds its own.
    public var extraRequestHeaders: HTTPFields

    /// With a delay that is drawn from a range.
    public init(
        bitsPerSecond: Int = 0, latency: Duration = .zero, delay: ClosedRange<Duration>, failure: NetworkError? = nil,
        failureOffset: Int? = nil, status: HTTPResponse.Status? = nil, providesRanges: Bool = true, ifRange: IfRange = .any,
        redirects: Redirects = .followLocation, extraRequestHeaders: HTTPFields = [:]
    ) {
        self.bitsPerSecond = bitsPerSecond
        self.latency = latency
        self.delay = delay
        self.failure = failure
        self.failureOffset = failureOffset
        self.status = status
        self.providesRanges = providesRanges
        self.ifRange = ifRange
        self.redirects = redirects
        self.extraRequestHeaders = extraRequestHeaders
    }

    /// With one delay for all requests.
    public init(
        bitsPerSecond: Int = 0, latency: Duration = .zero, delay: Duration = .zero, failure: NetworkError? = nil,
        failureOffset: Int? = nil, status: HTTPResponse.Status? = nil, providesRanges: Bool = true, ifRange: IfRange = .any,
        redirects: Redirects = .followLocation, extraRequestHeaders: HTTPFields = [:]
    ) {
        self.init(
            bitsPerSecond: bitsPerSecond, latency: latency, delay: delay...delay, failure: failure, failureOffset: failureOffset,
            status: status, providesRanges: providesRanges, ifRange: ifRange, redirects: redirects,
            extraRequestHeaders: extraRequestHeaders)
    }

    /// A request without `If-Range` gets its range in any case.
    public enum IfRange: Sendable, Hashable {
        /// Every validator is good for the range, or none.
        case any, none
        /// This one alone, an entity tag with its quotes or a date.
        case only(String)
    }

    /// What becomes of a 3xx with a `Location`. A transport follows nothing, and whoever sees a `Location` decides by its own
    /// policy: so where the mock is not to be followed, it sends the field under the name `Mock-Location`.
    public enum Redirects: Sendable, Hashable, CaseIterable {
        /// The field keeps its name, or gets the other one.
        case followLocation, dontFollow
        /// Only to where a mock is registered.
        case followIfRegistered
    }
}
