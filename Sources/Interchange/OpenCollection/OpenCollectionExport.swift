import NetworkLayer
import OrderedCollections
package import RequestCollections

/// A collection as Bruno's OpenCollection (https://www.opencollection.com): a bundle in one file, and a directory of them.
///
/// Folders, what they share, environments, variables and switches are there what they are here; a request has what only we have from its
/// folders, such as parameters and settings.
package struct OpenCollectionExport {
    package private(set) var result = ExportedCollection(text: "")
    let plan: ExportPlan
    var templates: ForeignTemplates
    private let byID: [RequestID: MergedRequest]

    /// - Parameters:
    ///   - requests: with these, what they need is written.
    ///   - environment: the only one that is written; `nil`: all.
    ///   - variables: over those of the collection.
    /// - Throws: for an environment that isn't there.
    package init(
        _ collection: RequestCollection, requests: [RequestDefinition], environment: String? = nil,
        variables: [String: JSONValue] = [:]
    ) throws(ResolutionError) {
        var notes = ExportNotes()
        plan = try ExportPlan(
            collection, requests: requests, environment: environment, variables: variables, order: .collection, notes: &notes)
        byID = Dictionary(plan.requests.map { ($0.definition.id, $0) }) { first, _ in first }
        templates = ForeignTemplates(Self.language, plan)
        templates.notes = notes
        var shared = shared(collection.defaults, collection.variables, of: plan.requests, around: [])
        if let description = collection.description { shared.members.append(("docs", .string(description))) }
        let items = items(collection.nodes, around: [shared.level])
        let environments = environments()
        templates.request = nil
        templates.notes.request = nil
        let head: [(String, JSONValue)] = [
            ("opencollection", .string("1.0.0")), ("info", JSONValue.map([("name", .string(collection.name))])),
        ]
        var bundle = head
        if !environments.isEmpty { bundle.append(("config", JSONValue.map([("environments", .array(environments))]))) }
        bundle += [("items", .array(items.map(\.value)))] + shared.members + [("bundled", .boolean(true))]
        result.text = PlainYAML.text(JSONValue.map(bundle))
        result.files = [.init(path: "opencollection.yml", text: PlainYAML.text(JSONValue.map(head + shared.members)))]
        for value in environments {
            let name = Self.fileName(value["name"]?.string ?? "")
            result.files.append(.init(path: "environments/\(name).yml", text: PlainYAML.text(value)))
        }
        addFiles(items, in: "")
        result.notes = templates.notes.all
        result.requestCount = plan.requests.count
    }

    private static let language = ForeignTemplates.Language(
        program: "Bruno",
        call: { call in
            switch call.function {
            case .uuid: return "$guid"
            case .timestamp: return call.arguments.isEmpty ? "$timestamp" : nil
            case .now: return call.text("format") == "iso8601-ms" && call["offset"] == nil ? "$isoTimestamp" : nil
            case .random:
                if case .range(0...1000)? = call["range"]?.expression { return "$randomInt" }
                return nil
            case .env: return call.text("name").map { "process.env.\($0)" }
            case .prompt:
                guard call["default"] == nil, call["secret"] == nil else { return nil }
                return call.text("message").flatMap(promptWord)
            default: return nil
            }
        }, keepsOwners: true,
        secret: { reference in
            if case .prompt(let message) = reference { promptWord(message) } else { nil }
        })

    /// What a person is asked for has no name.
    private static func promptWord(_ message: String) -> String? {
        message.isEmpty || message.contains(where: { "{}".contains($0) || $0.isNewline }) ? nil : "?\(message)"
    }

    // MARK: What is shared

    /// What all requests below a folder get from it there.
    struct Level {
        var auth: AuthDefinition?
        var headers: [MergedRequest.Row] = []
    }

    /// - Returns: members of a folder or of the collection.
    private mutating func shared(
        _ defaults: FolderDefaults, _ variables: [VariableDefinition], of requests: [MergedRequest], around: [Level]
    ) -> (members: [(String, JSONValue)], level: Level) {
        var level = Level()
        var request: [(String, JSONValue)] = []
        for row in defaults.headers where row.isEnabled {
            guard let value = row.value, !requests.isEmpty else { continue }
            let isOfAll = requests.allSatisfy { request in
                request.headers.filter { $0.name.lowercased() == row.name.lowercased() }.map(\.value) == [value]
            }
            if isOfAll { level.headers.append(.init(name: row.name, value: value)) }
        }
        if !level.headers.isEmpty { request.append(("headers", rows(level.headers))) }
        if let auth = defaults.auth, auth != .none, auth != .inherit, let value = self.auth(auth) {
            level.auth = auth
            request.append(("auth", value))
        }
        let variables = self.variables(variables)
        if !variables.isEmpty { request.append(("variables", .array(variables))) }
        return (request.isEmpty ? [] : [("request", JSONValue.map(request))], level)
    }

    private mutating func rows(_ rows: [MergedRequest.Row]) -> JSONValue {
        .array(
            rows.map { row in
                JSONValue.map([("name", .string(templates.text(row.name))), ("value", .string(templates.text(row.value)))])
            })
    }

    // MARK: Variables

    mutating func variables(_ variables: [VariableDefinition]) -> [JSONValue] {
        var given = variables
        if templates.request == nil {
            for index in given.indices where plan.environment == nil {
                if let value = plan.variables[given[index].name] { given[index].value = value }
            }
        }
        return given.compactMap { variable in
            value(of: variable, inEnvironment: false).map { JSONValue.map([("name", .string(variable.name))] + $0) }
        }
    }

    private mutating func value(of variable: VariableDefinition, inEnvironment: Bool) -> [(String, JSONValue)]? {
        if templates.isToBeSet(variable.value) { return nil }
        switch variable.value {
        case .text(let text): return [("value", .string(templates.text(text)))]
        case .json(let json):
            let kind =
                switch JSONParser.parse(json) {
                case .number?: "number"
                case .boolean?: "boolean"
                case .null?: "string"
                default: "object"
                }
            let data = kind == "string" ? "" : templates.json(JSONParser.parse(json)?.text(pretty: false) ?? json)
            return [("value", JSONValue.map([("type", .string(kind)), ("data", .string(data))]))]
        // Bruno has it without being told.
        case .secret(.environment(let name)) where variable.name == "process.env.\(name)": return nil
        case .secret(.environment(let name)): return [("value", .string("{{process.env.\(name)}}"))]
        case .secret(.prompt(let message)) where Self.promptWord(message) != nil: return nil
        case .secret:
            if inEnvironment { return [("secret", .boolean(true))] }
            templates.notes.addOfAll(
                "the secret `\(variable.name)` is to be set in Bruno, which runs no command and reads no file for it")
            return nil
        }
    }

    private mutating func environments() -> [JSONValue] {
        let names = plan.environment.map { [$0] } ?? plan.collection.environmentNames
        return names.map { name in
            let variables = (try? plan.collection.variables(of: name)) ?? []
            let rows = variables.compactMap { variable in
                value(of: variable, inEnvironment: true).map { JSONValue.map([("name", .string(variable.name))] + $0) }
            }
            return JSONValue.map([("name", .string(name)), ("variables", .array(rows))])
        }
    }

    // MARK: The tree

    struct Item {
        var name: String
        var value: JSONValue
        /// The items of a folder.
        var inner: [Item]?
        /// What its own file says.
        var alone: JSONValue
    }

    private mutating func items(_ nodes: [RequestCollection.Node], around: [Level]) -> [Item] {
        var items: [Item] = []
        for node in nodes {
            switch node {
            case .request(let definition):
                guard let request = byID[definition.id] else { continue }
                let value = item(request, around: around, sequence: items.count + 1)
                items.append(Item(name: name(definition.name, definition.id), value: value, alone: value))
            case .folder(let folder):
                let prefix = folder.id.rawValue + "/"
                let requests = plan.requests.filter { $0.definition.id.rawValue.hasPrefix(prefix) }
                if requests.isEmpty { continue }
                let name = name(folder.name, folder.id)
                templates.request = requests[0].definition
                templates.notes.request = folder.id
                let shared = shared(folder.defaults, folder.variables, of: requests, around: around)
                let info = JSONValue.map([
                    ("name", .string(name)), ("type", .string("folder")), ("seq", .number("\(items.count + 1)")),
                ])
                let docs = folder.description.map { [("docs", JSONValue.string($0))] } ?? []
                let own: [(String, JSONValue)] = [("info", info)] + shared.members + docs
                let inner = self.items(folder.nodes, around: around + [shared.level])
                items.append(
                    Item(
                        name: name, value: JSONValue.map(own + [("items", .array(inner.map(\.value)))]), inner: inner,
                        alone: JSONValue.map(own)
                    ))
            }
        }
        return items
    }

    private func name(_ name: String?, _ id: RequestID) -> String {
        name ?? id.rawValue.split(separator: "/").last.map(String.init) ?? id.rawValue
    }

    // MARK: Files

    private static func fileName(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            result.unicodeScalars.append("/\\:*?\"<>|".unicodeScalars.contains(scalar) || scalar.value < 0x20 ? "-" : scalar)
        }
        result = String(result.prefix(100)).trimmingSpace
        return result.isEmpty || result.hasPrefix(".") ? "_\(result)" : result
    }

    private mutating func addFiles(_ items: [Item], in directory: String) {
        // What these names mean to Bruno, they don't mean for requests.
        var taken: Set<String> = ["folder", "opencollection", "environments", "collection"]
        for item in items {
            let name = freeName(Self.fileName(item.name), " ") { taken.insert($0.lowercased()).inserted }
            if let inner = item.inner {
                result.files.append(.init(path: "\(directory)\(name)/folder.yml", text: PlainYAML.text(item.alone)))
                addFiles(inner, in: "\(directory)\(name)/")
            } else {
                result.files.append(.init(path: "\(directory)\(name).yml", text: PlainYAML.text(item.alone)))
            }
        }
    }
}

/// Values of JSON as YAML that every reader of YAML 1.1 or 1.2 takes the same.
enum PlainYAML {
    static func text(_ value: JSONValue) -> String { lines(value).joined(separator: "\n") + "\n" }

    private static func lines(_ value: JSONValue) -> [String] {
        switch value {
        case .object(let members) where !members.isEmpty:
            return members.flatMap { member -> [String] in
                let name = key(member.name)
                switch member.value {
                case .object(let inner) where !inner.isEmpty: return ["\(name):"] + lines(member.value).map(indented)
                case .array(let items) where !items.isEmpty: return ["\(name):"] + lines(member.value).map(indented)
                case .string(let text): return named(name, text)
                default: return ["\(name): \(member.value.text(pretty: false))"]
                }
            }
        case .array(let items) where !items.isEmpty:
            return items.flatMap { item -> [String] in
                let lines = lines(item)
                return ["- \(lines[0])"] + lines.dropFirst().map(indented)
            }
        case .string(let text): return [scalar(text)]
        default: return [value.text(pretty: false)]
        }
    }

    private static func indented(_ line: String) -> String { line.isEmpty ? "" : "  \(line)" }

    private static func key(_ name: String) -> String { isPlain(name) ? name : ScalarWriter.doubleQuoted(name) }

    /// Several lines as they are, where a reader gives them back as they are.
    private static func named(_ name: String, _ text: String) -> [String] {
        let lines = text.lines
        let isBlock =
            lines.count > 1 && !text.hasSuffix("\n\n") && lines[0].first.map { $0 != " " && $0 != "\t" } == true
            && !lines.dropLast().contains { $0.last == " " || $0.last == "\t" } && lines.last?.last != " "
            && lines.last?.last != "\t"
            && text.unicodeScalars.allSatisfy {
                $0 == "\n" || (0x20...0x7E).contains($0.value)
                    || (0xA0...0xD7FF).contains($0.value) && $0 != "\u{2028}" && $0 != "\u{2029}"
            }
        guard isBlock else { return ["\(name): \(scalar(text))"] }
        let ends = text.hasSuffix("\n")
        return ["\(name): |\(ends ? "" : "-")"] + (ends ? lines.dropLast() : lines[...]).map { indented(String($0)) }
    }

    private static func scalar(_ text: String) -> String { isPlain(text) ? text : ScalarWriter.doubleQuoted(text) }

    /// Words that are neither numbers nor anything else than text to anybody.
    private static func isPlain(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z\/][A-Za-z0-9_\/.-]*( [A-Za-z0-9_\/.-]+)*/) != nil
            && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(text.lowercased())
    }
}
