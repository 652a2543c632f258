import CLibcrypto

/// A digest by OpenSSL's libcrypto, over bytes as they come.
struct MessageDigest: ~Copyable {
    enum Function: String {
        /// For digest authentication only: clients still ask for it.
        case md5 = "MD5"
        case sha256 = "SHA256"
    }

    private let context = EVP_MD_CTX_new()

    /// The default provider without the machine's configuration, which may forbid MD5 (FIPS).
    private nonisolated(unsafe) static let library = OSSL_LIB_CTX_new()

    init(_ function: Function) {
        let algorithm = EVP_MD_fetch(Self.library, function.rawValue, nil)
        defer { EVP_MD_free(algorithm) }
        check(EVP_DigestInit_ex2(context, algorithm, nil))
    }

    deinit { EVP_MD_CTX_free(context) }

    static func hash(_ bytes: some Sequence<UInt8>, by function: Function) -> [UInt8] {
        var digest = MessageDigest(function)
        digest.update(ArraySlice(bytes))
        return digest.finish()
    }

    mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { check(EVP_DigestUpdate(context, $0.baseAddress, $0.count)) }
    }

    /// The digest of all that was given.
    consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        check(EVP_DigestFinal_ex(context, &digest, &count))
        return Array(digest[..<Int(count)])
    }

    /// These functions fail only for want of memory, or where libcrypto lacks the algorithm.
    private func check(_ result: Int32) {
        precondition(result == 1, "libcrypto can't hash")
    }
}
