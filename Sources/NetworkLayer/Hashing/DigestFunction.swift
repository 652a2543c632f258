package import Base
internal import CLibcrypto

/// OpenSSL's libcrypto, which libcurl uses as well.
package enum Libcrypto {
    /// To be asked before the process first uses the library: then no handler of exit(3) takes it apart under threads that still run.
    package static let outlivesExit: Void = { _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) }()
}

/// A digest by OpenSSL's libcrypto, and the code that it gives with a key (HMAC, RFC 2104).
package enum DigestFunction: String, Sendable, Hashable, CaseIterable {
    case md5 = "MD5"
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha384 = "SHA384"
    case sha512 = "SHA512"
    /// SHA-512/256 (FIPS 180-4, section 5.3.6.2), which isn't the first half of SHA-512.
    case sha512Truncated256 = "SHA512-256"

    package func hash(_ data: Data) -> [UInt8] {
        var hashing = Hashing(self)
        hashing.update(data)
        return hashing.digest
    }

    package func authenticationCode(for message: Data, key: Data) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count = 0
        // No key at all and an empty key are two things to libcrypto: the pointer is never NULL.
        let bytes = [UInt8](key) + [0]
        let result = message.withUnsafeBytes { message in
            EVP_Q_mac(
                Self.library, "HMAC", nil, rawValue, nil, bytes, key.count, message.bindMemory(to: UInt8.self).baseAddress,
                message.count, &code, code.count, &count)
        }
        precondition(result != nil, "libcrypto has no HMAC with \(rawValue)")
        return Array(code[..<count])
    }

    /// Takes in a message piece by piece. A copy goes its own way.
    package struct Hashing: Sendable {
        private var context: Context

        package init(_ function: DigestFunction) {
            context = Context(function)
        }

        package mutating func update(_ data: Data) {
            if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
            data.withUnsafeBytes { context.update($0) }
        }

        /// The digest of all bytes so far.
        package var digest: [UInt8] { Context(copying: context).finish() }
    }

    /// Owns a context of libcrypto, which ``Hashing`` changes only while nobody shares it.
    private final class Context: @unchecked Sendable {
        private let pointer = EVP_MD_CTX_new()

        init(_ function: DigestFunction) {
            check(EVP_DigestInit_ex2(pointer, function.fetched, nil))
        }

        init(copying other: Context) {
            check(EVP_MD_CTX_copy_ex(pointer, other.pointer))
        }

        deinit { EVP_MD_CTX_free(pointer) }

        func update(_ bytes: UnsafeRawBufferPointer) {
            check(EVP_DigestUpdate(pointer, bytes.baseAddress, bytes.count))
        }

        func finish() -> [UInt8] {
            var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
            var count: UInt32 = 0
            check(EVP_DigestFinal_ex(pointer, &digest, &count))
            return Array(digest[..<Int(count)])
        }

        /// These functions fail only for want of memory.
        private func check(_ result: Int32) {
            precondition(result == 1, "libcrypto can't hash")
        }
    }

    /// The default provider apart from the machine's configuration: where that allows approved algorithms only (FIPS), a server that asks
    /// for MD5 is still answered.
    private nonisolated(unsafe) static let library: OpaquePointer? = {
        Libcrypto.outlivesExit
        return OSSL_LIB_CTX_new()
    }()

    private nonisolated(unsafe) static let all: [DigestFunction: OpaquePointer] = Dictionary(
        uniqueKeysWithValues: allCases.map { function in
            guard let fetched = EVP_MD_fetch(library, function.rawValue, nil) else {
                preconditionFailure("libcrypto has no \(function.rawValue)")
            }
            return (function, fetched)
        })

    private var fetched: OpaquePointer? { Self.all[self] }
}
