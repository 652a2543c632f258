import Base
import NetworkLayer

/// Finds literal secrets in a text that has other things in it, too: an address, a note, a script, a page.
///
///     http://bob:hunter2@h/         ?token=hunter2          {"password": "hunter2"}         <secret>hunter2</secret>
///     Authorization: Bearer abc1234def                      const apiKey = 'hunter2'        set("token", "hunter2")
///
/// A sentence about secrets has none: without quotes and outside an address only what has letters and digits counts.
struct SecretScanner {
    private let bytes: [UInt8]
    private let known: KnownSecrets
    private var finds: [(range: Range<Int>, name: String)] = []

    /// - Parameters:
    ///   - known: secrets that stand elsewhere.
    ///   - replacement: of a secret, by the name that stands beside it.
    /// - Returns: the text with replacements.
    static func replace(in text: String, _ known: KnownSecrets, with replacement: (_ secret: String, _ name: String) -> String)
        -> String
    {
        var scanner = SecretScanner(bytes: Array(text.utf8), known: known)
        scanner.scan()
        guard !scanner.finds.isEmpty else { return text }
        var result = ""
        var position = 0
        func piece(_ range: Range<Int>) -> String { String(decoding: scanner.bytes[range], as: UTF8.self) }
        for find in scanner.finds {
            result += piece(position..<find.range.lowerBound) + replacement(piece(find.range), find.name)
            position = find.range.upperBound
        }
        return result + piece(position..<scanner.bytes.count)
    }

    private init(bytes: [UInt8], known: KnownSecrets) {
        self.bytes = bytes
        self.known = known
    }

    private mutating func scan() {
        for index in bytes.indices {
            if index >= finds.last?.range.upperBound ?? 0, index == 0 || !bytes[index - 1].isWord,
                let end = known.end(of: bytes, at: index)
            {
                add(index..<end, "secret")
            } else if index == 0 || !bytes[index - 1].isWord, let (length, name) = Self.shape(in: bytes, at: index) {
                add(index..<index + length, name)
            }
            switch bytes[index] {
            // Within a secret stands none.
            case _ where index < finds.last?.range.upperBound ?? 0: break
            case UInt8(ascii: ":"):
                if !findUserinfo(after: index) { findValue(after: index) }
            case UInt8(ascii: "="), UInt8(ascii: ","): findValue(after: index)
            case UInt8(ascii: ">"): findElement(after: index)
            case UInt8(ascii: " "): findCredential(after: index)
            default: break
            }
        }
    }

    /// What looks like a template, or is there in place of a secret, is none.
    private mutating func add(_ range: Range<Int>, _ name: String) {
        guard range.lowerBound >= finds.last?.range.upperBound ?? 0, !range.isEmpty else { return }
        let value = bytes[range]
        let isMask = value.count > 2 && Set(value).count == 1
        guard !isMask, !"{<$%[".utf8.contains(value.first!), !value.contains("{{"), !value.elementsEqual("not-copied".utf8)
        else { return }
        finds.append((range, name))
    }

    /// Bytes; what is longer is looked through again and again only so far.
    private static let longest = 4 << 10

    private func end(from start: Int, _ isEnd: (UInt8) -> Bool) -> Int {
        let most = min(bytes.count, start + Self.longest)
        return bytes[min(start, most)..<most].firstIndex(where: isEnd) ?? most
    }

    // MARK: Addresses

    /// The password of `://user:password@`; without a password what looks like a token.
    ///
    /// - Returns: whether an address begins there.
    private mutating func findUserinfo(after colon: Int) -> Bool {
        guard bytes[colon...].starts(with: "://".utf8) else { return false }
        let start = colon + 3
        let end = end(from: start) { " \t\r\n/?#\"'`<>\\".utf8.contains($0) }
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return true }
        if let colon = bytes[start..<at].firstIndex(of: UInt8(ascii: ":")) {
            add(colon + 1..<at, "password")
        } else if isRandom(start..<at) {
            add(start..<at, "credentials")
        }
        return true
    }

    // MARK: Names with values

    private mutating func findValue(after separator: Int) {
        guard let (name, isQuotedName) = name(before: separator) else { return }
        var start = separator + 1
        if start < bytes.count, bytes[start] == UInt8(ascii: ">") { start += 1 }
        let hasBlank = start < bytes.count && bytes[start].isBlank
        while start < bytes.count, bytes[start].isBlank { start += 1 }
        guard start < bytes.count, SecretName.matches(name) else { return }
        // Within a text of a script a quote has a backslash before it.
        let isEscaped = bytes[start] == UInt8(ascii: "\\")
        if isEscaped { start += 1 }
        let isList = bytes[separator] == UInt8(ascii: ",")
        if start < bytes.count, "\"'`".utf8.contains(bytes[start]) {
            guard let end = endOfQuote(at: start, isEscaped: isEscaped) else { return }
            let range = withoutScheme(start + 1..<end)
            let isSentence = bytes[range].count(where: \.isBlank) > 1
            if isList ? isQuotedName && isRandom(range) : !isSentence || isRandom(range) { add(range, name) }
        } else if !isEscaped, !isList {
            let end = end(from: start) { " \t\r\n\"'`&;,<>(){}[]|\\".utf8.contains($0) }
            let isParameter = bytes[separator] == UInt8(ascii: "=") && !hasBlank && isParameter(endingBefore: separator)
            if isParameter || isRandom(start..<end) { add(start..<end, name) }
        }
    }

    /// `?name=`, `&name=`, or the text begins with it.
    private func isParameter(endingBefore separator: Int) -> Bool {
        let start = bytes[..<separator].lastIndex { !$0.isName } ?? -1
        return start < 0 || "?&;".utf8.contains(bytes[start])
    }

    /// The word before a separator, which may have quotes.
    private func name(before separator: Int) -> (String, isQuoted: Bool)? {
        var end = separator
        // `==`, `!==`
        while end > 0, "=!".utf8.contains(bytes[end - 1]) { end -= 1 }
        while end > 0, bytes[end - 1].isBlank { end -= 1 }
        let isQuoted = end > 0 && "\"'`".utf8.contains(bytes[end - 1])
        if isQuoted {
            end -= 1
            if end > 0, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        }
        var start = end
        while start > 0, end - start < 80, bytes[start - 1].isName { start -= 1 }
        return start == end ? nil : (String(decoding: bytes[start..<end], as: UTF8.self), isQuoted)
    }

    private func endOfQuote(at start: Int, isEscaped: Bool) -> Int? {
        var index = start + 1
        while index < bytes.count, index - start < Self.longest, bytes[index] != UInt8(ascii: "\n") {
            if bytes[index] == UInt8(ascii: "\\") {
                if isEscaped, index + 1 < bytes.count, bytes[index + 1] == bytes[start] { return index }
                index += 2
            } else if bytes[index] == bytes[start] {
                return index
            } else {
                index += 1
            }
        }
        return nil
    }

    /// `Bearer x`, in quotes: what says how it is meant stays.
    private func withoutScheme(_ range: Range<Int>) -> Range<Int> {
        guard let blank = bytes[range].firstIndex(of: UInt8(ascii: " ")), isScheme(endingBefore: blank, from: range.lowerBound)
        else {
            return range
        }
        return blank + 1..<range.upperBound
    }

    // MARK: Elements and credentials

    /// `<password>hunter2</password>`
    private mutating func findElement(after close: Int) {
        guard let open = bytes[..<close].suffix(80).lastIndex(of: UInt8(ascii: "<")) else { return }
        let name = bytes[bytes.index(after: open)..<close].prefix { $0.isName || $0 == UInt8(ascii: ":") }
        let local = name.split(separator: UInt8(ascii: ":")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard !local.isEmpty, SecretName.matches(local) else { return }
        let end = end(from: close + 1) { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "\n") }
        if bytes[end...].starts(with: "</".utf8) { add(close + 1..<end, local) }
    }

    /// `Bearer x`, `Basic x`
    private mutating func findCredential(after blank: Int) {
        guard isScheme(endingBefore: blank, from: max(0, blank - 8)) else { return }
        let end = end(from: blank + 1) { !($0.isWord || "-._~+/=".utf8.contains($0)) }
        let range = blank + 1..<end
        let isUser = Data(base64Encoded: Data(bytes[range])).map { $0.contains(UInt8(ascii: ":")) } ?? false
        if isRandom(range) || isUser { add(range, "token") }
    }

    private func isScheme(endingBefore end: Int, from start: Int) -> Bool {
        let word = bytes[start..<end].suffix(7).reversed().prefix { $0.isWord }.reversed()
        return Self.schemes.contains(String(decoding: word, as: UTF8.self).lowercased())
    }

    static let schemes: Set = ["basic", "bearer", "token", "apikey"]

    // MARK: Secrets with a form of their own

    /// How keys and tokens begin that their issuers gave a form to be found by, how many more letters they have at least, and their names.
    private static let shapes: [(start: [UInt8], least: Int, name: String)] = [
        ("AKIA", 12, "access_key"), ("ASIA", 12, "access_key"), ("AIza", 30, "api_key"), ("ghp_", 10, "token"),
        ("gho_", 10, "token"), ("ghu_", 10, "token"), ("ghs_", 10, "token"), ("ghr_", 10, "token"), ("github_pat_", 10, "token"),
        ("glpat-", 10, "token"), ("sk_live_", 8, "secret_key"), ("sk_test_", 8, "secret_key"), ("rk_live_", 8, "secret_key"),
        ("sk-", 20, "secret_key"), ("xoxb-", 10, "token"), ("xoxp-", 10, "token"), ("xoxa-", 10, "token"), ("npm_", 30, "token"),
        ("shpat_", 16, "token"), ("hf_", 20, "token"), ("dop_v1_", 30, "token"),
    ].map { (Array($0.utf8), $1, $2) }

    private static let starts = Set(shapes.compactMap(\.start.first))

    /// Whether a text is such a secret, and nothing else.
    static func isShape(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return shape(in: bytes, at: 0)?.length == bytes.count
    }

    private static func shape(in bytes: [UInt8], at start: Int) -> (length: Int, name: String)? {
        func isPart(_ byte: UInt8) -> Bool { byte < 0x80 && (byte.isName && byte != UInt8(ascii: ".")) }
        let rest = bytes[start...]
        if rest.starts(with: "eyJ".utf8) {
            // A JSON Web Token (RFC 7519): three parts, the first two of which are JSON.
            let token = rest.prefix { isPart($0) || $0 == UInt8(ascii: ".") }
            let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return parts.count >= 3 && parts[0].count > 8 && parts[1].count > 8 ? (token.count, "token") : nil
        }
        guard let first = rest.first, starts.contains(first), let shape = shapes.first(where: { rest.starts(with: $0.start) })
        else { return nil }
        let length = rest.prefix(while: isPart).count
        return length >= shape.start.count + shape.least ? (length, shape.name) : nil
    }

    /// Letters and digits, such as no word of a language has.
    private func isRandom(_ range: Range<Int>) -> Bool {
        let value = bytes[range]
        return value.count >= 7 && value.contains { ($0 | 0x20).isLetter } && value.contains { $0.isDigit }
            && !value.contains { $0.isBlank }
    }
}

/// Secrets that were found somewhere, to be found wherever else they stand.
struct KnownSecrets {
    private var byStart: [[UInt8]: [[UInt8]]] = [:]

    /// Shorter ones, and words of a language, stand everywhere by chance.
    mutating func insert(_ text: String) {
        let bytes = Array(text.utf8)
        let isWord = bytes.allSatisfy { $0.isLetter } || bytes.allSatisfy { $0.isDigit }
        guard bytes.count >= Redactor.shortestSearched, !isWord || bytes.count >= 16 else { return }
        byStart[Array(bytes.prefix(Self.start)), default: []].append(bytes)
    }

    /// The end of a secret that begins here and isn't part of a longer word.
    fileprivate func end(of bytes: [UInt8], at index: Int) -> Int? {
        guard !byStart.isEmpty, index + Self.start <= bytes.count else { return nil }
        return byStart[Array(bytes[index..<index + Self.start])]?.lazy.filter { bytes[index...].starts(with: $0) }
            .map { index + $0.count }.filter { $0 == bytes.count || !bytes[$0].isWord }.max()
    }

    private static let start = 4
}

extension UInt8 {
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self >= 0x80 }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isWord: Bool { isLetter || isDigit }
    fileprivate var isName: Bool { isWord || self == UInt8(ascii: "_") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") }
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension ArraySlice<UInt8> {
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
