public import Base
import HTTPTypes
public import NetworkLayer

/// How to find out whether somebody stands between us and the network, like a hotel that wants a room number first (COM-3).
///
/// It asks a server that answers 204 with nothing. Another status, or a body, is somebody else's; no answer proves nothing. It asks
/// when the way out changes, and again every ``interval``. Off unless a program wants it, because it tells a server where we are.
public struct CaptivePortalProbe: Sendable {
    /// Better not https, which a portal can't answer.
    public var url: URL
    /// What the question is sent through, without cookies and cache.
    public var transport: any Transport
    /// For ``interval`` and ``timeout``.
    public var time: any TimeSource
    /// From one answer to the next question.
    public var interval = Duration.seconds(60)
    /// For one question; beyond it there is no answer.
    public var timeout = Duration.seconds(30)

    /// - Parameter url: for instance ``google``, which TNL asks, or a server of your own.
    public init(url: URL, transport: any Transport, time: any TimeSource = SystemTimeSource()) {
        self.url = url
        self.transport = transport
        self.time = time
    }

    /// `http://connectivitycheck.gstatic.com/generate_204`
    public static var google: URL {
        var parts = URLComponents()
        parts.scheme = "http"
        parts.host = "connectivitycheck.gstatic.com"
        parts.path = "/generate_204"
        guard let url = parts.url else { preconditionFailure("a constant URL isn't one") }
        return url
    }

    /// Without cache, cookies and retries, over a connection of its own, which no portal has let through before.
    var configuration: RequestConfiguration {
        var configuration = RequestConfiguration()
        configuration.timeouts = Timeouts(connect: timeout, idle: timeout, attempt: timeout, operation: timeout)
        configuration.redirects.policy = .never
        configuration.consumption = .none
        configuration.cachePolicy = .reloadIgnoringLocal
        configuration.transport.reusesConnections = false
        return configuration
    }

    static func verdict(on response: Response) -> NetworkConditions.CaptivePortal {
        guard response.error == nil, let head = response.info?.head else { return .none }
        let announced = head.headers[.contentLength].flatMap { Int64($0) } ?? 0
        let received = response.metrics.attempts.last.map { max($0.bytes.responseBody, $0.bytes.decodedResponseBody) } ?? 0
        return head.status == .noContent && announced <= 0 && received == 0 ? .none : .captive
    }
}
