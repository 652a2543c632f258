import Base
import CCurl
import NetworkLayer

/// What OpenSSL is asked, and tells, while a connection is secured.
extension CurlTransfer {
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
        // People who ignore an objection may still want to know of it.
        let found = openSSL.verify(store)
        let objection = isVerified ? found : 0
        var tls = TLSInfo(
            version: openSSL.version(of: connection), cipher: openSSL.cipher(of: connection),
            applicationProtocol: openSSL.applicationProtocol(of: connection),
            chain: openSSL.chain(in: store).compactMap { Certificate(der: $0, sha256: openSSL.sha256($0)) },
            verificationFailure: objection == 0 ? nil : openSSL.text(ofVerifyError: objection), isVerified: isVerified,
            verifyResult: Int(found))
        if !tls.chain.isEmpty {
            tls.chain[0].publicKeySHA256 = tls.chain[0].publicKeyDER.map { Data(openSSL.sha256($0)).base64EncodedString() }
        }
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
