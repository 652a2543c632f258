import CCurl
import FoundationEssentials
import Glibc
import HTTPTypes
import NetworkLayer

extension CurlTransfer {
    /// What is known of the way to the server.
    struct ConnectionState {
        /// Connections that this transfer got so far; a second one can only be a re-send (ENG-7).
        var count = 0
        var hasOpenedSockets = false
        var connectsBefore = 0
        var isResending = false
        var info: ConnectionInfo?
        var isResolving = false
        var isConnected = false
        /// Whether a TLS handshake goes on, or went wrong.
        var isSecuring = false
        var tls: TLSInfo?
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
        /// Whether libcurl closes a connection because it keeps too many.
        var isMakingRoom = false
        /// With which error the server ended the HTTP/2 connection; 0 for none.
        var goAway = 0
        /// The system's number for having no descriptor left, once it said so; 0 for no shortage.
        var shortage: Int32 = 0
        /// Whether we ourselves refused it a descriptor that others were to have.
        var isTurnedAway = false
        /// The connection that it is ready on.
        var way: ConnectionTable.Connection?
        /// The system's number of an address that was tried in vain, 0 for none.
        var errnoBefore: Int32 = 0
    }

    private var url: URL { request.request.url }

    // MARK: Looking up and connecting

    /// - Returns: whether libcurl may go on.
    func resolverStarts() -> Bool {
        guard mayConnect() else { return false }
        let host = target.host
        // libcurl asks its resolver for an address as well; nothing is looked up then.
        guard request.options.unixSocket == nil, !Self.isAddress(host) else { return true }
        let lowest = Descriptors.lowestFree
        if !loop.hasRoomForLookup(from: lowest) {
            if loop.mayPark {
                restart = .shortage
                return false
            }
            // It may work all the same.
            if lowest < 0 { connection.shortage = EMFILE }
        }
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
        if loop.mayPark, Descriptors.areExhausted(number) || descriptor >= 0 && !loop.descriptors.hasRoom(for: 1, from: descriptor)
        {
            if descriptor >= 0 { close(descriptor) }
            connection.shortage = EMFILE
            connection.isTurnedAway = true
            return CURL_SOCKET_BAD
        }
        if Descriptors.areExhausted(number) { connection.shortage = number }
        let text = SocketAddress.description(turnstone_curl_address(address), length: address.pointee.addrlen)
        if timeline.connectStarted == nil { timeline.connectStarted = now }
        emit(.connectStarted(address: text), at: now)
        guard descriptor >= 0 else {
            emit(.connectFailed(address: text, errno: number), at: now)
            return CURL_SOCKET_BAD
        }
        connection.hasOpenedSockets = true
        loop.connections.open(descriptor, address: text, isUnix: family == AF_UNIX, by: self)
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

    // MARK: TLS

    func handshakeStarts(_ context: UnsafeMutableRawPointer) {
        // The connection was there when libcurl got to work; reading the authorities may have taken a while since.
        noteConnected(at: max(loop.passStart, timeline.connectStarted ?? loop.passStart))
        let now = MonotonicTime.now
        timeline.tlsStarted = now
        connection.isSecuring = true
        emit(.tlsStarted, at: now)
        loop.handshakes[context] = self
        OpenSSL.shared?.setVerification(
            of: context,
            { store, loop in
                guard let store, let loop, let openSSL = OpenSSL.shared else { return 0 }
                return Unmanaged<Loop>.fromOpaque(loop).takeUnretainedValue().verify(store, openSSL) ? 1 : 0
            }, argument: Unmanaged.passUnretained(loop).toOpaque())
        OpenSSL.shared?.watch(
            context,
            wanted: { connection, loop in
                if let connection, let loop, let openSSL = OpenSSL.shared {
                    Unmanaged<Loop>.fromOpaque(loop).takeUnretainedValue().certificateWanted(by: connection, openSSL)
                }
                // The handshake goes on.
                return 1
            },
            message: { isSent, _, type, bytes, count, connection, loop in
                // 21 stands for alerts, which are a level and what it is about.
                guard isSent == 0, type == 21, count == 2, let bytes, let connection, let loop, let openSSL = OpenSSL.shared
                else { return }
                let alert = bytes.load(fromByteOffset: 1, as: UInt8.self)
                Unmanaged<Loop>.fromOpaque(loop).takeUnretainedValue().alerted(alert, on: connection, openSSL)
            }, argument: Unmanaged.passUnretained(loop).toOpaque())
    }

    /// - Parameter verifyError: OpenSSL's objection, 0 for none.
    func handshakeShows(_ tls: TLSInfo, verifyError: Int32) {
        connection.tls = tls
        connection.verifyError = verifyError
    }

    private func noteConnected(at time: MonotonicTime) {
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
        // Until now it was about others.
        connection.isMakingRoom = false
        if connection.count == 1 { calibrate(handle, now: now) }

        if isReused {
            let known = loop.connections.reused(local: local, remote: remote, unixSocket: request.options.unixSocket)
            connection.info =
                known?.info
                ?? ConnectionInfo(id: 0, isReused: true, localAddress: local.text, remoteAddress: remote.text, proxy: proxyShown)
            connection.tls = known?.tls
            connection.objection = known?.objection
            use(known?.connection)
        } else {
            noteReady(handle, now: now)
            let new = loop.connections.established(
                by: self, local: local, remote: remote, version: expectedVersion, proxy: proxyShown, tls: connection.tls,
                objection: connection.objection)
            connection.info = new.info
            use(new.connection)
        }
        connection.errnoBefore = handle.systemErrno
        if isReused, let way = connection.way {
            if way.isTaken {
                restart = .taken
                return false
            }
            if let bytes = loop.connections.takeLeftover(on: way, decrypted: handle.unreadBytes) {
                restart = .leftover(bytes: bytes)
                return false
            }
        }
        if CurlBehaviour.present.takesBreachForEnd, connection.info?.httpVersion == "HTTP/2", handle.forbidsReuse {
            // What becomes of the connection has to tell how the answer ended: so it is we who close it.
            handle.allowReuse()
            connection.way?.isDoomed = true
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
        if way.isShared { loop.noteSharing() }
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
            // After a re-send libcurl's figures are sums.
            guard isFirst, case let count = handle.number(info), count > 0 else { return now }
            return origin.advanced(microseconds: count)
        }
        if connection.isConnected {
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

    // MARK: Re-sending

    /// Whether libcurl may look for a connection: always for the first, and as the rule says for one that it wants because the
    /// one before died without an answer (ENG-7).
    private func mayConnect() -> Bool {
        loop.noteBeginning()
        if abortError != nil || restart != nil { return false }
        guard connection.count > 0, !connection.isResending else { return true }
        if let head = response.heldHead {
            if head.status.code == 417 { stopExpecting() }
            startAgain(.authenticationStep(head))
            return true
        }
        // What was told can't be taken back: that is the answer, whatever libcurl wants to know besides.
        guard response.head == nil else {
            isAnswered = true
            return false
        }
        guard mayResend else {
            abort(.resendRefused(to: target.text, method: request.request.method.rawValue))
            return false
        }
        // libcurl 7.88 keeps half of the old stream's state, and then loses the answer or waits for ever.
        if connection.info?.httpVersion == "HTTP/2" {
            restart = .dropped
            if !mayRestart { abort(.requestDropped(by: target.text, times: restarts + 1)) }
            return false
        }
        startAgain(.resent)
        return true
    }

    /// The request goes out again within this transfer.
    private func startAgain(_ reason: TransportEvent.Kind) {
        connection.isResending = true
        connection.isConnected = false
        connection.isSecuring = false
        connection.tls = nil
        connection.clientAuthorities = nil
        connection.alert = nil
        connection.info = nil
        connection.stream = nil
        connection.isStreamOver = false
        connection.isRefused = false
        connection.goAway = 0
        timeline.startAgain()
        response = ResponseState()
        handle?.head.removeAll()
        upload.startAgain()
        emit(reason)
    }

    /// Also asked when libcurl rewinds the body, which it does first.
    var mayResend: Bool {
        guard request.request.body.isReplayable else { return false }
        if response.heldHead != nil { return true }
        return switch request.resend {
        case .always: true
        case .never: false
        case .idempotentOnly: Self.idempotentMethods.contains(request.request.method.rawValue) || isUnprocessed
        }
    }

    /// Whether the server surely did nothing with the request: nothing of it has gone out, or the server has said so (RFC 9113,
    /// section 8.7).
    private var isUnprocessed: Bool {
        upload.head.isEmpty && !mayHideSentBytes || connection.isRefused
    }

    /// Of a request that takes more than one record of TLS, the first may have gone, and have been answered, when writing another fails;
    /// libcurl shows nothing of such a write.
    private var mayHideSentBytes: Bool {
        guard connection.tls != nil || connection.info?.proxy?.hasPrefix("https:") == true else { return false }
        let fields = request.request.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        let body = upload.isInPieces ? 0 : Int(clamping: upload.expected ?? 0)
        return body + fields + url.absoluteString.utf8.count + 1024 > 16384
    }

    /// RFC 9110, section 9.2.2.
    private static let idempotentMethods: Set = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]

    func refuseResend() {
        abort(.resendRefused(to: target.text, method: request.request.method.rawValue))
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
        if request.options.httpVersion == .http2PriorKnowledge { return "HTTP/2" }
        if request.options.httpVersion == .http1_0 { return "HTTP/1.0" }
        return connection.tls?.applicationProtocol == "h2" ? "HTTP/2" : "HTTP/1.1"
    }

    private static func isAddress(_ host: String) -> Bool {
        var buffer = in6_addr()
        return inet_pton(AF_INET, host, &buffer) == 1 || inet_pton(AF_INET6, host, &buffer) == 1
    }
}

extension Loop {
    /// OpenSSL has the server's certificates: shows them to the transfer, and checks them if that is wanted.
    ///
    /// - Returns: whether the handshake may go on.
    fileprivate func verify(_ store: UnsafeMutableRawPointer, _ openSSL: OpenSSL) -> Bool {
        guard let connection = openSSL.connection(of: store), let context = openSSL.context(of: connection),
            let transfer = handshakes[context]
        else { return openSSL.verify(store) == 0 }
        let isVerified = transfer.request.options.tls.verifies
        let trust = transfer.request.trust
        if trust != nil { openSSL.expect(Target(url: transfer.request.request.url, unixSocket: nil, proxy: nil).host, in: store) }
        // Whoever doesn't mind an objection may still want to know it.
        let found = openSSL.verify(store)
        let objection = isVerified ? found : 0
        var tls = TLSInfo(
            version: openSSL.version(of: connection), cipher: openSSL.cipher(of: connection),
            applicationProtocol: openSSL.applicationProtocol(of: connection),
            chain: openSSL.chain(in: store).compactMap { Certificate(der: $0, sha256: openSSL.sha256($0)) },
            verificationFailure: objection == 0 ? nil : openSSL.text(ofVerifyError: objection), isVerified: isVerified,
            verifyResult: Int(found))
        guard let trust else {
            transfer.handshakeShows(tls, verifyError: objection)
            return objection == 0
        }
        transfer.connection.objection = tls.verificationFailure
        let isTrusted = transfer.trusts(tls, tls.verificationFailure, trust)
        if isTrusted, objection != 0 {
            openSSL.accept(store)
            tls.verificationFailure = nil
            tls.isVerified = false
        }
        transfer.handshakeShows(tls, verifyError: isTrusted ? 0 : objection)
        return isTrusted
    }

    fileprivate func certificateWanted(by connection: UnsafeMutableRawPointer, _ openSSL: OpenSSL) {
        openSSL.context(of: connection).flatMap { handshakes[$0] }?.connection.clientAuthorities =
            openSSL.clientAuthorities(of: connection).map { DERReader.distinguishedName($0) }
    }

    fileprivate func alerted(_ alert: UInt8, on connection: UnsafeMutableRawPointer, _ openSSL: OpenSSL) {
        openSSL.context(of: connection).flatMap { handshakes[$0] }?.connection.alert = alert
    }

    func endHandshakes(of transfer: CurlTransfer) {
        guard !handshakes.isEmpty else { return }
        handshakes = handshakes.filter { $0.value !== transfer }
    }
}
