public import FoundationEssentials

/// Takes secrets out of what is shown, logged, reported or kept.
///
/// A secret is found as it stands and in every form in which it travels: percent-encoded as a whole or in part, form-encoded, escaped
/// in JSON, and in base64, also in the middle of a longer text such as the `user:password` of basic authentication (RFC 7617).
///
///     Redactor(["p4ss word"]).text("GET /?q=p4ss%20word")     GET /?q=••••••
///     Redactor(["p4ss word"]).text("Basic bWU6cDRzcyB3b3Jk")  Basic bW••••••
///
/// Making one costs a few microseconds a secret; a text is gone through once, whatever the number of secrets.
public struct Redactor: Sendable, Hashable {
    /// What stands in place of a secret, whatever its length.
    public static let mask = "••••••"

    /// The secrets as they are, without the forms made of them.
    public let secrets: Set<String>
    /// By first byte, the longest first, so that a secret that begins another doesn't hide it.
    private let patterns: [UInt8: [SecretPattern]]

    /// - Parameter secrets: empty ones are ignored.
    public init(_ secrets: some Sequence<String> = EmptyCollection()) {
        self.secrets = Set(secrets.lazy.filter { !$0.isEmpty })
        var patterns: Set<SecretPattern> = []
        for secret in self.secrets { SecretForms(secret).add(to: &patterns) }
        var byFirst: [UInt8: [SecretPattern]] = [:]
        // Among equally long ones any order would do, but two redactors of the same secrets are equal.
        for pattern in patterns.sorted(by: SecretPattern.isTriedBefore) {
            for byte in pattern.firstBytes { byFirst[byte, default: []].append(pattern) }
        }
        self.patterns = byFirst
    }

    /// Whether there is nothing to take out.
    public var isEmpty: Bool { patterns.isEmpty }

    public func text(_ text: String) -> String {
        guard !isEmpty, let redacted = redacted(Array(text.utf8)) else { return text }
        return String(decoding: redacted, as: UTF8.self)
    }

    /// The mask in UTF-8 in place of each secret; the length changes.
    public func bytes(_ data: Data) -> Data {
        guard !isEmpty, let redacted = redacted(Array(data)) else { return data }
        return Data(redacted)
    }

    /// Whether a secret is in the text, in any form.
    public func finds(in text: String) -> Bool { !isEmpty && redacted(Array(text.utf8)) != nil }

    /// With the secrets of both.
    public func union(_ other: Redactor) -> Redactor {
        if other.isEmpty { return self }
        return isEmpty ? other : Redactor(secrets.union(other.secrets))
    }

    /// `nil` when nothing was found, which is nearly always.
    private func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var copied = 0
        var position = 0
        while position < bytes.count {
            guard let candidates = patterns[bytes[position]],
                let length = candidates.lazy.compactMap({ $0.length(in: bytes, at: position) }).first
            else {
                position += 1
                continue
            }
            result += bytes[copied..<position]
            result += Array(Self.mask.utf8)
            position += length
            copied = position
        }
        guard copied > 0 else { return nil }
        return result + bytes[copied...]
    }
}

extension Redactor: CustomStringConvertible, CustomReflectable {
    /// How many secrets, and never which: a value that is printed by mistake must not tell.
    public var description: String { "Redactor(\(secrets.count) secrets)" }

    public var customMirror: Mirror { Mirror(self, children: ["secrets": secrets.count]) }
}
