public import FoundationEssentials

/// Takes secrets out of what is shown, logged, reported or kept.
///
/// A secret is found as it stands and in every form in which it travels: percent-encoded, form-encoded, escaped in JSON, and in
/// base64, also in the middle of a longer text such as the `user:password` of basic authentication (RFC 7617).
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
    private let patterns: [UInt8: [[UInt8]]]

    /// - Parameter secrets: empty ones are ignored.
    public init(_ secrets: some Sequence<String> = EmptyCollection()) {
        self.secrets = Set(secrets.lazy.filter { !$0.isEmpty })
        var forms: Set<[UInt8]> = []
        for secret in self.secrets { SecretForms(secret).add(to: &forms) }
        // Among equally long ones any order would do, but two redactors of the same secrets are equal.
        patterns = Dictionary(grouping: forms) { $0[0] }.mapValues { forms in
            forms.sorted { $0.count != $1.count ? $0.count > $1.count : $0.lexicographicallyPrecedes($1) }
        }
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
                let found = candidates.first(where: { bytes[position...].starts(with: $0) })
            else {
                position += 1
                continue
            }
            result += bytes[copied..<position]
            result += Array(Self.mask.utf8)
            position += found.count
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

/// The forms in which a secret may travel.
private struct SecretForms {
    let secret: String
    let bytes: [UInt8]

    init(_ secret: String) {
        self.secret = secret
        bytes = Array(secret.utf8)
    }

    func add(to forms: inout Set<[UInt8]>) {
        forms.insert(bytes)
        for uppercase in [true, false] {
            let percent = percentEncoded(uppercase: uppercase)
            forms.insert(percent)
            // `application/x-www-form-urlencoded` writes a space as a plus, and a tilde in hexadecimal.
            forms.insert(Array(String(decoding: percent, as: UTF8.self).replacing("%20", with: "+").utf8))
            let tilde = uppercase ? "%7E" : "%7e"
            forms.insert(
                Array(String(decoding: percent, as: UTF8.self).replacing("%20", with: "+").replacing("~", with: tilde).utf8))
        }
        forms.insert(jsonEscaped(escapesSlash: false))
        forms.insert(jsonEscaped(escapesSlash: true))
        addBase64(to: &forms)
    }

    private func percentEncoded(uppercase: Bool) -> [UInt8] {
        let digits = Array((uppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
        return bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }

    private func jsonEscaped(escapesSlash: Bool) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\""): Array("\\\"".utf8)
            case UInt8(ascii: "\\"): Array("\\\\".utf8)
            case UInt8(ascii: "/") where escapesSlash: Array("\\/".utf8)
            case 0x0A: Array("\\n".utf8)
            case 0x0D: Array("\\r".utf8)
            case 0x09: Array("\\t".utf8)
            default: [byte]
            }
        }
    }

    /// Base64 writes three bytes as four letters, so a text in the middle of another has one of three forms. The letters that
    /// also depend on its neighbours are left out, and what is left must be long enough to mean something.
    private func addBase64(to forms: inout Set<[UInt8]>) {
        for offset in 0..<3 {
            let encoded = Array(Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString().utf8)
            let start = [0, 2, 3][offset]
            let end = (offset + bytes.count) * 8 / 6
            if end - start >= Self.shortestBase64 { add(base64: encoded[start..<end], to: &forms) }
            guard offset == 0 else { continue }
            add(base64: encoded[...], to: &forms)
            add(base64: encoded.prefix { $0 != UInt8(ascii: "=") }, to: &forms)
        }
    }

    /// Also in the letters that are safe in URLs (RFC 4648, section 5).
    private func add(base64: ArraySlice<UInt8>, to forms: inout Set<[UInt8]>) {
        forms.insert(Array(base64))
        forms.insert(
            base64.map { byte in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: byte
                }
            })
    }

    /// Fewer letters are found by chance in every long base64 text.
    private static let shortestBase64 = 5
}
