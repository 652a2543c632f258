import Base
import CCurl
import CLibssl

/// What OpenSSL says of a connection and its certificates, which libcurl doesn't tell. To be asked only where libcurl's own TLS is
/// OpenSSL's (``isPresent``): elsewhere there is no chain to show.
enum OpenSSL {
    static let isPresent = turnstone_curl_tls_library().map { String(cString: $0).hasPrefix("OpenSSL") } ?? false

    // MARK: Verification

    /// Has the verification compare names as well, which is libcurl's part otherwise.
    static func expect(_ host: String, in store: OpaquePointer) {
        let parameters = X509_STORE_CTX_get0_param(store)
        // Only an address is taken for one.
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, host) != 1 { _ = X509_VERIFY_PARAM_set1_host(parameters, host, 0) }
    }

    /// OpenSSL's own verification: the number of its first objection, 0 when it has none.
    static func verify(_ store: OpaquePointer) -> Int32 {
        let accepted = X509_verify_cert(store)
        let number = X509_STORE_CTX_get_error(store)
        return accepted > 0 ? 0 : number == 0 ? X509_V_ERR_UNSPECIFIED : number
    }

    /// `certificate has expired`
    static func text(ofVerifyError number: Int32) -> String { String(cString: X509_verify_cert_error_string(Int(number))) }

    /// The connection that a verification is for.
    static func connection(of store: OpaquePointer) -> OpaquePointer? {
        X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()).map { OpaquePointer($0) }
    }

    /// The certificates that the server sent, its own first, each in DER.
    static func chain(in store: OpaquePointer) -> [Data] { elements(of: X509_STORE_CTX_get0_untrusted(store)) { i2d_X509($0, $1) } }

    /// The names of the authorities whose certificates the server takes from clients, each in DER.
    static func clientAuthorities(of connection: OpaquePointer) -> [Data] {
        elements(of: SSL_get0_peer_CA_list(connection)) { i2d_X509_NAME($0, $1) }
    }

    private static func elements(
        of stack: OpaquePointer?, _ encode: (OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) -> [Data] {
        (0..<max(0, OPENSSL_sk_num(stack))).compactMap { index in
            guard let element = OPENSSL_sk_value(stack, index).map({ OpaquePointer($0) }) else { return nil }
            let length = encode(element, nil)
            guard length > 0 else { return nil }
            var data = Data(count: Int(length))
            data.withUnsafeMutableBytes { bytes in
                var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
                _ = encode(element, &cursor)
            }
            return data
        }
    }

    // MARK: What was negotiated

    /// QUIC has TLS 1.3 within (RFC 9001), for which OpenSSL gives QUIC's own version.
    static func version(of connection: OpaquePointer) -> String? {
        SSL_get_version(connection).map { String(cString: $0) }.map { $0.hasPrefix("QUIC") ? "TLSv1.3" : $0 }
    }

    /// Before TLS 1.3 it was agreed upon when the certificates come, and isn't in use yet.
    static func cipher(of connection: OpaquePointer) -> String? {
        (SSL_get_current_cipher(connection) ?? SSL_get_pending_cipher(connection)).flatMap { SSL_CIPHER_get_name($0) }
            .map { String(cString: $0) }
    }

    static func applicationProtocol(of connection: OpaquePointer) -> String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(connection, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }
}
