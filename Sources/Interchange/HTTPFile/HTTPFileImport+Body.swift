import NetworkLayer
import RequestCollections

extension HTTPFileImport {
    mutating func readBody(
        _ block: HTTPFileBlock, isGraphQL: Bool, into definition: inout RequestDefinition, at place: String
    ) {
        var lines = block.body
        while lines.first?.trimmingSpace.isEmpty == true { lines.removeFirst() }
        guard !lines.isEmpty else { return }
        let type = definition.headers.first { $0.name.lowercased() == "content-type" }?.value
        let marker = definition.headers.firstIndex {
            $0.name.lowercased() == "x-request-type" && $0.value.lowercased() == "graphql"
        }
        if let marker { definition.headers.remove(at: marker) }
        if isGraphQL || marker != nil {
            if lines[0].hasPrefix("< ") {
                let variables = lines.dropFirst().joined(separator: "\n").trimmingSpace
                let path = text(Self.file(lines[0]), at: place)
                definition.body = .graphql(
                    .init(query: .file(path), variables: variables.isEmpty ? nil : template(variables, at: place).json))
                return
            }
            let text = lines.joined(separator: "\n")
            let halves = text.split(separator: /\n\s*\n(?=\s*\{\s*("|\}))/, maxSplits: 1).map(String.init)
            let query = halves.first ?? text
            definition.body = ImportedBody.graphql(query: query, operation: nil, variables: halves.count > 1 ? halves[1] : "") {
                template($0, at: place)
            }
            if definition.body == nil {
                note(place, "the variables of the GraphQL query: they aren't JSON")
                definition.body = ImportedBody.graphql(query: query, operation: nil, variables: "") { template($0, at: place) }
            }
            return ImportedBody.keepingQuery(inBodyOf: &definition)
        }
        if MediaType.essence(type) == "multipart/form-data", let boundary = type?.firstMatch(of: /boundary="?([^";]+)/) {
            definition.body = .multipart(parts(lines, boundary: String(boundary.1), at: place))
            return
        }
        let files = lines.filter { $0.hasPrefix("< ") || $0.hasPrefix("<@") }
        if let first = files.first {
            if files.count == 1, lines.count == 1 {
                noteTemplates(ofFile: first, at: place)
                definition.body = .file(text(Self.file(first), at: place))
            } else {
                note(place, "the body, which is put together from files and text")
            }
            return
        }
        if MediaType.essence(type) == "application/x-www-form-urlencoded" {
            let joined = lines.map(\.trimmingSpace).joined()
            if lines.contains(where: { $0.contains(" = ") || $0.hasSuffix(" &") || $0.firstMatch(of: /%[+&=%]/) != nil }) {
                definition.body = .form(form(joined, at: place))
                return
            }
            definition.body = ImportedBody.make(joined, type: type) { template($0, at: place) }
            return
        }
        let text = Self.withoutComments(lines, type: type) ?? lines.joined(separator: "\n")
        definition.body = ImportedBody.make(text, type: type) { template($0, at: place) }
    }

    /// Messages with `===` between them; `=== wait-for-server` waits for one of the server's.
    mutating func steps(_ block: HTTPFileBlock, at place: String) -> [SessionStep] {
        var steps: [SessionStep] = []
        var lines: [String] = []
        func end(_ reader: inout Self) {
            while lines.last?.trimmingSpace.isEmpty == true { lines.removeLast() }
            let text = lines.drop { $0.trimmingSpace.isEmpty }.joined(separator: "\n")
            lines = []
            guard !text.isEmpty else { return }
            if text.hasPrefix("< ") || text.hasPrefix("<@"), !text.contains("\n") {
                reader.noteTemplates(ofFile: text, at: place)
                steps.append(SessionStep(.send(.file(reader.text(Self.file(text), at: place))), location: .none))
            } else {
                steps.append(ImportedSession.message(text, type: nil) { reader.template($0, at: place) })
            }
        }
        for line in block.body {
            guard line.hasPrefix("===") else {
                lines.append(line)
                continue
            }
            end(&self)
            if line.contains("wait-for-server") {
                let any = ExpectationDefinition(.body, .exists, location: .none)
                steps.append(SessionStep(.receive(.init([any])), location: .none))
            }
        }
        end(&self)
        return steps
    }

    /// A form as JetBrains takes it: blanks around the signs mean nothing, `%+`, `%&`, `%=` and `%%` are the signs themselves, and what is
    /// between them is encoded when it is sent.
    private mutating func form(_ joined: String, at place: String) -> [RequestDefinition.Row] {
        // Each escape is one character in the meantime, of those that no text has.
        let signs: [(escape: String, mark: String, sign: String)] = [
            ("%%", "\u{F8F0}", "%"), ("%&", "\u{F8F1}", "&"), ("%=", "\u{F8F2}", "="), ("%+", "\u{F8F3}", "+"),
        ]
        let marked = signs.reduce(joined) { $0.replacing(scalars: $1.escape, with: $1.mark) }
        return marked.split(separator: "&").map { pair in
            let (name, value) = pair.split(at: "=")
            func plain(_ piece: String) -> String {
                text(signs.reduce(piece.trimmingSpace) { $0.replacing(scalars: $1.mark, with: $1.sign) }, at: place)
            }
            return .init(name: plain(name), value: plain(value ?? ""))
        }
    }

    /// The text without the lines that Visual Studio Code's REST Client takes for comments, if that makes it JSON; `nil` otherwise.
    private static func withoutComments(_ lines: [String], type: String?) -> String? {
        let essence = MediaType.essence(type)
        guard essence == nil || MediaType.isJSON(essence), JSONParser.parse(lines.joined(separator: "\n")) == nil else {
            return nil
        }
        let rest = lines.filter { HTTPFileReader.comment($0.trimmingSpace) == nil }.joined(separator: "\n")
        return rest.count < lines.joined(separator: "\n").count && JSONParser.parse(rest) != nil ? rest : nil
    }

    /// `< path`, `<@ path` and `<@latin1 path`.
    private static func file(_ line: String) -> String {
        String(line.dropFirst().drop { !$0.isWhitespace }).trimmingSpace
    }

    /// `<@` fills in variables in the file itself, in an encoding that may stand behind it.
    private mutating func noteTemplates(ofFile line: String, at place: String) {
        guard line.hasPrefix("<@") else { return }
        note(place, "`\(line)`: variables in that file aren't filled in here, and its bytes are sent as they are")
    }

    /// RFC 7578, as people type it.
    private mutating func parts(_ lines: [String], boundary: String, at place: String) -> [BodyDefinition.Part] {
        var parts: [BodyDefinition.Part] = []
        for section in lines.split(whereSeparator: { $0.hasPrefix("--\(boundary)") }) {
            // A file may stand right below the fields.
            let head = section.prefix { !$0.trimmingSpace.isEmpty && !$0.hasPrefix("< ") && !$0.hasPrefix("<@") }
            var content = Array(section[head.endIndex...].drop { $0.trimmingSpace.isEmpty })
            while content.last?.trimmingSpace.isEmpty == true { content.removeLast() }
            func field(_ name: String) -> String? {
                head.first { $0.lowercased().hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)).trimmingSpace }
            }
            let disposition = FieldSyntax.pieces(of: field("content-disposition") ?? "", separatedBy: ";").map(FieldSyntax.trimmed)
            func parameter(_ name: String) -> String? {
                disposition.lazy.compactMap { $0.halves(at: "=") }.first { $0.before.lowercased() == name }
                    .map { FieldSyntax.unquoted($0.behind) }
            }
            guard let name = parameter("name") else { continue }
            let fileName = parameter("filename")
            let file =
                content.count == 1 && (content[0].hasPrefix("< ") || content[0].hasPrefix("<@")) ? Self.file(content[0]) : nil
            if file != nil { noteTemplates(ofFile: content[0], at: place) }
            let body: BodyDefinition.Part.Content =
                file.map { .file(text($0, at: place)) } ?? .text(text(content.joined(separator: "\n"), at: place))
            // The name of the file itself goes without saying.
            let ownName = file?.split(separator: "/").last.map(String.init)
            parts.append(
                .init(
                    name: text(name, at: place), content: body,
                    fileName: fileName == ownName ? nil : fileName.map { text($0, at: place) },
                    contentType: field("content-type").map { text($0, at: place) }))
        }
        return parts
    }
}
