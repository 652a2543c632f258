import Base
import CCurl
import CLibssl
import NetworkLayer

/// What OpenSSL is asked, and tells, while a connection is secured.
extension CurlTransfer {
    func handshakeStarts(_ context: OpaquePointer) {
        // QUIC's began with its first packet, right after its socket was opened.
        if connection.startsQUIC {
            connection.startsQUIC = false
        } else {
            // The connection was there when libcurl got to work; reading the authorities may have taken a while since.
            noteConnected(at: max(loop.passStart, timeline.connectStarted ?? loop.passStart))
            let now = MonotonicTime.now
            timeline.tlsStarted = now
            connection.isSecuring = true
            emit(.tlsStarted, at: now)
        }
        loop.handshakes[context] = self
        let argument = Unmanaged.passUnretained(loop).toOpaque()
        // In place of OpenSSL's own verification, which it then asks for.
        SSL_CTX_set_cert_verify_callback(
            context,
            { store, loop in
                guard let store, let loop else { return 0 }
                return Unmanaged<Loop>.fromOpaque(loop).takeUnretainedValue().verify(store) ? 1 : 0
            }, argument)
        // The server asks for a certificate of ours.
        SSL_CTX_set_cert_cb(
            context,
            { connection, loop in
                guard let connection, let loop else { return 1 }
                let transfer = Unmanaged<Loop>.fromOpaque(loop).takeUnretainedValue().transfer(on: connection)
                transfer?.connection.clientAuthorities =
                    OpenSSL.clientAuthorities(of: connection).map { DERReader.distinguishedName($0) }
                // The handshake goes on.
                return 1
            }, argument)
        SSL_CTX_set_msg_callback(context) { isSent, _, type, bytes, count, connection, loop in
            // 21 stands for alerts, which are a level and what it is about.
            guard isSent == 0, type == 21, count == 2, let bytes, let connection, let loop else { return }
            let transfer = Unmanaged<Loop>.fromOpaque(loop).takeUnretainedValue().transfer(on: connection)
            transfer?.connection.alert = bytes.load(fromByteOffset: 1, as: UInt8.self)
        }
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, argument)
    }

    /// Asks whether to trust a server, and fails the transfer when not.
    ///
    /// - Parameter objection: OpenSSL's, in its words; `nil` for none.
    func trusts(_ tls: TLSInfo, _ objection: String?, _ handler: any ServerTrustHandler) -> Bool {
        let trust = ServerTrust(host: hostName, port: url.port ?? 443, chain: tls.chain, failure: objection)
        switch handler.evaluate(trust) {
        case .accept: return true
        case .default where objection == nil: return true
        case .default:
            // For a fresh connection, OpenSSL's own error tells more.
            if connection.count > 0 { abort(.serverNotTrusted(hostName, because: objection)) }
        case .reject:
            abort(.serverNotTrusted(hostName, because: objection))
        case .cancel(let context):
            abort(
                .challengeCancelled(phase: .tls, host: hostName, method: "server trust", certificates: tls.chain, context: context))
        }
        return false
    }
}

extension Loop {
    /// The transfer whose handshake goes on there.
    fileprivate func transfer(on connection: OpaquePointer) -> CurlTransfer? {
        SSL_get_SSL_CTX(connection).flatMap { handshakes[$0] }
    }

    /// OpenSSL has the server's certificates: shows them to the transfer, and checks them if that is wanted.
    ///
    /// - Returns: whether the handshake may go on.
    fileprivate func verify(_ store: OpaquePointer) -> Bool {
        guard let connection = OpenSSL.connection(of: store), let transfer = transfer(on: connection) else {
            return OpenSSL.verify(store) == 0
        }
        let trust = transfer.request.trust
        if trust != nil { OpenSSL.expect(transfer.hostName, in: store) }
        // People who ignore an objection may still want to know of it.
        let found = OpenSSL.verify(store)
        let isVerified = transfer.request.options.tls.verifies
        let objection = isVerified ? found : 0
        var tls = TLSInfo(
            version: OpenSSL.version(of: connection), cipher: OpenSSL.cipher(of: connection),
            applicationProtocol: OpenSSL.applicationProtocol(of: connection),
            chain: OpenSSL.chain(in: store).compactMap { Certificate(der: $0) },
            verificationFailure: objection == 0 ? nil : OpenSSL.text(ofVerifyError: objection), isVerified: isVerified,
            verifyResult: Int(found))
        if !tls.chain.isEmpty {
            tls.chain[0].publicKeySHA256 = tls.chain[0].publicKeyDER.map {
                Data(DigestFunction.sha256.hash($0)).base64EncodedString()
            }
        }
        var isAccepted = objection == 0
        if let trust {
            transfer.connection.objection = tls.verificationFailure
            isAccepted = transfer.trusts(tls, tls.verificationFailure, trust)
            if isAccepted, objection != 0 {
                // libcurl asks for the objection after the handshake.
                X509_STORE_CTX_set_error(store, X509_V_OK)
                tls.verificationFailure = nil
                tls.isVerified = false
            }
        }
        // QUIC tells nothing of its handshake before the server's certificates.
        transfer.connection.isSecuring = true
        if tls.applicationProtocol == "h3" {
            transfer.connection.quicTLS = tls
        } else {
            transfer.connection.tls = tls
        }
        transfer.connection.verifyError = isAccepted ? 0 : objection
        return isAccepted
    }

    func endHandshakes(of transfer: CurlTransfer) {
        guard !handshakes.isEmpty else { return }
        handshakes = handshakes.filter { $0.value !== transfer }
    }
}
