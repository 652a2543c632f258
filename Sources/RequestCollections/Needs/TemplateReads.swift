import NetworkLayer

/// What the templates of a request take from the responses of others, found without resolving anything.
package struct TemplateReads: Hashable, Sendable {
    /// Variables that neither the files nor `--var` give: only a response can. Each once, in the order in which they are met.
    package var names: [Name] = []
    /// Variables that the files give, which a response may give another value.
    package var given: [String] = []
    /// `response("login", ".token")`, each request once.
    package var responses: [Response] = []

    package struct Name: Hashable, Sendable {
        package var name: String
        /// It has a `default("x")`, so that nobody has to give it.
        package var isOptional: Bool
        package var location: SourceLocation?
    }

    package struct Response: Hashable, Sendable {
        package var request: RequestID
        /// How old the response may be; `nil`: any that there is will do.
        package var maxAge: Duration?
        package var location: SourceLocation?
    }
}

/// Finds what requests of one collection read of each other, for one environment.
package struct TemplateReadsFinder {
    private let collection: RequestCollection
    private let given: Set<String>
    private let scope: VariableScope?

    /// - Parameter variables: those that win over everything in the file.
    package init(_ collection: RequestCollection, environment: String?, variables: Set<String>) {
        self.collection = collection
        given = variables
        // An environment that isn't there is said when the request is resolved.
        scope = try? VariableScope(collection, environment: environment, given: [:], sources: TemplateEnvironment())
    }

    package func reads(of definition: RequestDefinition) -> TemplateReads {
        guard let scope else { return TemplateReads() }
        let resolver = RequestResolver(definition, in: collection, scope: scope.around(definition))
        var walk = Walk(finder: self, scope: resolver.scope, request: definition.id)
        for (text, location) in resolver.templates { walk.add(text, isOptional: false, at: location) }
        for step in definition.steps {
            for text in step.texts { walk.add(text, isOptional: false, at: step.location) }
            walk.known.formUnion(step.receive?.captures.map(\.name) ?? [])
        }
        return walk.reads
    }

    /// One request's: variables lead to the texts of other variables.
    private struct Walk {
        let finder: TemplateReadsFinder
        let scope: VariableScope
        let request: RequestID
        var reads = TemplateReads()
        /// What the request gives itself.
        var known: Set<String> = []
        private var seen: Set<String> = []
        /// How many variables lead from one to the next at the moment.
        private var depth = 0

        init(finder: TemplateReadsFinder, scope: VariableScope, request: RequestID) {
            self.finder = finder
            self.scope = scope
            self.request = request
        }

        mutating func add(_ text: String, isOptional: Bool, at location: SourceLocation?) {
            guard Template.isIn(text) else { return }
            for node in Template.expressions(in: text) { add(node, isOptional: isOptional, at: location) }
        }

        private mutating func add(_ node: TemplateNode, isOptional: Bool, at location: SourceLocation?) {
            switch node.expression {
            case .string, .number, .boolean, .null, .duration, .range: break
            case .list(let nodes):
                for node in nodes { add(node, isOptional: isOptional, at: location) }
            case .variable(let name): add(variable: name, isOptional: isOptional, at: location)
            case .call(let call):
                if call.function == .response { add(response: call, at: location) }
                for (parameter, node) in call.arguments.sorted(by: { $0.key < $1.key }) {
                    let hasDefault = call.function == .default && parameter == "value"
                    add(node, isOptional: isOptional || hasDefault, at: location)
                }
                for node in call.rest { add(node, isOptional: isOptional, at: location) }
            }
        }

        private mutating func add(variable name: String, isOptional: Bool, at location: SourceLocation?) {
            guard !finder.given.contains(name), !known.contains(name) else { return }
            if let definition = scope.definitions(of: name).first {
                // Once with a default and once without one: the second look may find more.
                guard seen.insert(isOptional ? "\(name)?" : name).inserted else { return }
                // What goes on farther can't be filled in.
                guard depth <= VariableScope.longestStack else { return }
                depth += 1
                defer { depth -= 1 }
                if !reads.given.contains(name) { reads.given.append(name) }
                add(definition.text, isOptional: isOptional, at: definition.location)
            } else if !scope.isKnown(name),
                let member = TemplateExpression.member(name, where: { finder.given.contains($0) || scope.isKnown($0) })
            {
                if !reads.given.contains(name) { reads.given.append(name) }
                add(variable: member.base, isOptional: isOptional, at: location)
            } else if let index = reads.names.firstIndex(where: { $0.name == name }) {
                if !isOptional { reads.names[index].isOptional = false }
            } else {
                reads.names.append(.init(name: name, isOptional: isOptional, location: location))
            }
        }

        private mutating func add(response call: TemplateCall, at location: SourceLocation?) {
            guard case .string(let name)? = call["request"]?.expression, let id = finder.collection.find(name, from: request) else {
                return
            }
            var maxAge: Duration?
            switch call["max_age"]?.expression {
            case .duration(let duration)?: maxAge = duration
            case .string(let text)?: maxAge = DurationText.parse(text)
            default: break
            }
            if let index = reads.responses.firstIndex(where: { $0.request == id }) {
                // The strictest counts.
                let known = reads.responses[index].maxAge
                reads.responses[index].maxAge = [known, maxAge].compactMap(\.self).min()
            } else {
                reads.responses.append(.init(request: id, maxAge: maxAge, location: location))
            }
        }
    }
}

extension Template {
    /// The expressions of a text, also of one in JSON, whose quotes are escaped. What is no template is left out: resolving says why.
    static func expressions(in text: String) -> [TemplateNode] {
        if let template = try? Template(text) { return template.nodes }
        var nodes: [TemplateNode] = []
        var rest = Substring(text.replacing(scalars: "\\\"", with: "\"")).utf8
        while let open = open(in: rest) {
            let inside = rest[rest.index(open, offsetBy: 2)...]
            guard let close = close(in: inside) else { break }
            if let node = try? TemplateParser.parse(Substring(inside[..<close]), at: 0) { nodes.append(node) }
            rest = inside[inside.index(close, offsetBy: 2)...]
        }
        return nodes
    }

    private var nodes: [TemplateNode] {
        segments.compactMap { if case .expression(let node) = $0 { node } else { nil } }
    }
}

extension RequestResolver {
    /// Every text that is filled in before the request is sent, wherever it stands: in the request, or in what folders give it.
    var templates: [(text: String, location: SourceLocation?)] {
        var texts: [(String, SourceLocation?)] = []
        func add(_ text: String?, _ location: SourceLocation?) {
            if let text { texts.append((text, location)) }
        }
        func place(_ key: String) -> SourceLocation { definition.places[key] ?? definition.location }
        for condition in conditions.flatMap(\.when.allConditions) {
            add("{{\(condition.variable)}}", condition.location)
            for text in condition.matcher.texts { add(text, condition.location) }
        }
        if case .list(let name)? = definition.forEach?.source { add("{{\(name)}}", definition.forEach?.location) }
        add(definition.url, place("url"))
        for row in definition.path where row.isEnabled { add(row.value, row.location) }
        let headers = merged(\.headers, ignoringCase: true)
        for (row, _) in merged(\.query, ignoringCase: false) + headers + merged(\.cookies, ignoringCase: false) {
            add(row.name, row.location)
            add(row.value, row.location)
        }
        // An `authorization` header that stands in the file wins.
        if let (auth, level) = effectiveAuth, !headers.contains(where: { $0.row.name.lowercased() == "authorization" }) {
            for text in auth.texts { add(text, level.places["auth"]) }
        }
        for text in definition.body?.texts ?? [] { add(text, place("body")) }
        for text in definition.subprotocols { add(text, definition.location) }
        for field in levelsWithSettings.isEmpty ? [] : SettingField.all {
            guard let level = level(saying: field) else { continue }
            for text in field.texts(in: level.settings) { add(text, level.places[field.key]) }
        }
        for word in definition.hydrate?.words ?? [] { add(word, definition.hydrate?.location) }
        for expectation in definition.allExpectations {
            for text in expectation.matcher.texts { add(text, expectation.location) }
        }
        for text in definition.mock?.templates ?? [] { add(text, definition.mock?.location) }
        return texts.filter { Template.isIn($0.0) }
    }
}

extension MockDefinition {
    fileprivate var templates: [String] {
        let body: [String] =
            switch self.body {
            case nil: []
            case .text(let text), .json(let text), .file(let text): [text]
            }
        return headers.filter(\.isEnabled).flatMap { [$0.name, $0.value] } + body
    }
}
