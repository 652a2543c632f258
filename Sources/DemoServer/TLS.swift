import CLibssl
import FlyingSocks

/// The server's side of TLS on one connection. Bytes of the wire go in and come out through memory, so that waiting for them stays with
/// the connection.
final class TLSSession {
    private let session: OpaquePointer
    /// From and to the client. The session owns both.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer

    /// `nil`: there is no memory for it.
    init?(_ identity: TLSIdentity) {
        guard let session = SSL_new(identity.context) else { return nil }
        guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
            SSL_free(session)
            return nil
        }
        self.session = session
        self.incoming = incoming
        self.outgoing = outgoing
        SSL_set_bio(session, incoming, outgoing)
        SSL_set_accept_state(session)
    }

    deinit {
        SSL_free(session)
    }

    /// Takes in what came from the client.
    func receive(_ bytes: [UInt8]) {
        _ = BIO_write(incoming, bytes, Int32(bytes.count))
    }

    /// What is to be sent to the client now: the handshake's messages, encrypted bytes, an alert.
    func drainOutgoing() -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = BIO_read(outgoing, &piece, Int32(piece.count)), count > 0 { bytes += piece[..<Int(count)] }
        return bytes
    }

    /// What the client has sent, as far as it has arrived; the handshake happens on the way. `nil`: it has ended the session, or takes no
    /// part in it, such as when it doesn't trust our certificate.
    func read() -> [UInt8]? {
        ERR_clear_error()
        var piece = [UInt8](repeating: 0, count: 1 << 14)
        let count = SSL_read(session, &piece, Int32(piece.count))
        if count > 0 { return Array(piece[..<Int(count)]) }
        return SSL_get_error(session, count) == SSL_ERROR_WANT_READ ? [] : nil
    }

    /// Encrypts what is to be sent, behind the handshake.
    func write(_ bytes: [UInt8]) throws {
        ERR_clear_error()
        guard !bytes.isEmpty else { return }
        guard SSL_write(session, bytes, Int32(bytes.count)) == bytes.count else { throw SocketError.disconnected }
    }

    /// Says that nothing more follows.
    func end() {
        ERR_clear_error()
        _ = SSL_shutdown(session)
    }
}

/// What a port of the demo server shows of itself when it speaks TLS.
///
/// Safe to share: OpenSSL counts the references to a context with atomic operations, and nothing changes it once it is made.
final class TLSIdentity: @unchecked Sendable {
    let context: OpaquePointer

    /// `nil`: OpenSSL doesn't take them.
    ///
    /// - Parameters:
    ///   - pem: the certificate, then its key.
    ///   - isOld: no newer version than TLS 1.2.
    ///   - clients: the authority of clients, which must have a certificate then.
    private init?(pem: [UInt8], isOld: Bool = false, clients: [UInt8]? = nil) {
        let source = Self.source(of: pem)
        defer { BIO_free(source) }
        guard let certificate = PEM_read_bio_X509(source, nil, nil, nil) else { return nil }
        defer { X509_free(certificate) }
        guard let key = PEM_read_bio_PrivateKey(source, nil, nil, nil) else { return nil }
        defer { EVP_PKEY_free(key) }
        guard let context = SSL_CTX_new(TLS_server_method()) else { return nil }
        guard SSL_CTX_use_certificate(context, certificate) == 1, SSL_CTX_use_PrivateKey(context, key) == 1 else {
            SSL_CTX_free(context)
            return nil
        }
        if isOld { _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_2_VERSION), nil) }
        if let clients, !Self.demand(clients, on: context) {
            SSL_CTX_free(context)
            return nil
        }
        self.context = context
    }

    private static func source(of pem: [UInt8]) -> OpaquePointer? {
        let source = BIO_new(BIO_s_mem())
        _ = BIO_write(source, pem, Int32(pem.count))
        return source
    }

    private static func demand(_ authority: [UInt8], on context: OpaquePointer) -> Bool {
        let source = Self.source(of: authority)
        defer { BIO_free(source) }
        guard let certificate = PEM_read_bio_X509(source, nil, nil, nil) else { return false }
        defer { X509_free(certificate) }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        return X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate) == 1
            && SSL_CTX_add_client_CA(context, certificate) == 1
    }

    deinit {
        SSL_CTX_free(context)
    }
}

/// The certificates of the demo server, all but one by the authority in `Collections/demo/transport/tls/authority.pem`. Their keys protect
/// nothing: they are here for everybody to see, and that authority is trusted by the demo's own requests alone.
extension TLSIdentity {
    /// For `localhost` and its addresses, good until 12 April 2015.
    static let expired = TLSIdentity(pem: PackageResources.expired_pem)
    /// For the same names, good until 2114.
    static let good = TLSIdentity(pem: PackageResources.good_pem)
    /// The same, by TLS 1.2 at most.
    static let old = TLSIdentity(pem: PackageResources.good_pem, isOld: true)
    /// The same, for clients with a certificate by the authority: `Collections/demo/transport/tls/client.pem` is one.
    static let demanding = TLSIdentity(pem: PackageResources.good_pem, clients: PackageResources.authority_pem)
    /// For `localhost` and its addresses; nobody vouches for it.
    static let selfSigned = TLSIdentity(pem: PackageResources.self_signed_pem)
    /// For `other.example`.
    static let otherHost = TLSIdentity(pem: PackageResources.other_host_pem)
}
