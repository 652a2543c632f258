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
