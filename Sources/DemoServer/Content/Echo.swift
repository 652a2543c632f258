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
