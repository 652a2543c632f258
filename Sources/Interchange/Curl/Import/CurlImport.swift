import NetworkLayer
import RequestCollections

/// Commands for curl, in a shell's script or alone.
struct CurlImport {
    private var collection: ImportedCollection
    /// What the script itself gives a value.
    private var assigned: Set<String> = []

    /// Whether a text is a command for curl, or a script with one.
    static func isCommand(_ text: some StringProtocol) -> Bool {
        let command = /^([^\s'"=:{]*\/)?curl(\.exe)?(\s|$)/
        var isFirst = true
        for line in text.split(whereSeparator: \.isNewline).prefix(200) {
            var trimmed = line.trimmingSpace
            if trimmed.hasPrefix("$ ") { trimmed = trimmed.dropFirst(2).trimmingSpace }
            if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
            // Of a script it is some line; in YAML the same may stand further in.
            if trimmed.firstMatch(of: command) != nil, isFirst || line.first?.isWhitespace == false { return true }
            isFirst = false
        }
        return false
    }

    static func read(_ source: ImportSource, _ text: String) throws(CollectionProblem) -> ImportedCollection {
        var reader = CurlImport(collection: ImportedCollection(name: source.name))
        // The prompt that pages show.
        let text = text.replacing(/(?m)^\s*\$ (?=\S)/, with: "")
        for command in try ShellScript(text, of: source).commands { try reader.read(command, of: source) }
        guard !reader.collection.nodes.isEmpty else { throw source.problem("has no command for curl in it") }
        return reader.collection
    }

    private mutating func read(_ command: ShellScript.Command, of source: ImportSource) throws(CollectionProblem) {
        var words = command.words[...]
        if words.first == "export" { words.removeFirst() }
        while let word = words.first, let match = word.wholeMatch(of: /(?s)([A-Za-z_][A-Za-z0-9_]*)=(.*)/) {
            words.removeFirst()
            let name = String(match.1)
            guard !assigned.contains(name) else { continue }
            let value = Self.template(String(match.2), assigned, &collection.notes).text
            assigned.insert(name)
            collection.variables.append(ImportedVariable(VariableName.make(name), .text(value)))
        }
        guard let program = words.first else { return }
        guard program.split(separator: "/").last.map({ $0 == "curl" || $0 == "curl.exe" }) == true else {
            if command.isInPipe {
                note("", "what curl prints isn't given to `\(program)`; `capture` and `expect` look into a response", isLoss: false)
            } else {
                note("", "the command `\(program)` in line \(command.line)")
            }
            return
        }
        words.removeFirst()
        let groups = words.split(whereSeparator: { $0 == "--next" || $0 == "-:" })
        for group in groups {
            var reader = CurlCommandReader(input: command.input)
            reader.read(group)
            guard !reader.urls.isEmpty else { throw source.problem("curl has no URL here", line: command.line) }
            for url in reader.urls { append(reader, url: url, comments: command.comments) }
        }
    }

    private mutating func append(_ reader: CurlCommandReader, url: String, comments: [String]) {
        var notes: [ImportNote] = []
        let assigned = assigned
        var result = reader.request(for: url, name: comments.first { !$0.isEmpty }) { text in
            Self.template(text, assigned, &notes)
        }
        if comments.count > 1 { result.request.definition.description = comments.dropFirst().joined(separator: "\n").trimmingSpace }
        let name = result.request.name
        collection.notes += notes.map { ImportNote(name, $0.text) } + result.losses.map { ImportNote(name, $0) }
        collection.variables += result.variables
        collection.nodes.append(.request(result.request))
    }

    private static let delimiters = [ForeignTemplate.Delimiters.braces, ShellVariable.delimiters, ShellVariable.commands]

    /// Braces mean nothing to curl, but people write them for what is to be filled in.
    private static func template(_ text: String, _ assigned: Set<String>, _ notes: inout [ImportNote]) -> TemplateText {
        TemplateText(ForeignTemplate(text, delimiters)) { inside, opening in
            switch opening {
            case ShellVariable.delimiters.opening:
                return assigned.contains(inside) ? VariableName.make(inside) : "env(\"\(inside)\")"
            case ShellVariable.commands.opening:
                let name = VariableName.make(inside.prefix(30))
                notes.append(ImportNote("", "`$(\(inside))`: no command of a script is run; it is the variable `\(name)` now"))
                return name
            default: return inside.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.-]*/) == nil ? nil : VariableName.make(inside)
            }
        }
    }

    private mutating func note(_ place: String, _ text: String, isLoss: Bool = true) {
        collection.notes.append(ImportNote(place, text, isLoss: isLoss))
    }
}
