/// Takes secrets out of what is shown, logged, reported or kept.
///
/// A secret is found as it stands and in every form in which it travels: percent-encoded as a whole or in part, form-encoded, escaped
/// in JSON or XML, in hexadecimal, and in base64, also in the middle of a longer text such as the `user:password` of basic
/// authentication (RFC 7617).
///
///     Redactor(["p4ss word"]).text("GET /?q=p4ss%20word")     GET /?q=••••••
///     Redactor(["p4ss word"]).text("Basic bWU6cDRzcyB3b3Jk")  Basic bW••••••
///
/// One that is shorter than ``shortestSearched`` bytes stands in half of all words by chance. It is masked only where it is the whole of
/// a value: a whole text, what stands between the quotes of JSON, behind the `=` of a query, form or cookie, behind a field's name.
///
///     Redactor(["no"]).text(#"{"answer": "no", "note": "nothing"}"#)    {"answer": "••••••", "note": "nothing"}
///
/// So this is a net. What we send we know better: ``Request/secrets`` says where in it they stand, however short they are.
///
/// Making one costs a few microseconds a secret; a text is gone through once, whatever the number of secrets.
public struct Redactor: Sendable, Hashable {
    /// What stands in place of a secret, whatever its length.
    public static let mask = "••••••"

    /// Bytes that a secret has to have to be searched for in the middle of a text.
    public static let shortestSearched = 6

    /// The secrets as they are, without the forms made of them.
    public var secrets: Set<String> { Set(exact.lazy.map(\.wrappedValue)) }
    private let exact: Set<ExactText>
    /// By first byte, the longest first, so that a secret that begins another doesn't hide it.
    private let patterns: [UInt8: [SecretPattern]]
    /// Whether a pattern begins with a byte, for each of the 256: most of a text is passed over by that. Empty without secrets.
    private let begins: [Bool]
    /// The patterns that are too short to be searched for.
    private let short: [SecretPattern]
    /// `nil` without secrets, and in one of them.
    let written: WrittenSecrets?

    /// - Parameter secrets: empty ones are ignored.
    @inlinable
    public init(_ secrets: some Sequence<String> = EmptyCollection()) {
        self.init(of: Array(secrets))
    }

    /// Not generic, because a redactor is made for each request and each answer, nearly always without a secret.
    @usableFromInline
    init(of secrets: [String]) {
        self.init(exact: Set(secrets.lazy.filter { !$0.isEmpty }.map { ExactText($0) }))
    }

    private init(exact: Set<ExactText>) {
        self.exact = exact
        guard !exact.isEmpty else {
            (patterns, short, begins, written) = ([:], [], [], nil)
            return
        }
        var patterns: Set<SecretPattern> = []
        let secrets = exact.map(\.wrappedValue)
        for secret in secrets where secret.utf8.count >= Self.shortestSearched { SecretForms(secret).add(to: &patterns) }
        self.short = secrets.filter { $0.utf8.count < Self.shortestSearched }.map { .coded($0) }.sorted(
            by: SecretPattern.isTriedBefore)
        var byFirst: [UInt8: [SecretPattern]] = [:]
        // Among equally long ones any order would do, but two redactors of the same secrets mask alike.
        for pattern in patterns.sorted(by: SecretPattern.isTriedBefore) {
            for byte in pattern.firstBytes { byFirst[byte, default: []].append(pattern) }
        }
        self.patterns = byFirst
        written = WrittenSecrets()
        begins = Self.begins(byFirst)
    }

    private static func begins(_ patterns: [UInt8: [SecretPattern]]) -> [Bool] {
        var begins = [Bool](repeating: false, count: 256)
        for byte in patterns.keys { begins[Int(byte)] = true }
        return begins
    }

    /// All else is made of the secrets.
    public static func == (left: Redactor, right: Redactor) -> Bool { left.exact == right.exact }

    public func hash(into hasher: inout Hasher) { hasher.combine(exact) }

    /// Whether there is nothing to take out.
    public var isEmpty: Bool { exact.isEmpty }

    /// The text with ``mask`` in place of each secret, in the forms that URLs, JSON, HTML and base64 give it as well.
    public func text(_ text: String) -> String {
        guard !isEmpty, let redacted = redacted(Array(text.utf8)) else { return text }
        return String(decoding: redacted, as: UTF8.self)
    }

    /// A text of ours with a value at its end: `to contain no`.
    package func phrase(_ text: String) -> String {
        let redacted = self.text(text)
        let value = secrets.filter { $0.utf8.count < Self.shortestSearched && redacted.hasSuffix(" \($0)") }.max {
            $0.count < $1.count
        }
        return value.map { redacted.dropLast($0.count) + Self.mask } ?? redacted
    }

    /// Whether a secret is in the text, in any form.
    public func finds(in text: String) -> Bool { !isEmpty && redacted(Array(text.utf8)) != nil }

    /// A redactor for the secrets of both.
    public func union(_ other: Redactor) -> Redactor {
        if other.exact.isSubset(of: exact) { return self }
        return isEmpty ? other : Redactor(exact: exact.union(other.exact))
    }

    /// `nil` when nothing was found, which is nearly always.
    func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        let places = places(in: bytes)
        return places.isEmpty ? nil : SecretPlace.replaced(places.map { ($0.range, $0.mask.bytes) }, in: bytes)
    }

    /// Where secrets stand, in ascending order.
    func places(in bytes: [UInt8]) -> [SecretPlace] { SecretPlace.settled(found(in: bytes), in: bytes.count) }

    /// What is found, before it is settled; what begins within another place only if it ends behind it.
    func found(in bytes: [UInt8]) -> [SecretPlace] {
        var places: [SecretPlace] = []
        var end = 0
        let mayBeShort = !short.isEmpty
        for position in bytes.indices {
            guard mayBeShort || begins[Int(bytes[position])] else { continue }
            let found = patterns[bytes[position]]?.lazy.compactMap { pattern in
                pattern.length(in: bytes, at: position).map { (length: $0, mask: pattern.mask) }
            }.first
            guard let found = found ?? wholeValue(in: bytes, at: position).map({ (length: $0, mask: SecretMask.utf8) }),
                position + found.length > end
            else { continue }
            end = position + found.length
            places.append(SecretPlace(range: position..<end, mask: found.mask))
        }
        return places
    }

    /// This one, which also finds what is written in other encodings.
    ///
    /// - Parameters:
    ///   - added: to be searched for.
    ///   - short: to be masked where they are the whole of a value.
    func adding(_ added: Set<SecretPattern>, short: [SecretPattern]) -> Redactor {
        guard !added.isEmpty || !short.isEmpty else { return self }
        var byFirst = patterns
        for pattern in added {
            for byte in pattern.firstBytes { byFirst[byte, default: []].append(pattern) }
        }
        for byte in Set(added.flatMap(\.firstBytes)) { byFirst[byte]?.sort(by: SecretPattern.isTriedBefore) }
        return Redactor(exact: exact, patterns: byFirst, short: (self.short + short).sorted(by: SecretPattern.isTriedBefore))
    }

    private init(exact: Set<ExactText>, patterns: [UInt8: [SecretPattern]], short: [SecretPattern]) {
        self.exact = exact
        self.patterns = patterns
        self.short = short
        written = nil
        begins = Self.begins(patterns)
    }
}

/// Where a value begins and ends.
extension Redactor {
    /// - Returns: how many bytes a short secret has there, when it is the whole of a value.
    private func wholeValue(in bytes: [UInt8], at position: Int) -> Int? {
        guard !short.isEmpty, let isEnd = Self.end(ofValueIn: bytes, at: position) else { return nil }
        return short.lazy.compactMap { $0.length(in: bytes, at: position) }.first { isEnd(bytes[(position + $0)...]) }
    }

    /// What stands behind a value that begins here; `nil` where none begins.
    private static func end(ofValueIn bytes: [UInt8], at position: Int) -> ((ArraySlice<UInt8>) -> Bool)? {
        func any(of ends: String) -> (ArraySlice<UInt8>) -> Bool { { $0.first.map(ends.utf8.contains) ?? true } }
        guard position > 0 else { return \.isEmpty }
        let before = position > 1 ? bytes[position - 2] : nil
        switch bytes[position - 1] {
        case UInt8(ascii: "\""):
            // Inside a string of JSON the quotes have a backslash each.
            let quote = before == UInt8(ascii: "\\") ? "\\\"" : "\""
            return { $0.starts(with: quote.utf8) }
        case UInt8(ascii: "="): return any(of: "&;#\"'\r\n ,")
        // `name: value` in a head.
        case UInt8(ascii: " ") where before == UInt8(ascii: ":") || isBehindScheme(bytes, position): return any(of: "\r\n")
        default: return nil
        }
    }

    /// `Bearer`, and a blank.
    private static func isBehindScheme(_ bytes: [UInt8], _ position: Int) -> Bool {
        ["bearer ", "basic ", "token "].contains { scheme in
            position >= scheme.utf8.count
                && zip(bytes[(position - scheme.utf8.count)...], scheme.utf8).allSatisfy { $0 | 0x20 == $1 }
        }
    }
}

extension Redactor: CustomStringConvertible, CustomReflectable {
    /// How many secrets, and never which: a value that is printed by mistake must not tell.
    public var description: String { "Redactor(\(exact.count) secrets)" }

    public var customMirror: Mirror { Mirror(self, children: ["secrets": exact.count]) }
}
