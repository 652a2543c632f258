import Base

/// A request as JSON.
enum Echo {
    /// The body is shown up to here; size and checksum are of all of it.
    static let shownBytes = 1 << 20

    static func describe(_ request: DemoRequest) async throws -> JSON {
        var hash = MessageDigest(.sha256)
        var count = 0
        var shown: [UInt8] = []
        while let bytes = try await request.body.next() {
            hash.update(bytes)
            count += bytes.count
            if shown.count < shownBytes { shown += bytes.prefix(shownBytes - shown.count) }
        }
        var members: [(String, JSON)] = [
            ("method", .string(request.head.method)),
            ("url", .string(request.url)),
            ("target", .string(request.head.target)),
            ("version", .string("HTTP/" + request.head.version)),
            ("query", .grouped(request.query.items)),
            ("headers", .grouped(request.head.fields)),
            ("client", .string(request.peer)),
            ("port", .number(Int(request.port))),
        ]
        if count > 0 {
            let type = request.head["content-type"] ?? ""
            var body: [(String, JSON)] = [("bytes", .number(count)), ("sha256", .string(Hexadecimal.text(hash.finish())))]
            if request.body.chunkCount > 0 { body.append(("chunks", .number(request.body.chunkCount))) }
            if let text = String(validating: shown, as: UTF8.self) {
                body.append(("text", .string(text)))
            } else {
                body.append(("base64", .string(Data(shown).base64EncodedString())))
            }
            if count > shown.count { body.append(("truncated", true)) }
            if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
                body.append(("form", .grouped(QueryItems(parsing: String(decoding: shown, as: UTF8.self)).items)))
            } else if let parts = Multipart.parts(of: shown, type: type) {
                body.append(("parts", .array(parts.map(\.description))))
            }
            members.append(("body", object(body)))
        } else {
            members.append(("body", .null))
        }
        return object(members)
    }

    private static func object(_ members: [(String, JSON)]) -> JSON {
        .object(members.map { JSON.Member(name: $0.0, value: $0.1) })
    }
}

/// The parts of a `multipart/form-data` body (RFC 7578).
struct Multipart {
    var fields: [Field]
    var content: [UInt8]

    /// - Returns: `nil` when the type isn't multipart or has no boundary.
    static func parts(of body: [UInt8], type: String) -> [Multipart]? {
        guard type.lowercased().hasPrefix("multipart/"), let boundary = parameter("boundary", of: type) else { return nil }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter has no line end of its own before it.
        return split(Array("\r\n".utf8) + body, by: delimiter).dropFirst().compactMap { section in
            guard section.starts(with: Array("\r\n".utf8)) else { return nil }
            let pieces = split(Array(section.dropFirst(2)), by: Array("\r\n\r\n".utf8), atMost: 1)
            guard pieces.count == 2 else { return nil }
            let lines = String(decoding: pieces[0], as: UTF8.self).split(separator: "\r\n")
            let fields = lines.compactMap { line -> Field? in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                return Field(String(line[..<colon]), String(line[line.index(after: colon)...]).trimmed)
            }
            return Multipart(fields: fields, content: Array(pieces[1]))
        }
    }

    var description: JSON {
        var members: [JSON.Member] = []
        let disposition = fields.first { $0.name.equalsIgnoringCase("content-disposition") }?.value ?? ""
        for name in ["name", "filename"] {
            if let value = Self.parameter(name, of: disposition) { members.append(.init(name: name, value: .string(value))) }
        }
        if let type = fields.first(where: { $0.name.equalsIgnoringCase("content-type") }) {
            members.append(.init(name: "type", value: .string(type.value)))
        }
        members.append(.init(name: "bytes", value: .number(content.count)))
        if content.count <= 1000, let text = String(validating: content, as: UTF8.self) {
            members.append(.init(name: "text", value: .string(text)))
        }
        return .object(members)
    }

    /// A parameter such as `; name="value"` of a field's value.
    static func parameter(_ name: String, of value: String) -> String? {
        for part in value.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, String(pair[0]).trimmed.equalsIgnoringCase(name) else { continue }
            let text = String(pair[1]).trimmed
            return text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
        }
        return nil
    }

    private static func split(_ bytes: [UInt8], by mark: [UInt8], atMost limit: Int = .max) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index + mark.count <= bytes.count, pieces.count < limit {
            if bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) {
                pieces.append(bytes[start..<index])
                index += mark.count
                start = index
            } else {
                index += 1
            }
        }
        return pieces + [bytes[start...]]
    }
}
