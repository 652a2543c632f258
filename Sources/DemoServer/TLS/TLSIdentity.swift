import CLibssl

/// What a port of the demo server shows of itself when it speaks TLS.
///
/// Safe to share: OpenSSL counts the references to a context with atomic operations, and nothing changes it once it is made.
final class TLSIdentity: @unchecked Sendable {
    let context: OpaquePointer

    /// `nil`: OpenSSL doesn't take them.
    ///
    /// - Parameter pem: the certificate, then its key.
    private init?(pem: String) {
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
        self.context = context
    }

    deinit {
        SSL_CTX_free(context)
    }

    /// Of `localhost` and its addresses, by the authority in `Collections/demo/transport/tls/authority.pem`, good until 12 April 2015. Its
    /// key protects nothing: nobody trusts it any more, and that authority is trusted by the demo's own request alone.
    static let expired = TLSIdentity(
        pem: """
            -----BEGIN CERTIFICATE-----
            MIIB9TCCAZygAwIBAgIUOJZGJYJCq+etms/k75VKl+EZShkwCgYIKoZIzj0EAwIw
            NzESMBAGA1UECgwJVHVybnN0b25lMSEwHwYDVQQDDBhUdXJuc3RvbmUgRGVtbyBB
            dXRob3JpdHkwHhcNMTQwNDA5MDAwMDAwWhcNMTUwNDEyMjM1OTU5WjAoMRIwEAYD
            VQQKDAlUdXJuc3RvbmUxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEG
            CCqGSM49AwEHA0IABKU3nrAi4zvRZ3hx5zIvvLwil9Z3FMwLyOFNCd8N9vQoF157
            QT5gGNwRuNTweZgG5XXUOe6Fe3BYPNryU+B5O+ejgZQwgZEwLAYDVR0RBCUwI4IJ
            bG9jYWxob3N0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMAwGA1UdEwEB/wQCMAAw
            EwYDVR0lBAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYEFJM0L2Y39/U2HBqM6ZqAm2iG
            uUMAMB8GA1UdIwQYMBaAFKoIvGtlH9Xwu+xGGESetyyyT7axMAoGCCqGSM49BAMC
            A0cAMEQCIA1DRkAQscOle3c1MVePnXQj4VhN4M3PV+QvGNVGtz5vAiBkl6Oou1mi
            Oo5ipm1iRZ/fU3ks9ZePDZmJptFcUsh9Gg==
            -----END CERTIFICATE-----
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOsY9FKhHM6y5HdRG
            MOz6+2VDeKJyS0ITJbpwiKd2L32hRANCAASlN56wIuM70Wd4cecyL7y8IpfWdxTM
            C8jhTQnfDfb0KBdee0E+YBjcEbjU8HmYBuV11DnuhXtwWDza8lPgeTvn
            -----END PRIVATE KEY-----
            """)
}
