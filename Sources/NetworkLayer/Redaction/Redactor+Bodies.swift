public import Base
import Synchronization

/// The secrets of a body, in whatever encoding it is.
///
/// The secrets are written in the body's encodings, and are looked for in its bytes, so that all else stays as it came, to the byte. Only
/// UTF-16 and ISO-2022-JP, whose bytes of ASCII mean other things, are read in another form, by code of ours. At the end a body in an
/// encoding of several bytes a character is decoded once, to see that no secret is left in it.
///
/// What is said about the encoding never lessens what is found: the forms in UTF-8, ISO 8859-1 and UTF-16 are looked for in every body,
/// also in the middle of what would be a character.
extension Redactor {
    /// The mask in place of each secret; the length changes. It is ``mask`` in UTF-8 and UTF-16, and six asterisks in any other encoding,
    /// which are the same in all of them, so that they can be read even when the body lies about its encoding. A sentence takes the place
    /// of the whole body when a secret is left in the decoded text, or when the body names more than eight encodings.
    ///
    /// - Parameters:
    ///   - data: the whole of a body, or a part that begins where the body does.
    ///   - contentType: the value of its `Content-Type`, which names the encoding.
    public func bytes(_ data: Data, contentType: String? = nil) -> Data {
        guard !isEmpty else { return data }
        let bytes = Array(data)
        return masked(data, bytes, BodyCharsets(bytes, contentType: contentType))
    }

    /// What a program made of a body: it may still be in one of the encodings that the body names.
    package func bytes(_ data: Data, madeOf body: Data?, contentType: String?) -> Data {
        guard !isEmpty else { return data }
        let bytes = Array(data)
        let charsets = BodyCharsets(bytes, contentType: contentType)
        return masked(data, bytes, body.map { charsets.adding(Array($0), contentType: contentType) } ?? charsets)
    }

    /// A body as it may be shown: also without what is secret by its name.
    package func bytes(_ data: Data, contentType: String?, hiding redaction: Redaction) -> Data {
        bytes(redaction.bytes(data, type: contentType), contentType: contentType)
    }

    private func masked(_ data: Data, _ bytes: [UInt8], _ charsets: BodyCharsets) -> Data {
        guard !charsets.isEmpty else { return redacted(bytes).map { Data($0) } ?? data }
        // So many encodings are named to hide something.
        if charsets.names.count > BodyCharsets.most, secrets.contains(where: { $0.utf8.contains { $0 > 0x7F } }) {
            return Self.hiddenBody
        }
        let places = replacements(in: bytes, charsets)
        let masked = places.isEmpty ? data : Data(SecretPlace.replaced(places, in: bytes))
        // A converter passes over bytes that mean nothing, and those may stand amid a secret. Nobody knows then where to put a mask.
        guard let name = charsets.named, !WebEncodings.isOneByteEach(name), let text = CharsetDecoder.utf8(masked, in: name),
            redacted(Array(text)) != nil
        else { return masked }
        return Self.hiddenBody
    }

    /// In place of a whole body, in letters that every encoding has.
    static let hiddenBody = Data("****** The whole body is hidden: its encoding doesn't tell where its secrets are.".utf8)

    /// A body that is in memory; one in a file stays as it came.
    public func body(_ body: ResponseBody, contentType: String? = nil) -> ResponseBody {
        guard case .data(let data) = body else { return body }
        return .data(bytes(data, contentType: contentType))
    }

    private func replacements(in bytes: [UInt8], _ charsets: BodyCharsets) -> [(range: Range<Int>, mask: [UInt8])] {
        var found = writing(in: charsets.names).found(in: bytes)
        if !charsets.names.isEmpty {
            for index in found.indices where found[index].mask == .utf8 { found[index].mask = .ascii }
        }
        for text in charsets.utf16.sorted(by: UTF16Text.isReadBefore) {
            let ranges = places(in: text.utf8(bytes)).map(\.range)
            guard !ranges.isEmpty else { continue }
            let mask = SecretMask.utf16(isLittleEndian: text.isLittleEndian)
            found += text.sources(of: ranges, in: bytes).map { SecretPlace(range: $0, mask: mask) }
        }
        var escaped: ISO2022JPText?
        if charsets.names.contains(BodyCharsets.iso2022JP), bytes.contains(0x1B) {
            let text = ISO2022JPText(bytes)
            let ranges = writing(in: ["euc-jp-ms", "euc-jp"]).places(in: text.eucJP).map(\.range)
            found += text.sources(of: ranges).map { SecretPlace(range: $0, mask: .ascii) }
            escaped = text
        }
        var places = SecretPlace.settled(found, in: bytes.count)
        if escaped == nil, let width = charsets.named.flatMap(CharacterWidth.init) {
            places = SecretPlace.widened(places, to: width, in: bytes)
        }
        let masked = places.map { (range: $0.range, mask: $0.mask.bytes) }
        return escaped?.replacements(of: masked) ?? masked
    }

    /// This one, which also finds the secrets in other encodings.
    ///
    /// - Parameter names: the system's.
    private func writing(in names: [String]) -> Redactor {
        guard !names.isEmpty, let written else { return self }
        if let known = written.made.withLock({ $0[names] }) { return known }
        let redactor = made(writing: names)
        // Nothing is written otherwise there. It isn't kept in itself.
        guard redactor.written == nil else { return self }
        written.made.withLock { made in
            if made.count == WrittenSecrets.most { made = [:] }
            made[names] = redactor
        }
        return redactor
    }

    private func made(writing names: [String]) -> Redactor {
        var patterns: Set<SecretPattern> = []
        var short: [SecretPattern] = []
        // ASCII is the same in all of them.
        let secrets = secrets.filter { $0.utf8.contains { $0 > 0x7F } }
        guard !secrets.isEmpty else { return self }
        for name in names {
            guard let encoder = CharsetEncoder(name) else { continue }
            for secret in secrets {
                let isShort = secret.utf8.count < Self.shortestSearched
                let whole = encoder.bytes(of: secret)
                // Fewer bytes would be found by chance in every base64 text.
                if let whole, whole.count >= Self.shortestSearched { SecretForms(bytes: whole).addCodes(to: &patterns) }
                let pieces =
                    name == BodyCharsets.iso2022JP
                    ? whole.map { [WrittenPiece(scalars: [], forms: [$0])] } ?? []
                    : WrittenPiece.pieces(of: secret, by: encoder, variants: CharsetVariants.variants(in: name))
                guard pieces.contains(where: { !$0.forms.isEmpty }) else { continue }
                let pattern = SecretPattern.coded(pieces, .ascii)
                if isShort { short.append(pattern) } else { patterns.insert(pattern) }
            }
        }
        return adding(patterns, short: short)
    }
}

/// The redactors that also find the secrets of one in other encodings, by the names of these. A body that arrives is looked at many times.
final class WrittenSecrets: Sendable {
    let made = Mutex<[[String]: Redactor]>([:])

    /// A server chooses what it names.
    static let most = 8
}

/// A part of a secret, in the letters of an encoding.
struct WrittenPiece: Hashable, Sendable {
    /// Its characters, which may also be escaped; none when it is all that is known of the secret.
    var scalars: [Unicode.Scalar]
    /// The bytes that stand for it, each of which may be percent-encoded; none for ASCII, and what the encoding can't write.
    var forms: [[UInt8]]

    /// The bytes of which it is found most often.
    var bytes: [UInt8] { forms.first ?? scalars.flatMap { Array(UTF8.encode($0)!) } }

    /// A secret, character by character.
    static func pieces(of secret: String, by encoder: CharsetEncoder, variants: [Unicode.Scalar: [[UInt8]]]) -> [WrittenPiece] {
        var pieces: [WrittenPiece] = []
        for scalar in secret.unicodeScalars {
            if scalar.isASCII {
                // Together, since backslashes in a row are escaped together.
                if pieces.last?.forms.isEmpty == true {
                    pieces[pieces.count - 1].scalars.append(scalar)
                } else {
                    pieces.append(WrittenPiece(scalars: [scalar], forms: []))
                }
                continue
            }
            let written = encoder.bytes(of: String(scalar)).map { [$0] } ?? []
            let others = (variants[scalar] ?? []).filter { !written.contains($0) }
            pieces.append(WrittenPiece(scalars: [scalar], forms: written + others))
        }
        return pieces
    }
}
