import NetworkLayer
import OrderedCollections
package import RequestCollections

/// Saved requests as a Hurl file (https://hurl.dev/docs/hurl-file.html): an entry for each, in their order, what is needed first.
///
/// What an entry expects and captures is written only where Hurl means exactly the same: each line is read again by ``HurlImport``.
package struct HurlExport: ForeignFileExport {
    package private(set) var result = ExportedCollection(text: "")
    let plan: ExportPlan
    var templates: ForeignTemplates

    /// - Parameters:
    ///   - requests: with these, what they need is written.
    ///   - environment: whose variables stand in the file; `nil`: the collection's alone.
    ///   - variables: over all others.
    /// - Throws: for an environment that isn't there.
    package init(
        _ collection: RequestCollection, requests: [RequestDefinition], environment: String? = nil,
        variables: [String: JSONValue] = [:]
    ) throws(ResolutionError) {
        var notes = ExportNotes()
        plan = try ExportPlan(
            collection, requests: requests, environment: environment, variables: variables, order: .needs, notes: &notes)
        templates = ForeignTemplates(Self.language, plan)
        templates.notes = notes
        let entries = pieces { (export, request) throws(Inexpressible) in try export.entry(request) }
        let variables = variableOptions()
        func text(_ variables: [String]) -> String {
            entries.enumerated().map { index, entry in
                let options = (index == 0 ? variables : []) + entry.options
                return (entry.head + (options.isEmpty ? [] : ["[Options]"] + options) + entry.rest).joined(separator: "\n") + "\n"
            }
            .joined(separator: "\n")
        }
        noteWhole()
        result.text = text(variables)
        result.files = files(text([]))
        result.notes = templates.notes.all
        result.requestCount = entries.count
    }

    private static let language = ForeignTemplates.Language(
        program: "Hurl",
        call: { call in
            switch call.function {
            case .uuid: return "newUuid"
            case .now:
                guard call["offset"] == nil, case .string("iso8601-ms")? = call["format"]?.expression else { return nil }
                return "newDate"
            default: return nil
            }
        },
        name: Self.variableName, inlines: true, bracesInJSON: #"\u007b\u007b"#)

    /// A letter, then letters, digits, `_` and `-` (https://hurl.dev/docs/grammar.html).
    static func variableName(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let isKept =
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_")
            result.unicodeScalars.append(isKept ? scalar : "_")
        }
        if result.first?.isLetter != true { result = "v" + result }
        return ["newUuid", "newDate", "getEnv"].contains(result) ? result + "_" : result
    }

    // MARK: Variables

    /// They hold from the first entry on.
    private mutating func variableOptions() -> [String] {
        plan.flatVariables.compactMap { variable in
            switch variable.value {
            case .text(let text):
                if Template.isIn(text) { return nil }
                return "variable: \(templates.renamed(variable.name))=\(HurlText.quoted(text))"
            case .json(let json):
                switch JSONParser.parse(json) {
                case .number?, .boolean?, .null?: return "variable: \(templates.renamed(variable.name))=\(json)"
                default: return nil
                }
            case .secret(let reference):
                let name = templates.renamed(variable.name)
                let value = if case .environment(let machine) = reference { "\"$\(machine)\"" } else { "VALUE" }
                templates.notes.addOfAll("the secret `\(name)` is given by hurl --secret \(name)=\(value)")
                return nil
            }
        }
    }

    private mutating func noteWhole() {
        let collection = plan.collection
        if plan.requests.contains(where: { !collection.folders(around: $0.definition.id).isEmpty }) {
            templates.notes.addOfAll("folders: the entries stand one after the other, with the names of their folders above them")
        }
        if plan.environment == nil, !collection.environmentNames.isEmpty {
            templates.notes.addOfAll(
                "the environments \(collection.environmentNames.joined(separator: ", ")): --env writes one of them into the file, "
                    + "and -o DIRECTORY/ all of them beside it")
        }
    }

    /// The file without variables, and those of each environment for `hurl --variables-file`.
    private mutating func files(_ text: String) -> [ExportedCollection.File] {
        let name = TreeKey.make(plan.collection.name, fallback: "requests")
        var files = [ExportedCollection.File(path: "\(name).hurl", text: text)]
        let environments = plan.environment.map { [$0] } ?? plan.collection.environmentNames
        var taken: Set<String> = []
        for environment in environments.isEmpty ? [nil] : environments.map(Optional.some) {
            let own = environment.flatMap { try? plan.collection.variables(of: $0) } ?? []
            var variables = plan.flatVariables.map { variable in
                (name: variable.name, value: own.first { $0.name == variable.name }?.value ?? variable.value)
            }
            variables += own.filter { plan.variables[$0.name] == nil }.map { (name: $0.name, value: $0.value) }
            let lines = variables.compactMap { line($0.name, $0.value) }
            // Names that differ may come to the same file.
            let base = environment.map { TreeKey.make($0, fallback: "environment") } ?? "variables"
            let file = freeName(base) { taken.insert($0).inserted }
            files.append(.init(path: "\(file).vars", text: lines.map { $0 + "\n" }.joined()))
        }
        return files
    }

    /// A line of a file of variables: nothing is escaped there, and what stands without quotes is what it looks like.
    private mutating func line(_ name: String, _ value: VariableDefinition.Value) -> String? {
        switch value {
        case .text(let text):
            if Template.isIn(text) { return nil }
            guard !text.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" }) else {
                templates.notes.addOfAll("the variable `\(name)`: a file of variables holds no line break")
                return nil
            }
            let isPlain = JSONParser.parse(text) == nil && !text.hasPrefix("\"") && text.trimmingSpace == text
            return "\(Self.variableName(name))=\(isPlain ? text : "\"\(text)\"")"
        case .json(let json):
            return json.hasPrefix("{") || json.hasPrefix("[") ? nil : "\(Self.variableName(name))=\(json)"
        case .secret: return nil
        }
    }

    // MARK: Entries

    private mutating func entry(
        _ request: MergedRequest
    ) throws(Inexpressible) -> (head: [String], options: [String], rest: [String]) {
        let definition = request.definition
        if definition.isWebSocket { throw Inexpressible("it opens a WebSocket, and Hurl speaks HTTP") }
        plan.noteFlow(of: request, saysNeeds: true, saysUntil: true, in: &templates.notes)
        var foreign = ForeignRequest(
            request, own: ["basic", "aws-sigv4", "ntlm", "negotiate", "netrc"], encodesQuery: true, &templates)
        guard foreign.method.wholeMatch(of: /[A-Z]+/) != nil else {
            throw Inexpressible("its method is \(foreign.method), and Hurl's are capital letters")
        }
        guard !foreign.url.isEmpty else { throw Inexpressible("it has no URL") }
        var head = comments(request).map { $0.isEmpty ? "#" : "# \($0)" }
        head.append("\(foreign.method) \(HurlText.written(value: foreign.url))")
        var body: (lines: [String], section: [String]) = ([], [])
        body = try self.body(request, &foreign)
        for row in foreign.headers { head.append(HurlText.pair(row)) }
        func section(_ name: String, _ rows: [ForeignRequest.Row], encodesNames: Bool = false) {
            if !rows.isEmpty { head += ["[\(name)]"] + rows.map { HurlText.pair($0, encodesName: encodesNames) } }
        }
        section("Query", foreign.query, encodesNames: true)
        section("Cookies", foreign.cookies)
        if case .basic(let user, let password) = foreign.auth {
            section("BasicAuth", [.init(name: templates.text(user), value: templates.text(password))])
        }
        return (head, options(request, foreign), body.section + body.lines + response(definition))
    }

    /// Its name, unless that says nothing, where it stands, and what is said about it.
    private func comments(_ request: MergedRequest) -> [String] {
        let definition = request.definition
        let folders = plan.collection.folders(around: definition.id).map { $0.name ?? $0.id.rawValue }
        var lines: [String] = []
        let name = definition.name ?? String(definition.id.rawValue.split(separator: "/").last ?? "")
        let isPlain = folders.isEmpty && name == HurlImport.name(method: definition.method, url: definition.url)
        if !isPlain { lines.append((folders + [name]).joined(separator: " / ").lines.joined(separator: " ")) }
        if let description = definition.description, description != lines.first {
            if lines.first.map({ description.hasPrefix($0 + "\n") }) == true { lines = [] }
            lines += description.trimmingSpace.lines.map(\.trimmingSpace)
        }
        return lines
    }
}

extension HurlText {
    /// In double quotes. A number sign would begin a comment to a reader that doesn't mind quotes.
    static func quoted(_ text: String) -> String { "\"\(escaped(text, "\"", "\\", "#"))\"" }

    /// A value behind a colon.
    static func written(value: String) -> String {
        var text = escaped(value, "\\", "#")
        if text.hasPrefix(" ") { text = "\\u{20}" + text.dropFirst() }
        if text.hasSuffix(" ") { text = text.dropLast() + "\\u{20}" }
        return text
    }

    /// A name in front of a colon, where few characters stand for themselves.
    static func written(name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "#", ":", "\\": result += "\\\(scalar)"
            case "_", "-", ".", "@", "$": result.unicodeScalars.append(scalar)
            case _ where scalar.properties.isAlphabetic || scalar.properties.numericType != nil:
                result.unicodeScalars.append(scalar)
            default: result += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return result
    }

    /// `name: value`, as it stands in a section.
    ///
    /// - Parameter encodesName: of a query or form, where Hurl sends a name as it stands, and encodes the value.
    static func pair(_ row: MergedRequest.Row, encodesName: Bool = false) -> String {
        let value = written(value: row.value)
        var name = ""
        for piece in ForeignTemplate(row.name).pieces {
            switch piece {
            case .text(let text): name += written(name: encodesName ? URLCoding.percentEncoded(text) : text)
            case .template(let inside, _): name += "{{\(inside)}}"
            }
        }
        return value.isEmpty ? "\(name):" : "\(name): \(value)"
    }

    /// Templates stay what they are.
    static func escaped(_ text: String, _ scalars: Unicode.Scalar...) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\"",
                "\\" where scalars.contains(scalar):
                result += scalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
            case "#" where scalars.contains("#") && !scalars.contains("\""): result += "\\#"
            case ":" where scalars.contains(":"): result += "\\:"
            case _ where scalars.contains(scalar) || scalar.value < 0x20 || scalar.value == 0x7F:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
