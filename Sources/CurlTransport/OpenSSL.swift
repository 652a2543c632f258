import Base
import CCurl

/// The few functions of OpenSSL that show a server's certificates, found in the library that libcurl itself has loaded.
///
/// So neither its headers nor a second copy of it are needed to build. `nil` where libcurl uses another TLS library; then
/// there is no chain to show.
struct OpenSSL {
    typealias Pointer = UnsafeMutableRawPointer
    typealias Verify = @convention(c) (Pointer?, Pointer?) -> Int32

    typealias CertificateWanted = @convention(c) (Pointer?, Pointer?) -> Int32
    /// Direction (1: sent), version, type of content, its bytes, connection, argument.
    typealias Message =
        @convention(c) (Int32, Int32, Int32, UnsafeRawPointer?, Int, Pointer?, Pointer?) -> Void

    private let setVerify: @convention(c) (Pointer?, Verify?, Pointer?) -> Void
    private let setCertificateWanted: @convention(c) (Pointer?, CertificateWanted?, Pointer?) -> Void
    private let setMessage: @convention(c) (Pointer?, Message?) -> Void
    private let control: @convention(c) (Pointer?, Int32, Int, Pointer?) -> Int
    private let authorities: @convention(c) (Pointer?) -> Pointer?
    private let encodeName: @convention(c) (Pointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    private let verifyCertificate: @convention(c) (Pointer?) -> Int32
    private let error: @convention(c) (Pointer?) -> Int32
    private let setError: @convention(c) (Pointer?, Int32) -> Void
    private let errorString: @convention(c) (Int) -> UnsafePointer<CChar>?
    private let parameters: @convention(c) (Pointer?) -> Pointer?
    private let setHost: @convention(c) (Pointer?, UnsafePointer<CChar>?, Int) -> Int32
    private let setAddress: @convention(c) (Pointer?, UnsafePointer<CChar>?) -> Int32
    private let untrusted: @convention(c) (Pointer?) -> Pointer?
    private let storeData: @convention(c) (Pointer?, Int32) -> Pointer?
    private let storeIndex: @convention(c) () -> Int32
    private let stackCount: @convention(c) (Pointer?) -> Int32
    private let stackValue: @convention(c) (Pointer?, Int32) -> Pointer?
    private let encode: @convention(c) (Pointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    private let digest: @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?) -> UnsafeMutablePointer<UInt8>?
    private let context: @convention(c) (Pointer?) -> Pointer?
    private let version: @convention(c) (Pointer?) -> UnsafePointer<CChar>?
    private let cipher: @convention(c) (Pointer?) -> Pointer?
    private let pendingCipher: @convention(c) (Pointer?) -> Pointer?
    private let cipherName: @convention(c) (Pointer?) -> UnsafePointer<CChar>?
    private let pendingBytes: @convention(c) (Pointer?) -> Int32
    private let selectedProtocol:
        @convention(c) (Pointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt32>?) -> Void

    static let shared = OpenSSL()

    private init?() {
        guard let name = turnstone_curl_tls_library(), String(cString: name).hasPrefix("OpenSSL") else { return nil }
        do throws(Missing) {
            setVerify = try Self.find("SSL_CTX_set_cert_verify_callback")
            setCertificateWanted = try Self.find("SSL_CTX_set_cert_cb")
            setMessage = try Self.find("SSL_CTX_set_msg_callback")
            control = try Self.find("SSL_CTX_ctrl")
            authorities = try Self.find("SSL_get0_peer_CA_list")
            encodeName = try Self.find("i2d_X509_NAME")
            verifyCertificate = try Self.find("X509_verify_cert")
            error = try Self.find("X509_STORE_CTX_get_error")
            setError = try Self.find("X509_STORE_CTX_set_error")
            errorString = try Self.find("X509_verify_cert_error_string")
            parameters = try Self.find("X509_STORE_CTX_get0_param")
            setHost = try Self.find("X509_VERIFY_PARAM_set1_host")
            setAddress = try Self.find("X509_VERIFY_PARAM_set1_ip_asc")
            untrusted = try Self.find("X509_STORE_CTX_get0_untrusted")
            storeData = try Self.find("X509_STORE_CTX_get_ex_data")
            storeIndex = try Self.find("SSL_get_ex_data_X509_STORE_CTX_idx")
            stackCount = try Self.find("OPENSSL_sk_num")
            stackValue = try Self.find("OPENSSL_sk_value")
            encode = try Self.find("i2d_X509")
            digest = try Self.find("SHA256")
            context = try Self.find("SSL_get_SSL_CTX")
            version = try Self.find("SSL_get_version")
            cipher = try Self.find("SSL_get_current_cipher")
            pendingCipher = try Self.find("SSL_get_pending_cipher")
            cipherName = try Self.find("SSL_CIPHER_get_name")
            pendingBytes = try Self.find("SSL_pending")
            selectedProtocol = try Self.find("SSL_get0_alpn_selected")
        } catch {
            return nil
        }
    }

    private struct Missing: Error {}

    /// Whatever this program has loaded.
    private static var anyLibrary: UnsafeMutableRawPointer? {
        #if canImport(Darwin)
            RTLD_DEFAULT
        #else
            nil
        #endif
    }

    private static func find<Function>(_ name: String) throws(Missing) -> Function {
        guard let pointer = dlsym(Self.anyLibrary, name) else { throw Missing() }
        return unsafeBitCast(pointer, to: Function.self)
    }

    // MARK: Verification

    /// Has `verify` called in place of OpenSSL's own verification, with `argument` as its second one.
    func setVerification(of context: Pointer, _ verify: @escaping Verify, argument: Pointer) {
        setVerify(context, verify, argument)
    }

    /// Has the verification compare names as well, which is libcurl's part otherwise.
    func expect(_ host: String, in store: Pointer) {
        let parameters = parameters(store)
        // Only an address is taken for one.
        if setAddress(parameters, host) != 1 { _ = setHost(parameters, host, 0) }
    }

    /// OpenSSL's own verification: the number of its first objection, 0 when it has none.
    func verify(_ store: Pointer) -> Int32 {
        let accepted = verifyCertificate(store)
        let number = error(store)
        // 1 stands for "unspecified certificate verification error".
        return accepted > 0 ? 0 : number == 0 ? 1 : number
    }

    /// Takes an objection back: libcurl asks for it after the handshake.
    func accept(_ store: Pointer) {
        setError(store, 0)
    }

    /// `certificate has expired`
    func text(ofVerifyError number: Int32) -> String {
        errorString(Int(number)).map { String(cString: $0) } ?? "error \(number)"
    }

    /// The connection that a verification is for.
    func connection(of store: Pointer) -> Pointer? { storeData(store, storeIndex()) }

    func context(of connection: Pointer) -> Pointer? { context(connection) }

    /// The certificates that the server sent, its own first, each in DER.
    func chain(in store: Pointer) -> [Data] { elements(of: untrusted(store), encode) }

    private func elements(
        of stack: Pointer?,
        _ encode: @convention(c) (Pointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) -> [Data] {
        guard let stack else { return [] }
        return (0..<max(0, stackCount(stack))).compactMap { index in
            guard let element = stackValue(stack, index) else { return nil }
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

    // MARK: Client certificates

    /// Has `wanted` called when the server asks for a certificate of ours, and `message` for everything that TLS says beside data;
    /// both with `argument` as their last one.
    func watch(
        _ context: Pointer, wanted: @escaping CertificateWanted, message: @escaping Message, argument: Pointer
    ) {
        setCertificateWanted(context, wanted, argument)
        setMessage(context, message)
        // SSL_CTRL_SET_MSG_CALLBACK_ARG
        _ = control(context, 16, 0, argument)
    }

    /// The names of the authorities whose certificates the server takes, each in DER.
    func clientAuthorities(of connection: Pointer) -> [Data] { elements(of: authorities(connection), encodeName) }

    func sha256(_ data: Data) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        data.withUnsafeBytes { bytes in
            _ = digest(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &result)
        }
        return result
    }

    // MARK: What was negotiated

    func version(of connection: Pointer) -> String? { version(connection).map { String(cString: $0) } }

    /// Before TLS 1.3 it was agreed upon when the certificates come, and isn't in use yet.
    func cipher(of connection: Pointer) -> String? {
        (cipher(connection) ?? pendingCipher(connection)).flatMap { cipherName($0) }.map { String(cString: $0) }
    }

    /// How many bytes of a record are decrypted, and not yet read.
    func unreadBytes(of connection: Pointer) -> Int { Int(pendingBytes(connection)) }

    func applicationProtocol(of connection: Pointer) -> String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        selectedProtocol(connection, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }
}
