package import Base

/// Takes secrets out of what is shown, logged, reported or kept.
///
/// A secret is found as it stands and in the forms in which it travels: percent-encoded as a whole or in part, form-encoded, escaped in JSON
/// or XML, in hexadecimal, and in base64, also in the middle of a longer text such as the `user:password` of basic authentication (RFC 7617).
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
package struct Redactor: Sendable, Hashable {
    /// What stands in place of a secret, whatever its length.
    package static let mask = "••••••"

    /// Bytes that a secret has to have to be searched for in the middle of a text.
    package static let shortestSearched = 6

    /// The secrets as they are, without the forms made of them.
    package var secrets: Set<String> { Set(exact.lazy.map(\.wrappedValue)) }
    private let exact: Set<ExactText>
    /// The forms to search for. Empty without secrets.
    private let forms: SecretForms
    /// Secrets that are too short to be searched for.
    private let short: [[UInt8]]

    /// - Parameter secrets: empty ones are ignored.
    @inlinable
    package init(_ secrets: some Sequence<String> = EmptyCollection()) {
        self.init(of: Array(secrets))
    }

    /// Not generic, because a redactor is made for each request and each answer, nearly always without a secret.
    @usableFromInline
    init(of secrets: [String]) {
        self.init(exact: Set(secrets.lazy.filter { !$0.isEmpty }.map { ExactText($0) }))
    }

    private init(exact: Set<ExactText>) {
        self.exact = exact
        let secrets = exact.map { Array($0.wrappedValue.utf8) }
        forms = SecretForms(secrets.filter { $0.count >= Self.shortestSearched })
        short = secrets.filter { $0.count < Self.shortestSearched }.sorted { $0.count > $1.count }
    }

    /// All else is made of the secrets.
    package static func == (left: Redactor, right: Redactor) -> Bool { left.exact == right.exact }

    package func hash(into hasher: inout Hasher) { hasher.combine(exact) }

    package var isEmpty: Bool { exact.isEmpty }

    /// The text with ``mask`` in place of each secret, in the forms that URLs, JSON, XML and base64 give it as well.
    package func text(_ text: String) -> String {
        guard !isEmpty, let redacted = redacted(Array(text.utf8)) else { return text }
        return String(decoding: redacted, as: UTF8.self)
    }

    /// A text of ours with a value at its end: `to contain no`.
    package func phrase(_ text: String) -> String {
        let redacted = self.text(text)
        let value = short.first { redacted.utf8.count > $0.count && redacted.utf8.reversed().starts(with: $0.reversed() + [0x20]) }
        return value.map { String(decoding: redacted.utf8.dropLast($0.count), as: UTF8.self) + Self.mask } ?? redacted
    }

    /// Whether a secret is in the text, in any form.
    package func finds(in text: String) -> Bool { !isEmpty && redacted(Array(text.utf8)) != nil }

    /// A redactor for the secrets of both.
    package func union(_ other: Redactor) -> Redactor {
        if other.exact.isSubset(of: exact) { return self }
        return isEmpty ? other : Redactor(exact: exact.union(other.exact))
    }

    /// A body with ``mask`` in place of each secret. One in another encoding than UTF-8 becomes UTF-8 with a byte order mark when a secret
    /// is found in it.
    ///
    /// - Parameters:
    ///   - data: the whole of a body, or a part that begins where the body does.
    ///   - contentType: the value of its `Content-Type`, which names the encoding.
    package func bytes(_ data: Data, contentType: String? = nil) -> Data {
        guard !isEmpty else { return data }
        if let text = CharsetDecoder.utf8(data, contentType: contentType), let masked = redacted(Array(text)) {
            return CharsetDecoder.marked(masked)
        }
        return redacted(Array(data)).map { Data($0) } ?? data
    }

    /// A body as it may be shown: also without what is secret by its name.
    package func bytes(_ data: Data, contentType: String?, hiding redaction: Redaction) -> Data {
        bytes(redaction.bytes(data, type: contentType), contentType: contentType)
    }

    /// A body that is in memory; one in a file stays as it came.
    package func body(_ body: ResponseBody, contentType: String? = nil) -> ResponseBody {
        guard case .data(let data) = body else { return body }
        return .data(bytes(data, contentType: contentType))
    }

    /// `nil` when nothing was found, which is nearly always.
    private func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        let places: [Range<Int>] = bytes.withUnsafeBufferPointer { self.places(in: $0) }
        guard !places.isEmpty else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var copied = 0
        for place in places {
            result += bytes[copied..<place.lowerBound]
            result += Self.mask.utf8
            copied = place.upperBound
        }
        return result + bytes[copied...]
    }

    /// Where secrets stand, in ascending order; those that have a byte in common as one.
    private func places(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var places: [Range<Int>] = []
        for position in text.indices where !short.isEmpty || forms.mayBegin(with: text[position]) {
            guard let length = forms.length(in: text, at: position) ?? wholeValue(in: text, at: position) else { continue }
            if let last = places.last, position < last.upperBound {
                places[places.count - 1] = last.lowerBound..<max(last.upperBound, position + length)
            } else {
                places.append(position..<position + length)
            }
        }
        return places
    }
}

/// Where a value begins and ends.
extension Redactor {
    /// - Returns: how many bytes a short secret has there, when it is the whole of a value.
    private func wholeValue(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
        guard !short.isEmpty, let ends = Self.ends(ofValueIn: text, at: position) else { return nil }
        return short.lazy.compactMap { SecretForms.length(of: $0, in: text, at: position) }.first { length in
            let end = position + length
            if ends == "\\\"" { return text[end...].starts(with: ends.utf8) }
            return end == text.count ? ends != "\"" : ends.utf8.contains(text[end])
        }
    }

    /// The bytes of which any ends a value that begins here; an escaped quote is both of its bytes. `nil` where none begins.
    private static func ends(ofValueIn text: UnsafeBufferPointer<UInt8>, at position: Int) -> String? {
        guard position > 0 else { return "" }
        switch text[position - 1] {
        case UInt8(ascii: "\""): return position > 1 && text[position - 2] == UInt8(ascii: "\\") ? "\\\"" : "\""
        case UInt8(ascii: "="): return "&;#\"'\r\n ,"
        // A part of a path.
        case UInt8(ascii: "/"): return "/?#\"'\r\n "
        // `name: value` in a head.
        case UInt8(ascii: " ") where isBehindName(text, position): return "\r\n"
        default: return nil
        }
    }

    /// `name: `, or the scheme of a credential.
    private static func isBehindName(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Bool {
        if position > 1, text[position - 2] == UInt8(ascii: ":") { return true }
        return ["bearer ", "basic ", "token "].contains { scheme in
            position >= scheme.utf8.count
                && zip(text[(position - scheme.utf8.count)...], scheme.utf8).allSatisfy { $0 | 0x20 == $1 }
        }
    }
}

extension Redactor: CustomStringConvertible, CustomReflectable {
    /// How many secrets, and never which: a value that is printed by mistake must not tell.
    package var description: String { "Redactor(\(exact.count) secrets)" }

    package var customMirror: Mirror { Mirror(self, children: ["secrets": exact.count]) }
}
