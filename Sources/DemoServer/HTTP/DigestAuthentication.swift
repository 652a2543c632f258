import CLibcrypto

/// What a client sends behind `Authorization: Digest` (RFC 7616), and whether it is right.
struct DigestAuthentication {
    static let realm = "turnstone demo"

    private var parameters: [String: String]

    /// In the order in which they are offered: the strongest first.
    enum Algorithm: String, CaseIterable {
        case sha256 = "SHA-256"
        case md5 = "MD5"

        func hash(_ text: String) -> String {
            Hexadecimal.text(MessageDigest.hash(text.utf8, by: self == .md5 ? .md5 : .sha256))
        }
    }

    enum Verdict: Hashable {
        case right
        case wrong(String)
        /// All is right but the nonce, which is old or was used before: the client may try again without asking its user.
        case stale
    }

    /// - Parameter text: `name=value, name="quoted value"`.
    init(parsing text: String) {
        parameters = [:]
        var rest = text[...]
        while let equals = rest.firstIndex(of: "=") {
            let name = String(rest[..<equals]).trimmed.lowercased()
            rest = rest[rest.index(after: equals)...].drop { $0 == " " }
            var value = ""
            if rest.first == "\"" {
                rest.removeFirst()
                while let character = rest.popFirst(), character != "\"" {
                    value.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
                }
            } else {
                value = String(rest.prefix { $0 != "," }).trimmed
            }
            parameters[name] = value
            rest = rest.drop { $0 != "," }.dropFirst()
        }
    }

    func verify(
        method: String, target: String, user: String, password: String, algorithms: [Algorithm], memory: ServerMemory
    ) -> Verdict {
        let name = parameters["algorithm"] ?? Algorithm.md5.rawValue
        guard let algorithm = algorithms.first(where: { $0.rawValue.equalsIgnoringCase(name) }) else {
            return .wrong("The algorithm \(name) was not offered.")
        }
        guard parameters["qop"] == "auth", let cnonce = parameters["cnonce"], let countText = parameters["nc"],
            countText.count == 8, let count = Int(countText, radix: 16), let nonce = parameters["nonce"]
        else { return .wrong("A digest needs qop=auth, nonce, cnonce, and nc with eight digits.") }
        guard parameters["uri"] == target else {
            return .wrong("The digest is for another URL: uri is \(parameters["uri"] ?? "absent").")
        }
        guard parameters["username"] == user, parameters["realm"] == Self.realm else {
            return .wrong("Another user, or another realm.")
        }
        let secret = algorithm.hash("\(user):\(Self.realm):\(password)")
        let request = algorithm.hash("\(method):\(target)")
        guard parameters["response"] == algorithm.hash("\(secret):\(nonce):\(countText):\(cnonce):auth:\(request)") else {
            return .wrong("The digest is wrong; most likely the password is.")
        }
        return memory.use(nonce: nonce, count: count) ? .right : .stale
    }
}

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

/// Bytes as small hexadecimal digits.
enum Hexadecimal {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
