import CLibssl

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
    init?(pem: String, isOld: Bool = false, clients: String? = nil) {
        let source = BIO_new(BIO_s_mem())
        defer { BIO_free(source) }
        _ = BIO_write(source, Array(pem.utf8), Int32(pem.utf8.count))
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

    private static func demand(_ authority: String, on context: OpaquePointer) -> Bool {
        let source = BIO_new(BIO_s_mem())
        defer { BIO_free(source) }
        _ = BIO_write(source, Array(authority.utf8), Int32(authority.utf8.count))
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
