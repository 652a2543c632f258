import NetworkLayer
import OrderedCollections
package import RequestCollections

/// Saved requests as a `.http` file, which Visual Studio Code's REST Client, httpYac, Visual Studio and JetBrains' HTTP Client read.
///
/// They agree on requests, and on nothing around them: what responses give and must be is said in one of two dialects. Each request is
/// read again by ``HTTPFileReader`` before it is written.
package struct HTTPFileExport: ForeignFileExport {
    package enum Dialect: String, Hashable, Sendable, CaseIterable {
        /// No scripts, which that program would send as a part of the body: `{{login.response.body.$.token}}`, `{{$processEnv TOKEN}}`.
        case vscode
        /// `> {% client.test(…) %}`, `{{$env.TOKEN}}`.
        case jetbrains
    }

    package private(set) var result = ExportedCollection(text: "")
    let plan: ExportPlan
    let dialect: Dialect
    var templates: ForeignTemplates
    /// What `# @name` calls requests.
    let names: [RequestID: String]

    /// - Parameters:
    ///   - requests: with these, what they need is written.
    ///   - environment: whose variables stand in the file; `nil`: the collection's alone.
    ///   - variables: over all others.
    /// - Throws: for an environment that isn't there.
    package init(
        _ collection: RequestCollection, requests: [RequestDefinition], environment: String? = nil,
        variables: [String: JSONValue] = [:], dialect: Dialect = .vscode
    ) throws(ResolutionError) {
        var notes = ExportNotes()
        plan = try ExportPlan(
            collection, requests: requests, environment: environment, variables: variables, order: .collection, notes: &notes)
        self.dialect = dialect
        let names = Self.names(plan.requests)
        self.names = names
        templates = ForeignTemplates(Self.language(dialect, names, collection), plan)
        templates.notes = notes
        let blocks = pieces { (export, request) throws(Inexpressible) in try export.block(request) }
        let environments = environments()
        let head = self.variables(leavingOut: [])
        if !environments.isEmpty, environment == nil {
            templates.notes.addOfAll(
                "the environments \(collection.environmentNames.joined(separator: ", ")): --env writes one of them into the file, "
                    + "and -o DIRECTORY/ all of them beside it, into http-client.env.json")
        }
        func text(_ head: [String]) -> String {
            let title = "# \(collection.name.lines.joined(separator: " "))"
            return ([([title] + head).joined(separator: "\n") + "\n"] + blocks).joined(separator: "\n")
        }
        result.text = text(head)
        let moved = Set(environments.values.flatMap { $0.map(\.name) })
        result.files.append(
            .init(
                path: "\(TreeKey.make(collection.name, fallback: "requests")).http",
                text: text(environments.isEmpty ? head : self.variables(leavingOut: moved))))
        if !environments.isEmpty {
            let members = environments.map { JSONValue.Member(name: $0.key, value: .object($0.value)) }
            result.files.append(.init(path: "http-client.env.json", text: JSONValue.object(members).text(pretty: true) + "\n"))
        }
        result.notes = templates.notes.all
        result.requestCount = blocks.count
    }

    // MARK: Words

    /// Letters, digits and `_`, each once.
    private static func names(_ requests: [MergedRequest]) -> [RequestID: String] {
        var names: [RequestID: String] = [:]
        var taken: Set<String> = []
        for request in requests {
            let id = request.definition.id
            var base = ""
            for scalar in id.rawValue.unicodeScalars {
                let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                base.unicodeScalars.append(isKept ? scalar : "_")
            }
            if base.first?.isLetter != true { base = "r" + base }
            names[id] = freeName(base, "_") { taken.insert($0).inserted }
        }
        return names
    }

    private static func language(
        _ dialect: Dialect, _ names: [RequestID: String], _ collection: RequestCollection
    ) -> ForeignTemplates.Language {
        ForeignTemplates.Language(program: "a .http file") { call in
            switch call.function {
            case .uuid: return dialect == .vscode ? "$guid" : "$uuid"
            case .timestamp: return call.arguments.isEmpty ? "$timestamp" : nil
            case .now:
                guard call["offset"] == nil else { return nil }
                switch (call.text("format"), dialect) {
                case ("iso8601-ms", .vscode): return "$datetime iso8601"
                case ("http", .vscode): return "$datetime rfc1123"
                case ("iso8601-ms", .jetbrains): return "$isoTimestamp"
                default: return nil
                }
            case .random:
                if case .range(let range)? = call["range"]?.expression, call["length"] == nil, range.upperBound < Int32.max,
                    range.lowerBound >= 0
                {
                    let (low, high) = (range.lowerBound, range.upperBound + 1)
                    return dialect == .vscode ? "$randomInt \(low) \(high)" : "$random.integer(\(low), \(high))"
                }
                guard dialect == .jetbrains, case .number(let digits)? = call["length"]?.expression else { return nil }
                return "$random.alphanumeric(\(digits))"
            case .env: return call.text("name").map { Self.machineVariable($0, dialect) }
            case .response:
                guard dialect == .vscode, let name = call.text("request"), let id = collection.find(name, from: nil),
                    let own = names[id],
                    call["max_age"] == nil, let path = HurlQuery.jsonPath(call.text("filter") ?? ".")
                else { return nil }
                return responseVariable(own, path)
            default: return nil
            }
        }
    }

    private static func machineVariable(_ name: String, _ dialect: Dialect) -> String {
        dialect == .vscode ? "$processEnv \(name)" : "$env.\(name)"
    }

    /// `nil` for what isn't read as the same again.
    static func responseVariable(_ request: String, _ path: String) -> String? {
        let inside = "\(request).response.body.\(path == "$" ? "*" : path)"
        guard case .expression = HTTPFileTemplates.translate(inside, requests: [request]) else { return nil }
        return inside
    }

    // MARK: Variables

    /// - Parameter moved: names of those that stand in another file.
    private mutating func variables(leavingOut moved: Set<String>) -> [String] {
        var lines: [String] = []
        for variable in plan.flatVariables where !moved.contains(variable.name) {
            if let value = text(of: variable) { lines.append("@\(variable.name) = \(value)") }
        }
        guard dialect == .vscode else { return lines }
        for request in plan.requests {
            for capture in request.definition.captures {
                if let value = value(of: capture, in: request.definition.id),
                    !lines.contains(where: { $0.hasPrefix("@\(capture.name) = ") })
                {
                    lines.append("@\(capture.name) = {{\(value)}}")
                }
            }
        }
        return lines
    }

    /// What stands for a captured value as long as nothing else gives it; `nil` for what no variable can be.
    func value(of capture: CaptureDefinition, in request: RequestID) -> String? {
        guard case .filter(let filter) = capture.source, capture.steps.isEmpty, capture.fallback == nil, capture.isFlat == nil,
            plan.variable(capture.name, for: nil) == nil, let name = names[request], let path = HurlQuery.jsonPath(filter)
        else { return nil }
        return Self.responseVariable(name, path)
    }

    private mutating func text(of variable: ExportPlan.FlatVariable) -> String? {
        if templates.isToBeSet(variable.value) { return nil }
        switch variable.value {
        case .text(let text):
            let value = templates.text(text)
            if value.unicodeScalars.contains(where: { $0.value < 0x20 }) || value.trimmingSpace != value {
                templates.notes.addOfAll("the variable `\(variable.name)`: a line holds no line break, and no space at its end")
                return nil
            }
            if value.contains("\\"), dialect == .vscode {
                templates.notes.addOfAll("the variable `\(variable.name)`: to Visual Studio Code a `\\` means more")
            }
            return value
        case .json(let json):
            return templates.json(JSONParser.parse(json)?.text(pretty: false) ?? json).replacing(scalars: "\n", with: " ")
        case .secret(.environment(let name)): return "{{\(Self.machineVariable(name, dialect))}}"
        case .secret:
            templates.notes.addOfAll("the secret `\(variable.name)` is to be set: a .http file runs no command and reads no file")
            return nil
        }
    }

    /// What an environment says stands there alone: the file's own variables are over all others.
    private mutating func environments() -> OrderedDictionary<String, [JSONValue.Member]> {
        guard plan.environment == nil, !plan.collection.environmentNames.isEmpty else { return [:] }
        let all = plan.collection.environmentNames.map { ($0, (try? plan.collection.variables(of: $0)) ?? []) }
        var names: OrderedSet<String> = []
        for (_, variables) in all { names.formUnion(variables.map(\.name)) }
        var environments: OrderedDictionary<String, [JSONValue.Member]> = [:]
        for (environment, own) in all {
            environments[environment] = names.compactMap { name in
                guard let value = own.first(where: { $0.name == name })?.value ?? plan.variables[name],
                    let text = text(of: .init(name: name, value: value))
                else { return nil }
                return JSONValue.Member(name: name, value: .string(text))
            }
        }
        return environments
    }
}
