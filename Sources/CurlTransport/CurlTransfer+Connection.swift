import Base
import CCurl
import HTTPTypes
import NetworkLayer

extension CurlTransfer {
    struct ConnectionState {
        /// Connections that this transfer got so far; a second one can only be a re-send (ENG-7).
        var count = 0
        var hasOpenedSockets = false
        /// Whether the socket that was opened last is for QUIC, whose handshake begins at once.
        var startsQUIC = false
        var connectsBefore = 0
        var isResending = false
        var info: ConnectionInfo?
        var isResolving = false
        var isConnected = false
        /// Whether a TLS handshake goes on, or went wrong.
        var isSecuring = false
        var tls: TLSInfo?
        /// What QUIC's handshake has shown. TCP's handshake, which may go on beside it, has ``tls``.
        var quicTLS: TLSInfo?
        var verifyError: Int32 = 0
        /// OpenSSL's objection, in its words, which a handler may have overruled.
        var objection: String?
        /// The authorities whose certificates the server takes from clients, by name; `nil` when it asked for no certificate.
        var clientAuthorities: [String]?
        /// The last alert that the server sent (RFC 8446, section 6).
        var alert: UInt8?
        /// The number of the HTTP/2 stream, as far as libcurl tells it.
        var stream: Int?
        /// Whether the HTTP/2 stream has ended as it should, and libcurl has read all of it.
        var isStreamOver = false
        /// Whether the server said that it didn't take the request.
        var isRefused = false
        /// With which error the server ended the HTTP/2 connection; 0 for none.
        var goAway = 0
        /// The system's number for having no descriptor left, once it said so; 0 for no shortage.
        var shortage: Int32 = 0
        /// The connection that it is ready on.
        var way: ConnectionTable.Connection?
        /// The system's number of an address that was tried in vain, 0 for none.
        var errnoBefore: Int32 = 0

        /// Whether the request goes by a stream of its own, beside others.
        var isMultiplexed: Bool { info?.isMultiplexed == true }
    }

    var url: URL { request.request.url }

    // MARK: Looking up and connecting

    /// - Returns: whether libcurl may go on.
    func resolverStarts() -> Bool {
        guard mayConnect() else { return false }
        let host = target.host
        // libcurl asks its resolver for an address as well; nothing is looked up then.
        guard request.options.unixSocket == nil, !Self.isAddress(host) else { return true }
        let now = MonotonicTime.now
        timeline.resolveStarted = now
        connection.isResolving = true
        emit(.resolveStarted(host: host), at: now)
        return true
    }

    func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        guard mayConnect() else { return CURL_SOCKET_BAD }
        let now = MonotonicTime.now
        if connection.isResolving {
            connection.isResolving = false
            timeline.resolved = now
            emit(.resolveEnded, at: now)
        }
        let family = address.pointee.family
        let kind = SocketKind(family: family, type: address.pointee.socktype, protocol: address.pointee.protocol)
        let descriptor = kind.open(request.options)
        let number = descriptor < 0 ? errno : 0
        if CurlFailure.isShortage(number) { connection.shortage = number }
        let text = SocketAddress.description(turnstone_curl_address(address), length: address.pointee.addrlen)
        // Until a connection is ready: whether none but QUIC was tried.
        timeline.isQUIC = kind.isDatagram && (timeline.connectStarted == nil || timeline.isQUIC)
        if timeline.connectStarted == nil { timeline.connectStarted = now }
        connection.startsQUIC = kind.isDatagram
        emit(kind.isDatagram ? .quicStarted(address: text) : .connectStarted(address: text), at: now)
        guard descriptor >= 0 else {
            emit(.connectFailed(address: text, errno: number), at: now)
            return CURL_SOCKET_BAD
        }
        connection.hasOpenedSockets = true
        loop.connections.open(descriptor, address: text, kind, by: self)
        return descriptor
    }

    /// A socket that this transfer opened is closed before it was ready.
    func connectionCloses(address: String) {
        guard !connection.isConnected else { return }
        var number = handle?.systemErrno ?? 0
        if number == 0 {
            let limit = request.connectTimeout.map { timeline.started + $0 }
            // Without a word from the system: another address was faster, or nobody waits any more.
            number = limit.map { $0 <= .now } == true ? ETIMEDOUT : ECANCELED
        }
        emit(.connectFailed(address: address, errno: number))
    }

    func noteConnected(at time: MonotonicTime) {
        guard !connection.isConnected else { return }
        connection.isConnected = true
        timeline.connected = time
        emit(.connectEnded, at: time)
    }

    // MARK: Ready

    /// libcurl has a connection and is about to send the request.
    ///
    /// - Returns: whether it may.
    func connectionReady(remote: ConnectionTable.Endpoint, local: ConnectionTable.Endpoint) -> Bool {
        guard let handle, mayConnect() else { return false }
        let now = MonotonicTime.now
        let connects = handle.long(CURLINFO_NUM_CONNECTS)
        let isReused = connects == connection.connectsBefore
        connection.connectsBefore = connects
        connection.count += 1
        connection.isResending = false
        if connection.count == 1 { calibrate(handle, now: now) }

        if isReused {
            let known = loop.connections.reused(
                local: local, remote: remote, unixSocket: request.options.unixSocket,
                prefersQUIC: request.options.httpVersion.isHTTP3)
            connection.info =
                known?.info
                ?? ConnectionInfo(id: 0, isReused: true, localAddress: local.text, remoteAddress: remote.text, proxy: proxyShown)
            connection.tls = known?.tls
            connection.objection = known?.objection
            use(known?.connection)
        } else {
            let opened = loop.connections.opened(by: self, local: local)
            timeline.isQUIC = opened?.isQUIC == true
            noteReady(handle, now: now)
            connection.info = loop.connections.established(
                opened, local: local, remote: remote, version: expectedVersion, proxy: proxyShown, tls: connection.tls,
                objection: connection.objection)
            use(opened)
        }
        connection.errnoBefore = handle.systemErrno
        if isReused, let way = connection.way {
            if way.isTaken, loop.isBusy(way, besides: self) {
                restart = .taken
                return false
            }
            // libcurl has read more than the answer there, in the call that also gave the connection to this request; or it doesn't notice
            // that QUIC's socket was shut.
            if way.isDoomed, way.info?.httpVersion != "HTTP/2" {
                restart = .leftover(bytes: 0)
                return false
            }
            if let bytes = loop.connections.discardLeftover(on: way, decrypted: handle.unreadBytes) {
                restart = .leftover(bytes: bytes)
                return false
            }
        }
        timeline.ready = now
        if let tls = connection.tls { emit(.tlsEnded(tls), at: timeline.secured ?? now) }
        if let pins, !matchesPins(pins) { return false }
        if isReused, let trust = request.trust, let tls = connection.tls, !trusts(tls, connection.objection, trust) { return false }
        if let info = connection.info { emit(.connectionAcquired(info), at: now) }
        // From here to the last byte of the request, libcurl shows what it sends.
        handle.setShowsSentBytes(true)
        upload.readyOwnTime = .ownThread
        return true
    }

    /// The way that the request goes; in place of the one that it went before.
    private func use(_ way: ConnectionTable.Connection?) {
        if let old = connection.way { loop.connections.release(old, loop.pool) }
        connection.way = way
        guard let way else { return }
        loop.connections.use(way, for: request.options.serviceType)
    }

    /// Finds libcurl's zero: its latest figure was taken microseconds ago.
    private func calibrate(_ handle: CurlEasyHandle, now: MonotonicTime) {
        let latest = max(
            handle.number(CURLINFO_NAMELOOKUP_TIME_T), handle.number(CURLINFO_CONNECT_TIME_T),
            handle.number(CURLINFO_APPCONNECT_TIME_T))
        timeline.origin = max(timeline.started, now.advanced(microseconds: -latest))
    }

    private func noteReady(_ handle: CurlEasyHandle, now: MonotonicTime) {
        let isFirst = connection.count == 1
        let origin = timeline.origin ?? now
        func exact(_ info: CURLINFO) -> MonotonicTime {
            // After a second sending, libcurl's figures are sums of both.
            guard isFirst, case let count = handle.number(info), count > 0 else { return now }
            return origin.advanced(microseconds: count)
        }
        if timeline.isQUIC {
            connection.isConnected = true
            connection.isSecuring = true
            connection.tls = connection.quicTLS
        } else if connection.isConnected {
            timeline.connected = exact(CURLINFO_CONNECT_TIME_T)
        } else {
            noteConnected(at: exact(CURLINFO_CONNECT_TIME_T))
        }
        if connection.isSecuring {
            connection.isSecuring = false
            timeline.secured = exact(CURLINFO_APPCONNECT_TIME_T)
            // With TLS 1.3 the server looks at our certificate afterwards, so what it says is heard until the end.
            if connection.tls == nil { connection.tls = TLSInfo(isVerified: request.options.tls.verifies) }
        }
    }

    // MARK: Words

    /// Where the connection leads: the proxy, if there is one.
    var target: Target {
        Target(url: url, unixSocket: request.options.unixSocket, proxy: proxyShown)
    }

    /// `scheme://host:port` of the proxy, without credentials.
    private var proxyShown: String? {
        if request.options.proxy == nil, loop.proxies.isEmpty { return nil }
        let proxy = request.options.proxy ?? loop.proxies.proxy(scheme: url.scheme ?? "http") ?? ""
        let exceptions = request.options.wire.proxyExceptions.map(ProxyExceptions.init) ?? loop.proxies.exceptions
        guard !proxy.isEmpty, !exceptions.hold(url.host() ?? "") else { return nil }
        let parts = proxy.split(separator: "://", maxSplits: 1)
        let authority = parts[parts.count - 1].prefix { $0 != "/" }
        let host = authority.split(separator: "@").last ?? authority
        return "\(parts.count == 2 ? parts[0] : "http")://\(host)"
    }

    private var expectedVersion: String {
        if timeline.isQUIC { return "HTTP/3" }
        if request.options.httpVersion == .http2PriorKnowledge { return "HTTP/2" }
        if request.options.httpVersion == .http1_0 { return "HTTP/1.0" }
        return connection.tls?.applicationProtocol == "h2" ? "HTTP/2" : "HTTP/1.1"
    }

    private static func isAddress(_ host: String) -> Bool {
        var buffer = in6_addr()
        return inet_pton(AF_INET, host, &buffer) == 1 || inet_pton(AF_INET6, host, &buffer) == 1
    }
}

extension HTTPVersionPreference {
    var isHTTP3: Bool { self == .http3 || self == .http3Only }
}

extension ConnectionInfo {
    /// Whether each request has a stream of its own there.
    var isMultiplexed: Bool { httpVersion == "HTTP/2" || httpVersion == "HTTP/3" }
}
