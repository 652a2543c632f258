import NetworkLayer
import RequestCollections

extension LocustRequest {
    func url() throws -> String {
        var pieces: [PythonTemplate.Piece] = []
        let template = try python.parse(definition.url)
        var hasQuery = false
        for segment in template.segments {
            switch segment {
            case .text(let text):
                pieces += try path(text)
                if text.contains("#") { throw Inexpressible("its URL has a fragment, which is never sent") }
                hasQuery = hasQuery || text.contains("?")
            case .expression(let node): pieces.append(.expression(node))
            }
        }
        var rows = request.query
        if case .apiKey(let key) = request.auth, key.place == .query { rows.append(.init(name: key.name, value: key.value)) }
        for row in rows {
            pieces.append(.text(hasQuery ? "&" : "?"))
            pieces += try encoded(row.name) + [.text("=")] + encoded(row.value)
            hasQuery = true
        }
        return try python.text(Self.joined(pieces))
    }

    /// `/:name` becomes the value of `path.name`, encoded as one segment.
    private func path(_ text: String) throws -> [PythonTemplate.Piece] {
        var pieces: [PythonTemplate.Piece] = []
        var rest = Substring(text)
        while let slash = rest.firstRange(of: "/:") {
            let name = rest[slash.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            guard let first = name.first, !first.isNumber else {
                pieces.append(.text(String(rest[..<slash.upperBound])))
                rest = rest[slash.upperBound...]
                continue
            }
            guard let row = definition.path.first(where: { $0.name == name && $0.isEnabled }) else {
                throw Inexpressible("`:\(name)` in its URL has no value")
            }
            pieces.append(.text(String(rest[..<slash.lowerBound]) + "/"))
            pieces += try encoded(row.value)
            rest = rest[slash.upperBound...].dropFirst(name.count)
        }
        return pieces + [.text(String(rest))]
    }

    /// Percent-encoded, now or when it is sent.
    private func encoded(_ template: String) throws -> [PythonTemplate.Piece] {
        guard Template.isIn(template) else { return [.text(URLCoding.percentEncoded(template))] }
        return [.python("quote(\(try python.text(template)), safe=\"\")")]
    }

    private static func joined(_ pieces: [PythonTemplate.Piece]) -> [PythonTemplate.Piece] {
        var joined: [PythonTemplate.Piece] = []
        for piece in pieces {
            if case .text(let more) = piece {
                if more.isEmpty { continue }
                if case .text(let text)? = joined.last {
                    joined[joined.count - 1] = .text(text + more)
                    continue
                }
            }
            joined.append(piece)
        }
        return joined
    }
}
