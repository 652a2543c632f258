import Base
import NetworkLayer
import RequestCollections

/// Why something can't be written in Python.
struct Inexpressible: Error, Hashable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Templates as expressions of Python. `v` are the variables (`Values` of ``LocustRuntime``).
struct PythonTemplate {
    let collection: RequestCollection
    /// Where paths in templates are relative to.
    var directory: String
    /// Whose templates they are: `response("login")` finds its neighbours first.
    var request: RequestID?
    /// The methods that send requests, by request.
    var methods: [RequestID: String] = [:]
    /// Whether the collection's commands may stand in it, and what reads files and credentials that aren't its own.
    var runsCommands = true

    /// An expression that gives a `str`.
    func text(_ template: String) throws -> String {
        guard Template.isIn(template) else { return PythonText.string(template) }
        return try text(
            parse(template).segments.map { segment in
                switch segment {
                case .text(let text): .text(text)
                case .expression(let node): .expression(node)
                }
            })
    }

    enum Piece {
        case text(String)
        case expression(TemplateNode)
        /// Python already, which gives a `str`.
        case python(String)
    }

    /// One f-string when only variables stand in it, else a call of `text()`.
    func text(_ pieces: [Piece]) throws -> String {
        let isPlain = pieces.allSatisfy { piece in
            switch piece {
            case .text: true
            case .expression(let node): if case .variable(let name) = node.expression { Self.isSimple(name) } else { false }
            case .python: false
            }
        }
        if isPlain {
            var format = ""
            for piece in pieces {
                switch piece {
                case .text(let text): format += PythonText.escaped(text, isFormat: true)
                case .expression(let node): if case .variable(let name) = node.expression { format += "{v['\(name)']}" }
                case .python: break
                }
            }
            if pieces.count == 1, case .expression(let node) = pieces[0], case .variable(let name) = node.expression {
                return "v[\(PythonText.string(name))]"
            }
            if pieces.count == 1, case .text(let text) = pieces[0] { return PythonText.string(text) }
            return "f\"\(format)\""
        }
        if pieces.count == 1, case .expression(let node) = pieces[0], Self.givesText(node) { return try value(node) }
        let words = try pieces.map { piece in
            switch piece {
            case .text(let text): PythonText.string(text)
            case .expression(let node): try value(node)
            case .python(let python): python
            }
        }
        return "text(\(words.joined(separator: ", ")))"
    }

    /// An expression whose value keeps its type when the text is one template alone.
    func value(_ template: String) throws -> String {
        guard Template.isIn(template) else { return PythonText.string(template) }
        let parsed = try parse(template)
        guard let node = parsed.onlyExpression else { return try text(template) }
        return try value(node)
    }

    /// A JSON value with templates in its texts.
    func value(_ json: JSONValue) throws -> String {
        switch json {
        case .null: "None"
        case .boolean(let flag): flag ? "True" : "False"
        case .number(let digits): digits
        case .string(let text): try value(text)
        case .array(let items): "[\(try items.map { try value($0) }.joined(separator: ", "))]"
        case .object(let members):
            "{" + (try members.map { "\(try self.text($0.name)): \(try value($0.value))" }.joined(separator: ", ")) + "}"
        }
    }

    /// A text in JSON as an expression that gives its `str`.
    func json(_ text: String) throws -> String {
        if let value = JSONParser.parse(text) { return "json_text(\(try self.value(value)))" }
        guard Template.isIn(text) else { return PythonText.string(text) }
        return try self.text(JSONPieces(try parse(text), in: self).pieces)
    }

    /// Whether its expression is a `str` for certain.
    private static func givesText(_ node: TemplateNode) -> Bool {
        guard case .call(let call) = node.expression else { return false }
        switch call.function {
        case .uuid, .now, .base64, .sha256, .hmac, .env, .file, .command: return true
        case .timestamp, .random, .prompt, .select, .response, .item, .default: return false
        }
    }

    func parse(_ template: String) throws -> Template {
        do throws(TemplateError) {
            return try Template(template)
        } catch {
            throw Inexpressible(error.message)
        }
    }

    static func isSimple(_ name: String) -> Bool { name.utf8.allSatisfy { $0 != UInt8(ascii: "'") && $0 < 0x80 } }

    /// The environment variable in place of what a command prints: `SHOW_SHOP_TOKEN` for `pass show shop/token`.
    static func variable(for words: [String]) -> String { ShellReferences.name(words.suffix(2).joined(separator: " ")) }

    func secret(_ reference: SecretReference) throws -> String {
        switch reference {
        case .environment(let name): "env(\(PythonText.string(name)))"
        case .command(let words) where !runsCommands: "env(\(PythonText.string(Self.variable(for: words))))"
        case .command(let words):
            "command(\((words.map(PythonText.string) + ["cwd=\(place(collection.directory))"]).joined(separator: ", ")))"
        case .file(let path): "read_text(\(try file(path, in: collection.directory)))"
        case .prompt(let message): "ask(\(PythonText.string(message)))"
        }
    }

    /// A path below the collection, so that the file can run where the collection lies elsewhere.
    ///
    /// - Throws: for a file that isn't the collection's own, and may not be read.
    func file(_ path: String, in directory: String? = nil) throws -> String {
        let base = directory ?? self.directory
        let whole = path.hasPrefix("/") || base.isEmpty ? path : "\(base)/\(path)"
        guard runsCommands || CollectionPlace(collection.path).owns(RealPath.of(whole)) else {
            throw Inexpressible("it reads \(path), and the collection isn't trusted")
        }
        return place(whole)
    }

    private func place(_ path: String) -> String {
        let base = collection.directory
        if path == base { return "FILES" }
        if base.isEmpty, !path.hasPrefix("/") { return "os.path.join(FILES, \(PythonText.string(path)))" }
        if !base.isEmpty, path.hasPrefix(base + "/") {
            return "os.path.join(FILES, \(PythonText.string(String(path.dropFirst(base.count + 1)))))"
        }
        return PythonText.string(path)
    }

    // MARK: Expressions

    func value(_ node: TemplateNode) throws -> String {
        switch node.expression {
        case .string(let text): PythonText.string(text)
        case .number(let digits): digits
        case .boolean(let flag): flag ? "True" : "False"
        case .null: "None"
        case .duration(let duration): PythonText.string("\(Self.seconds(duration))s")
        case .range(let range): PythonText.string("\(range.lowerBound)..\(range.upperBound)")
        case .variable(let name): "v.value(\(PythonText.string(name)))"
        case .list(let nodes): "[\(try nodes.map { try value($0) }.joined(separator: ", "))]"
        case .call(let call): try value(call)
        }
    }

    private func value(_ call: TemplateCall) throws -> String {
        switch call.function {
        case .uuid: "str(uuid.uuid4())"
        case .now: try function("now", call, "format", ["offset": offset(call)])
        case .timestamp: try function("timestamp", call, "unit", ["offset": offset(call)])
        case .random: try random(call)
        case .base64: "base64_text(\(try argument(call, "text")))"
        case .sha256: try function("sha256", call, "text", ["encoding": labelled(call, "encoding")])
        case .hmac:
            "hmac_text("
                + (try ["text", "key"].map { try argument(call, $0) }
                + [("algorithm", labelled(call, "algorithm")), ("encoding", labelled(call, "encoding"))].compactMap {
                    label, value in
                    value.map { "\(label)=\($0)" }
                }).joined(separator: ", ") + ")"
        case .env: "env(\(try argument(call, "name")))"
        case .file: "read_text(\(try fileArgument(call)))"
        case .command where !runsCommands:
            "env(\(PythonText.string(Self.variable(for: call.rest.map { if case .string(let text) = $0.expression { text } else { "value" } }))))"
        case .command: "command(\(try (call.rest.map { try value($0) } + ["cwd=\(place(directory))"]).joined(separator: ", ")))"
        case .prompt: try function("ask", call, "message", ["default": labelled(call, "default")])
        case .select: try function("ask", call, "message", ["default": labelled(call, "default")])
        case .response: try response(call)
        case .item: "\(try argument(call, "value"))[\(try argument(call, "key"))]"
        case .default: "either(lambda: \(try argument(call, "value")), lambda: \(try argument(call, "fallback")))"
        }
    }

    private func argument(_ call: TemplateCall, _ parameter: String) throws -> String {
        try call[parameter].map { try value($0) } ?? "None"
    }

    private func labelled(_ call: TemplateCall, _ parameter: String) throws -> String? {
        try call[parameter].map { try value($0) }
    }

    private func function(
        _ name: String, _ call: TemplateCall, _ first: String, _ labels: [String: String?]
    ) throws -> String {
        let words = try [call[first].map { try value($0) }].compactMap(\.self)
        let named = labels.sorted { $0.key < $1.key }.compactMap { label, value in value.map { "\(label)=\($0)" } }
        return "\(name)(\((words + named).joined(separator: ", ")))"
    }

    private func offset(_ call: TemplateCall) throws -> String? {
        guard let node = call["offset"] else { return nil }
        guard case .duration(let duration) = node.expression else { return "seconds(\(try value(node)))" }
        return Self.seconds(duration)
    }

    private func random(_ call: TemplateCall) throws -> String {
        if let length = call["length"] { return "random_text(\(try value(length)))" }
        guard let node = call["range"] else { return "random.random()" }
        guard case .range(let range) = node.expression else {
            throw Inexpressible("`random()` with a range that isn't written out")
        }
        return "random.randint(\(range.lowerBound), \(range.upperBound))"
    }

    private func fileArgument(_ call: TemplateCall) throws -> String {
        guard let path = call.text("path") else {
            throw Inexpressible("`file()` of a path that isn't written out")
        }
        return try file(path)
    }

    private func response(_ call: TemplateCall) throws -> String {
        guard let name = call.text("request"), let id = collection.find(name, from: request),
            let method = methods[id]
        else { throw Inexpressible("`response()` of a request that isn't in this file") }
        var filter = "."
        if let node = call["filter"] {
            guard case .string(let text) = node.expression else {
                throw Inexpressible("`response()` with a filter that isn't written out")
            }
            filter = text
        }
        var maxAge = "None"
        if let node = call["max_age"] {
            guard case .duration(let duration) = node.expression else {
                throw Inexpressible("`response()` with an age that isn't written out")
            }
            maxAge = Self.seconds(duration)
        }
        let words = [PythonText.string(id.rawValue), "v.user.\(method)", maxAge] + PythonPath.arguments(filter)
        return "v.response(\(words.joined(separator: ", ")))"
    }

    static func seconds(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        return seconds == seconds.rounded() && abs(seconds) < 1e15 ? "\(Int(seconds))" : "\(seconds)"
    }
}

/// A text that becomes JSON only when it is filled in, cut into pieces: `{"qty": {{qty}}, "note": "no. {{qty}}"}`.
private struct JSONPieces {
    private(set) var pieces: [PythonTemplate.Piece] = []

    init(_ template: Template, in python: PythonTemplate) throws {
        var isInString = false
        for (index, segment) in template.segments.enumerated() {
            switch segment {
            case .text(let text):
                pieces.append(.text(text))
                var isEscaped = false
                for byte in text.utf8 {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\"), isInString {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInString.toggle()
                    }
                }
            case .expression(let node):
                let value = try python.value(node)
                guard isInString else {
                    pieces.append(.python("bare_json(\(value))"))
                    continue
                }
                // Alone between quotes it keeps its type, and the quotes go.
                if case .text(let before)? = pieces.last, before.hasSuffix("\""), index + 1 < template.segments.count,
                    case .text(let after) = template.segments[index + 1], after.hasPrefix("\"")
                {
                    pieces[pieces.count - 1] = .text(String(before.dropLast()))
                    pieces.append(.python("json_text(\(value))"))
                    pieces.append(.text(""))
                    isOpen = true
                } else {
                    pieces.append(.python("json_text(text(\(value)))[1:-1]"))
                }
            }
            dropQuote()
        }
    }

    private var isOpen = false

    /// The quote that closed a template alone.
    private mutating func dropQuote() {
        guard isOpen, case .text(let text)? = pieces.last, text.hasPrefix("\"") else { return }
        pieces[pieces.count - 1] = .text(String(text.dropFirst()))
        isOpen = false
    }
}

/// A filter's path as arguments of `find()`; a whole program is left to jq.
enum PythonPath {
    static func arguments(_ filter: String) -> [String] {
        guard let steps = JSONFilter(filter).steps else { return ["jq=\(PythonText.string(filter))"] }
        return steps.map { step in
            switch step {
            case .member(let name, let isOptional): maybe(PythonText.string(name), isOptional)
            case .item(let index, let isOptional): maybe("\(index)", isOptional)
            case .slice(let start, let end, let isOptional):
                maybe("slice(\(start.map(String.init) ?? "None"), \(end.map(String.init) ?? "None"))", isOptional)
            case .each(let isOptional): maybe("EACH", isOptional)
            case .recurse: "DEEP"
            }
        }
    }

    private static func maybe(_ step: String, _ isOptional: Bool) -> String { isOptional ? "Maybe(\(step))" : step }
}
