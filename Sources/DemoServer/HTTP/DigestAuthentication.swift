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
