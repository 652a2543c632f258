#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The secrets of a body, in whatever encoding it is.
///
/// The secrets are written in the body's encodings, and are looked for in its bytes, so that all else stays as it came, to the byte. Only
/// UTF-16 and ISO-2022-JP, whose bytes of ASCII mean other things, are read in another form, by code of ours. At the end the body is decoded
/// once, to see that no secret is left in it.
///
/// What is said about the encoding never lessens what is found: the forms in UTF-8, ISO 8859-1 and UTF-16 are looked for in every body,
/// also in the middle of what would be a character.
extension Redactor {
    /// The mask in place of each secret; the length changes. It is ``mask`` in UTF-8 and UTF-16, and six asterisks in any other encoding,
    /// which are the same in all of them, so that they can be read even when the body lies about its encoding. They take the place of the
    /// whole body when a secret is left in the decoded text, or when the body names more than eight encodings.
    ///
    /// - Parameters:
    ///   - data: the whole of a body, or a part that begins where the body does.
    ///   - contentType: the value of its `Content-Type`, which names the encoding.
    public func bytes(_ data: Data, contentType: String? = nil) -> Data {
        guard !isEmpty else { return data }
        let bytes = Array(data)
        let charsets = BodyCharsets(bytes, contentType: contentType)
        guard !charsets.isEmpty else { return redacted(bytes).map { Data($0) } ?? data }
        // So many encodings are named to hide something.
        if charsets.names.count > BodyCharsets.most, secrets.contains(where: { $0.utf8.contains { $0 > 0x7F } }) { return Self.all }
        let places = replacements(in: bytes, charsets)
        let masked = places.isEmpty ? data : Data(SecretPlace.replaced(places, in: bytes))
        // A converter passes over bytes that mean nothing, and those may stand amid a secret. Nobody knows then where to put a mask.
        guard let name = charsets.named, let text = CharsetDecoder.utf8(masked, in: name), redacted(Array(text)) != nil else {
            return masked
        }
        return Self.all
    }

    /// In place of a whole body.
    private static let all = Data(SecretMask.ascii.bytes)

    /// A body that is in memory; one in a file stays as it came.
    public func body(_ body: ResponseBody, contentType: String? = nil) -> ResponseBody {
        guard case .data(let data) = body else { return body }
        return .data(bytes(data, contentType: contentType))
    }

    private func replacements(in bytes: [UInt8], _ charsets: BodyCharsets) -> [(range: Range<Int>, mask: [UInt8])] {
        var places = writing(in: charsets.names).places(in: bytes)
        if !charsets.names.isEmpty {
            for index in places.indices where places[index].mask == .utf8 { places[index].mask = .ascii }
        }
        for text in charsets.utf16.sorted(by: UTF16Text.isReadBefore) {
            let found = self.places(in: text.utf8(bytes)).map(\.range)
            guard !found.isEmpty else { continue }
            let mask = SecretMask.utf16(isLittleEndian: text.isLittleEndian)
            let wide = text.sources(of: found, in: bytes).map { SecretPlace(range: $0, mask: mask) }
            places = SecretPlace.joined(places, with: wide)
        }
        guard charsets.names.contains(BodyCharsets.iso2022JP), bytes.contains(0x1B) else {
            places = SecretPlace.merged(places)
            if let width = charsets.width { places = SecretPlace.widened(places, to: width, in: bytes) }
            return places.map { ($0.range, $0.mask.bytes) }
        }
        let text = ISO2022JPText(bytes)
        let found = writing(in: ["euc-jp-ms", "euc-jp"]).places(in: text.eucJP)
        places += found.map { SecretPlace(range: text.source(of: $0.range), mask: .ascii) }
        return SecretPlace.merged(places).map { text.replacement(of: $0.range, by: $0.mask.bytes) }
    }

    /// This one, which also finds the secrets in other encodings.
    ///
    /// - Parameter names: the system's.
    private func writing(in names: [String]) -> Redactor {
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
                if isShort { short.append(.written(pieces)) } else { patterns.insert(.written(pieces)) }
            }
        }
        return adding(patterns, short: short)
    }
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
