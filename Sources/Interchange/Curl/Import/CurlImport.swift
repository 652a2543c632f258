import NetworkLayer
import RequestCollections

/// Commands for curl, in a shell's script or alone.
struct CurlImport {
    private var collection: ImportedCollection
    /// What the script itself gives a value, and the variable that has it.
    private var assigned: [String: String] = [:]
    /// Those values, as the script writes them.
    private var values: [String: String] = [:]
    private let keepsLayout: Bool

    private init(name: String, keepsLayout: Bool) {
        collection = ImportedCollection(name: name)
        self.keepsLayout = keepsLayout
    }

    /// Whether a text is a command for curl, or a script with one.
    static func isCommand(_ text: some StringProtocol) -> Bool {
        let command = /^([^\s'"=:{]*\/)?curl(\.exe)?(\s|$)/
        var isFirst = true
        for line in text.split(whereSeparator: \.isNewline).prefix(200) {
            var trimmed = line.trimmingSpace
            if trimmed.hasPrefix("$ ") { trimmed = trimmed.dropFirst(2).trimmingSpace }
            if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
            // In a script it is some line; in YAML the same may stand further in.
            if trimmed.firstMatch(of: command) != nil, isFirst || line.first?.isWhitespace == false { return true }
            isFirst = false
        }
        return false
    }

    /// - Parameter keepsLayout: JSON in bodies is sent to the byte; in a file of many commands it becomes YAML, which is read more easily.
    static func read(
        _ source: ImportSource, _ text: String, keepsLayout: Bool = false
    ) throws(CollectionProblem) -> ImportedCollection {
        var reader = CurlImport(name: source.name, keepsLayout: keepsLayout)
        if WindowsScript.isOne(text) {
            for command in try WindowsScript(text, of: source).commands { try reader.read(command, of: source) }
        } else {
            // The prompt that pages show.
            let text = text.replacing(/(?m)^\s*\$ (?=\S)/, with: "")
            let script = try ShellScript(text, of: source)
            for line in script.otherBytes {
                reader.note("line \(line)", "the bytes in `$'…'` that aren't UTF-8; put them into a file, and send that")
            }
            for command in script.commands { try reader.read(command, of: source) }
        }
        guard !reader.collection.nodes.isEmpty else { throw source.problem("has no command for curl in it") }
        return reader.collection
    }

    private mutating func read(_ command: ShellScript.Command, of source: ImportSource) throws(CollectionProblem) {
        var words = command.words[...]
        if words.first == "export" { words.removeFirst() }
        while let word = words.first, let match = word.wholeMatch(of: /(?s)([A-Za-z_][A-Za-z0-9_]*)=(.*)/) {
            words.removeFirst()
            let name = String(match.1)
            guard values[name] != String(match.2) else { continue }
            let value = Self.template(String(match.2), assigned, &collection.notes).text
            // What stands above has the value that it had there.
            let first = VariableName.make(name)
            let names = sequence(first: 1) { $0 + 1 }.lazy.map { $0 == 1 ? first : "\(first)_\($0)" }
            let variable = names.first { name in !collection.variables.contains { $0.name == name } } ?? first
            assigned[name] = variable
            values[name] = String(match.2)
            collection.variables.append(ImportedVariable(variable, .text(value)))
        }
        guard let program = words.first else { return }
        guard program.split(separator: "/").last.map({ $0 == "curl" || $0 == "curl.exe" }) == true else {
            if Self.keywords.contains(program) {
                // What stands behind it is a command of its own.
                var inner = command
                inner.words = Array(words.dropFirst())
                try read(inner, of: source)
            } else if command.isInPipe {
                note("", "what curl prints isn't given to `\(program)`; `capture` and `expect` look into a response", isLoss: false)
            } else {
                note("line \(command.line)", "the command `\(program)`")
            }
            return
        }
        words.removeFirst()
        // `curl $OPTIONS URL`: a shell makes words of it.
        var rest = words.flatMap { word -> [String] in
            guard let value = ShellVariable.name(of: word).flatMap({ values[$0] }), value.hasPrefix("-") else { return [word] }
            return value.split(separator: " ").map(String.init)
        }[...]
        var hasURL = false
        while !rest.isEmpty {
            var reader = CurlCommandReader(input: command.input, values: values, keepsLayout: keepsLayout)
            reader.read(&rest)
            for (index, url) in reader.urls.enumerated() { append(reader.uploading(at: index), url: url, command: command) }
            hasURL = hasURL || !reader.urls.isEmpty
        }
        guard hasURL else { throw source.problem("curl has no URL here", line: command.line) }
    }

    /// A URL may stand for several.
    private mutating func append(_ reader: CurlCommandReader, url: String, command: ShellScript.Command) {
        guard reader.expandsGlobs else { return append(reader, url: url, comments: command.comments) }
        guard let urls = CurlURL.expanded(url) else {
            note(
                "line \(command.line)",
                "\(url) stands for more than \(CurlURL.limit) URLs; there is one request of it, with braces as they are")
            return append(reader, url: url, comments: command.comments)
        }
        for url in urls { append(reader, url: url, comments: command.comments) }
    }

    private static let keywords: Set<String> = [
        "do", "then", "else", "elif", "if", "while", "until", "!", "{", "time", "exec", "command", "sudo", "env",
    ]

    private mutating func append(_ reader: CurlCommandReader, url: String, comments: [String]) {
        var notes: [ImportNote] = []
        let assigned = assigned
        var result = reader.request(for: url, name: comments.first { !$0.isEmpty }.map(Self.withoutPlace)) { text in
            Self.template(text, assigned, &notes)
        }
        if comments.count > 1 { result.request.definition.description = comments.dropFirst().joined(separator: "\n").trimmingSpace }
        let name = result.request.name
        collection.notes += notes.map { ImportNote(name, $0.text, isLoss: $0.isLoss) }
        collection.notes += result.losses.map { ImportNote(name, ShellVariable.shown($0)) }
        if result.repeatsMethod {
            note(
                "",
                "after a redirect curl repeats the method of `-X`, and after 301, 302 and 303 without the body; here a 303 makes it a GET, "
                    + "301 and 302 do that for POST, and other methods keep their body", isLoss: false)
        }
        collection.variables += result.variables
        collection.nodes.append(.request(result.request))
    }

    /// Without the place that our own export writes behind the name.
    private static func withoutPlace(_ comment: String) -> String {
        guard let match = comment.firstMatch(of: /\s\s(?:\S.*)?:\d+:\d+$/), !comment[..<match.range.lowerBound].isEmpty else {
            return comment
        }
        return String(comment[..<match.range.lowerBound]).trimmingSpace
    }

    private static let delimiters = [ForeignTemplate.Delimiters.braces, ShellVariable.delimiters, ShellVariable.commands]

    /// Braces mean nothing to curl, but people write them for what is to be filled in.
    private static func template(_ text: String, _ assigned: [String: String], _ notes: inout [ImportNote]) -> TemplateText {
        TemplateText(ForeignTemplate(text, delimiters)) { inside, opening in
            switch opening {
            case ShellVariable.delimiters.opening: return variable(ShellVariable.inside(inside), assigned, &notes)
            case ShellVariable.commands.opening:
                let inside = ShellVariable.inside(inside)
                let name = VariableName.make(inside.prefix(30))
                notes.append(ImportNote("", "`$(\(inside))`: no command of a script is run; it is the variable `\(name)` now"))
                return name
            default: return inside.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.-]*/) == nil ? nil : VariableName.make(inside)
            }
        }
    }

    /// `NAME`, `NAME:-default`, or a number: an argument of the script.
    private static func variable(_ inside: String, _ assigned: [String: String], _ notes: inout [ImportNote]) -> String {
        let name = String(inside.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        let rest = inside.dropFirst(name.count)
        if name.first?.isNumber ?? true {
            let variable = name.isEmpty ? "arguments" : "argument_\(name)"
            notes.append(
                ImportNote("", "`$\(inside)`, an argument of the script, is the variable `\(variable)` now", isLoss: false))
            return variable
        }
        let value = assigned[name] ?? "env(\"\(name)\")"
        guard !rest.isEmpty else { return value }
        if let match = rest.wholeMatch(of: /:?-([^"\\{}\u{F8F0}-\u{F8F4}]*)/) { return "\(value) | default(\"\(match.1)\")" }
        notes.append(ImportNote("", "`${\(inside)}`: only its variable is taken"))
        return value
    }

    private mutating func note(_ place: String, _ text: String, isLoss: Bool = true) {
        collection.notes.append(ImportNote(place, ShellVariable.shown(text), isLoss: isLoss))
    }
}

/// URLs of a command line, as curl reads them.
enum CurlURL {
    /// URLs of one pattern that become requests; more than that are refused as too many to be meant.
    static let limit = 50

    /// What `{a,b}`, `[1-3]`, `[a-c]` and `[01-10:3]` stand for, in curl's order: the last changes fastest (curl's manual page,
    /// "Globbing"). `nil` for more than ``limit``.
    ///
    /// `{id}` alone is what pages write for something to fill in; it becomes the template of a variable.
    static func expanded(_ url: String) -> [String]? {
        var urls = [""]
        var rest = Substring(url)
        while let character = rest.first {
            if rest.hasPrefix("{{") || rest.hasPrefix("}}") {
                let end = rest.hasPrefix("{{") ? rest.firstRange(of: "}}")?.upperBound : nil
                let piece = rest[..<(end ?? rest.index(rest.startIndex, offsetBy: 2))]
                urls = urls.map { $0 + piece }
                rest = rest[piece.endIndex...]
                continue
            }
            var values = [String(character)]
            var length = 1
            if character == "\\", let next = rest.dropFirst().first, "{}[]".contains(next) {
                values = [String(next)]
                length = 2
            } else if let match = rest.prefixMatch(of: /\{([^{}]*)\}/) {
                values = alternatives(match.1)
                length = match.0.count
            } else if let match = rest.prefixMatch(of: /\[([^\[\]]*)\]/), let range = range(match.1) {
                values = range
                length = match.0.count
            }
            guard urls.count * values.count <= limit else { return nil }
            urls = urls.flatMap { url in values.map { url + $0 } }
            rest = rest.dropFirst(length)
        }
        return urls
    }

    private static func alternatives(_ inside: Substring) -> [String] {
        if inside.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.-]*/) != nil { return ["{{\(inside)}}"] }
        return inside.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func range(_ inside: Substring) -> [String]? {
        if let match = inside.wholeMatch(of: /(\d+)-(\d+)(?::(\d+))?/), let low = Int(match.1), let high = Int(match.2),
            let step = Int(match.3 ?? "1"), low <= high, step > 0
        {
            // Zeros in front are a width.
            return stride(from: low, through: high, by: step).prefix(limit + 1).map { number in
                let digits = String(number)
                return String(repeating: "0", count: match.1.hasPrefix("0") ? max(0, match.1.count - digits.count) : 0) + digits
            }
        }
        guard let match = inside.wholeMatch(of: /([a-z])-([a-z])(?::(\d+))?|([A-Z])-([A-Z])(?::(\d+))?/),
            let low = (match.1 ?? match.4)?.unicodeScalars.first?.value,
            let high = (match.2 ?? match.5)?.unicodeScalars.first?.value,
            let step = UInt32((match.3 ?? match.6) ?? "1"), low <= high, step > 0
        else { return nil }
        return stride(from: low, through: high, by: UInt32.Stride(step)).compactMap {
            Unicode.Scalar($0).map { String(Character($0)) }
        }
    }

    /// Without `.` and `..` in the path (RFC 3986, section 5.2.4), as curl sends it unless told otherwise.
    static func withoutDotSegments(_ url: String) -> String {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        guard let slash = url[start...].firstIndex(of: "/") else { return url }
        let path = url[slash...].prefix { $0 != "?" && $0 != "#" }
        guard path.contains("/."), !path.contains("{{") else { return url }
        var segments: [Substring] = []
        let given = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in given.enumerated() {
            let isLast = index == given.count - 1
            if segment == "." || segment == ".." {
                if segment == "..", !segments.isEmpty { segments.removeLast() }
                if isLast { segments.append("") }
            } else {
                segments.append(segment)
            }
        }
        return url[..<slash] + "/" + segments.joined(separator: "/") + url[path.endIndex...]
    }
}
