import NetworkLayer
import OrderedCollections

/// The variables that a request sees, and what its templates become.
struct VariableScope {
    let collection: RequestCollection
    /// Whose templates they are: `response("login")` finds its neighbours first.
    let request: RequestID?
    private(set) var sources: TemplateEnvironment
    /// The first item of each loop whose file was read.
    var firstItems: [SourceLocation: JSONValue] = [:]
    var generator: SplitMix64
    /// Whether a value was used that may differ the next time: the clock, a random value, a file, an answer of a person or a server.
    var takesWhatChanges = false
    /// What was asked for and has no answer yet.
    private(set) var unmet: [UnmetRequirement] = []
    private let given: [String: JSONValue]
    /// Those among them that nobody may see, whatever the collection says of them, with the origins that they are for.
    private let givenSecrets: [String: [OriginPattern]]
    /// The nearest first.
    private var layers: [Layer]
    private let environment: String?
    /// Variables filled in so far: a few that each name another twice would otherwise take for ever.
    private var expansions = 0
    /// The variables in use at the moment, to find circles.
    private(set) var stack: [String] = []
    /// A longer chain would need more stack than a thread has.
    static let longestStack = 100
    /// What they want of the machine, in that order, each once.
    private(set) var wants: [NotedWant] = []
    /// The files that are read or sent; their paths are relative to the current directory.
    var files: [(path: String, location: SourceLocation?)] = []
    /// Where the collection lies.
    private(set) lazy var place = CollectionPlace(collection.path)
    /// Whose responses are in them, and which servers gave these, as far as that is known.
    private(set) var answers: [RequestID: Set<Origin>] = [:]
    /// While a command is judged: what stands for servers' answers among its words, and the files whose text is.
    var answersTaken: [String] = []
    var filesRead: [String] = []
    private(set) var used: [ValueOrigin] = []
    /// The variables that earlier steps of the session which is filled in give a value when it is open.
    var pending: Set<String> = []
    /// Whether one of them was asked for.
    var readsPending = false
    /// The texts that must not be shown.
    var secretTexts: Set<String> = []

    private struct Layer {
        var source: ValueOrigin.Source
        var variables: [String: VariableDefinition]
    }

    init(
        _ collection: RequestCollection, environment: String?, given: [String: JSONValue],
        givenSecrets: [String: [OriginPattern]] = [:],
        sources: TemplateEnvironment, for definition: RequestDefinition? = nil
    ) throws(ResolutionError) {
        var layers = definition.map { Self.layers(around: $0, in: collection) } ?? []
        var extended: String?
        var seen: Set<String> = []
        var next = environment
        while let name = next, seen.insert(name).inserted {
            guard let definition = collection.environments[name] else {
                throw Self.unknownEnvironment(name, extendedBy: extended, in: collection)
            }
            extended = environment
            layers.append(Layer(source: .environment(name), variables: Self.byName(definition.variables)))
            next = definition.extends
        }
        if let name = next, let definition = environment.flatMap({ collection.environments[$0] }) {
            throw ResolutionError(
                .environment, "the environment `\(definition.name)` extends `\(name)`, which extends itself",
                at: definition.location)
        }
        layers.append(Layer(source: .variables(nil), variables: Self.byName(collection.variables)))
        self.given = given
        self.givenSecrets = givenSecrets
        self.layers = layers
        self.environment = environment
        self.collection = collection
        request = definition?.id
        self.sources = sources
        generator = SplitMix64(seed: sources.seed)
    }

    /// The same as one request sees it, where a scope that knows none is shared by many.
    func around(_ definition: RequestDefinition) -> VariableScope {
        let own = Self.layers(around: definition, in: collection)
        guard !own.isEmpty else { return self }
        var scope = self
        scope.layers = own + layers
        return scope
    }

    /// What the request and its folders say, which is nearer than any environment.
    private static func layers(around definition: RequestDefinition, in collection: RequestCollection) -> [Layer] {
        var layers: [Layer] = []
        if let items = firstItems(around: definition, in: collection) { layers.append(items) }
        if !definition.variables.isEmpty { layers.append(Layer(source: .request, variables: byName(definition.variables))) }
        for folder in collection.folders(around: definition.id).reversed() where !folder.variables.isEmpty {
            layers.append(Layer(source: .variables(folder.id), variables: byName(folder.variables)))
        }
        return layers
    }

    /// What is sent once for each item is shown, and sent by itself, for the first one.
    private static func firstItems(around definition: RequestDefinition, in collection: RequestCollection) -> Layer? {
        let loops = collection.loops(of: definition).map(\.definition)
        var variables = loops.flatMap { loop in
            loop.items.prefix(1).flatMap { loop.variables(of: $0) }.map { name, value in
                VariableDefinition(name: name, value: .json(value.text(pretty: false)), location: loop.location)
            }
        }
        if let loop = definition.forEach ?? loops.last {
            variables += ForEachDefinition.place(0).map { name, value in
                VariableDefinition(name: name, value: .json(value.text(pretty: false)), location: loop.location)
            }
        }
        return variables.isEmpty ? nil : Layer(source: .item, variables: byName(variables))
    }

    private static func byName(_ variables: [VariableDefinition]) -> [String: VariableDefinition] {
        Dictionary(variables.map { ($0.name, $0) }) { first, _ in first }
    }

    private static func unknownEnvironment(
        _ name: String, extendedBy: String?, in collection: RequestCollection
    ) -> ResolutionError {
        let names = collection.environments.keys
        if let extendedBy, let definition = collection.environments[extendedBy] {
            return ResolutionError(
                .environment,
                "the environment `\(extendedBy)` extends `\(name)`, which isn't there\(suggestion(for: name, in: names))",
                at: definition.location)
        }
        let near = suggestion(for: name, in: names)
        let known = names.isEmpty ? "; the collection has none" : "; there are \(names.joined(separator: ", "))"
        return ResolutionError(.environment, "there is no environment `\(name)`\(near.isEmpty ? known : near)")
    }

    /// The text with its templates filled in.
    mutating func text(_ text: String, at location: SourceLocation?) throws(ResolutionError) -> LabelledText {
        guard Template.isIn(text) else { return LabelledText(text) }
        return try self.text(of: parse(text, at: location), at: location)
    }

    mutating func text(of template: Template, at location: SourceLocation?) throws(ResolutionError) -> LabelledText {
        var result = LabelledText()
        for segment in template.segments {
            switch segment {
            case .text(let text): result += text
            case .expression(let node): result += try textValue(of: node, at: location)
            }
            guard result.text.utf8.count <= Limits.textLength else {
                throw ResolutionError(
                    .template, "the text is longer than \(Limits.textLength) bytes when it is filled in", at: location)
            }
        }
        return result
    }

    /// The value, with its type when the text is one template alone.
    mutating func value(_ text: String, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue {
        guard Template.isIn(text) else { return .string(text) }
        let template = try parse(text, at: location)
        if let node = template.onlyExpression { return try value(of: node, at: location) }
        return LabelledValue(try self.text(of: template, at: location))
    }

    /// A value in the midst of a text.
    ///
    /// - Throws: for `null`, which is no text: what is sent without it would be another request.
    mutating func textValue(of node: TemplateNode, at location: SourceLocation?) throws(ResolutionError) -> LabelledText {
        let value = try value(of: node, at: location)
        guard value.value != .null else {
            let name = if case .variable(let name) = node.expression { "`\(name)`" } else { "a value" }
            throw ResolutionError(
                .template, "\(name) is null here, and a text can't have that in it; `default(\"\")` gives it one", at: location)
        }
        return value.text
    }

    func parse(_ text: String, at location: SourceLocation?) throws(ResolutionError) -> Template {
        do throws(TemplateError) {
            return try Template(text)
        } catch {
            throw ResolutionError(.template, error.message, at: location)
        }
    }

    private enum Limits {
        static let expansions = 10_000
        /// Bytes.
        static let textLength = 16 << 20
    }

    mutating func value(of name: String, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue {
        expansions += 1
        guard expansions <= Limits.expansions else {
            throw ResolutionError(.template, "the request takes more than \(Limits.expansions) variables to fill in", at: location)
        }
        if let value = given[name] {
            note(name, .given, nil)
            if let origins = givenSecrets[name] { return secret(value, SecretLabel(name, .session, for: origins)) }
            guard isSecret(name) else { return hidden(LabelledValue(value), called: name) }
            return secret(value, SecretLabel(name, .given, for: origins(of: name)))
        }
        if !collection.captors(of: name).isEmpty { takesWhatChanges = true }
        if pending.contains(name) {
            readsPending = true
            return .string("‹\(name) of \(request?.rawValue ?? "")›")
        }
        // Only a run shows which answer comes, and whether one comes at all.
        if sources.mode.judges, let request = sources.captured[name]?.request ?? captor(of: name)?.request {
            answersTaken.append("‹\(name) of \(request)›")
            return .string("‹\(name) of \(request)›")
        }
        if let captured = sources.captured[name] {
            note(name, .captured(captured.request), nil)
            noteAnswer(of: captured.request, by: captured.servers)
            guard captured.isSecret || isSecret(name) else { return hidden(LabelledValue(captured.value), called: name) }
            return secret(captured.value, SecretLabel(name, .response(captured.request), for: origins(of: name)))
        }
        guard let layer = layers.first(where: { $0.variables[name] != nil }), let definition = layer.variables[name] else {
            if sources.showsPlaceholders, let (request, capture) = captor(of: name) {
                note(name, .captured(request), capture.location)
                noteAnswer(of: request, by: sources.destinations[request].map { [$0] } ?? [])
                let labels = capture.isSecret ? [SecretLabel(name, .response(request))] : []
                return LabelledValue(.string("‹\(name) of \(request)›"), labels: labels)
            }
            if let item = try item(name, at: location) { return item }
            if let member = try member(name, at: location) { return member }
            throw unresolved(name, at: location)
        }
        if stack.contains(name) {
            let circle = stack.drop { $0 != name } + [name]
            throw ResolutionError(
                .cycle, "the variables need each other in a circle: \(circle.joined(separator: " → "))", at: definition.location)
        }
        guard stack.count < Self.longestStack else {
            throw ResolutionError(
                .cycle, "`\(stack[0])` leads from one variable to the next more than \(Self.longestStack) times",
                at: definition.location)
        }
        note(name, layer.source, definition.location)
        stack.append(name)
        defer { stack.removeLast() }
        switch definition.value {
        case .text(let text):
            return hidden(try value(text, at: definition.location), called: name)
        case .json(let text):
            guard Template.isIn(text) else { return hidden(LabelledValue(JSONParser.parse(text) ?? .string(text)), called: name) }
            let filled = try json(text, at: definition.location)
            return JSONParser.parse(filled.text).map { LabelledValue($0, labels: filled.labels) } ?? LabelledValue(filled)
        case .secret(let reference):
            let environment: String? = if case .environment(let name) = layer.source { name } else { nil }
            let label = SecretLabel(name, .reference(reference, environment: environment), for: definition.origins)
            let secret = permitted(reference, at: definition.location)
            return try answer(.secret(reference), label, secret: secret, at: definition.location)
        }
    }

    /// The value of a variable that is a credential by its name isn't shown, wherever it comes from. Sending it needs no permission, unlike
    /// that of a secret of this machine.
    mutating func hidden(_ value: LabelledValue, called name: String) -> LabelledValue {
        guard value.labels.isEmpty, value.value.scalar?.isEmpty == false, Redaction.standard.redacts(variable: name) else {
            return value
        }
        return secret(value.value, SecretLabel(name, .literal))
    }

    /// Whether the file says that the variable is a secret, wherever its value comes from in the end.
    private func isSecret(_ name: String) -> Bool {
        guard let definition = definition(of: name), case .secret = definition.value else { return false }
        return true
    }

    private func origins(of name: String) -> [OriginPattern]? { definition(of: name)?.origins }

    private func definition(of name: String) -> VariableDefinition? { layers.lazy.compactMap { $0.variables[name] }.first }

    /// The answer, or a placeholder until there is one.
    ///
    /// - Parameters:
    ///   - label: what the answer is known by, where nobody may see it.
    ///   - secret: permission to read it there.
    ///   - permit: permission for the command that gives it.
    mutating func answer(
        _ requirement: TemplateRequirement, _ label: SecretLabel? = nil, secret: PermittedSecret? = nil, permit: Permission? = nil,
        at location: SourceLocation?
    ) throws(ResolutionError) -> LabelledValue {
        takesWhatChanges = true
        if case .response(let response) = requirement {
            let server = sources.answers[requirement]?.server ?? sources.destinations[response.request]
            noteAnswer(of: response.request, by: server.map { [$0] } ?? [])
        }
        guard let answer = sources.answer(to: requirement) else {
            if !unmet.contains(where: { $0.requirement == requirement }) {
                let variable: String? = if case .secret = requirement { label?.name } else { nil }
                unmet.append(UnmetRequirement(requirement, secret: secret, permit: permit, variable: variable, at: location))
            }
            return LabelledValue(.string(requirement.placeholder), labels: label.map { [$0] } ?? [])
        }
        guard let label = label ?? (answer.isSecret ? requirement.label : nil) else { return LabelledValue(answer.value) }
        // A mask is no secret; what is made of a placeholder of somebody else's is none to show.
        return sources.masks ? LabelledValue(answer.value, labels: [label]) : self.secret(answer.value, label)
    }

    /// Everything in it is a secret from now on.
    mutating func secret(_ value: JSONValue, _ label: SecretLabel) -> LabelledValue {
        secretTexts.formUnion(value.leafTexts)
        return LabelledValue(value, labels: [label])
    }

    /// What is made of several values; of a secret it is one, too.
    mutating func derived(_ text: String, from labels: [SecretLabel]) -> LabelledText {
        // Made of a mask it would be a value that is sent by nobody.
        let isMask = sources.masks && !labels.isEmpty
        if !labels.isEmpty, !text.isEmpty, !isMask { secretTexts.insert(text) }
        return LabelledText(isMask ? Redactor.mask : text, labels: labels)
    }

    private mutating func noteAnswer(of request: RequestID, by servers: Set<Origin>) {
        answers[request, default: []].formUnion(servers)
    }

    mutating func note(_ want: NotedWant) {
        if !wants.contains(where: { $0.want == want.want }) { wants.append(want) }
    }

    /// The same scope for judging a command: its constants are filled in, and for everything else stands what it is.
    func judging() -> VariableScope {
        var scope = self
        scope.sources = sources.judging
        scope.answersTaken = []
        scope.filesRead = []
        return scope
    }

    /// Whether something gives the variable a value, or would.
    func isKnown(_ name: String) -> Bool {
        given[name] != nil || sources.captured[name] != nil || definition(of: name) != nil || captor(of: name) != nil
    }

    /// Which level sets a variable.
    func source(of name: String) -> ValueOrigin.Source? { layers.first { $0.variables[name] != nil }?.source }

    private mutating func note(_ name: String, _ source: ValueOrigin.Source, _ location: SourceLocation?) {
        let origin = ValueOrigin(.variable(name), from: source, at: location)
        if !used.contains(origin) { used.append(origin) }
    }

    /// Every level that sets a variable, the nearest first, with its text as it stands in the file.
    func definitions(of name: String) -> [(source: ValueOrigin.Source, text: String, location: SourceLocation)] {
        layers.compactMap { layer in
            guard let definition = layer.variables[name] else { return nil }
            let text =
                switch definition.value {
                case .text(let text), .json(let text): text
                case .secret: Redactor.mask
                }
            return (layer.source, text, definition.location)
        }
    }

    /// The first request whose response gives the variable a value.
    private func captor(of name: String) -> (request: RequestID, capture: CaptureDefinition)? {
        let captors = collection.captors(of: name)
        return captors.first { $0.request != request } ?? captors.first
    }

    /// Whether a file or an answer gives it, be it in another environment.
    func isGivenSomewhere(_ name: String) -> Bool {
        captor(of: name) != nil || collection.environments.values.contains { $0.variables.contains { $0.name == name } }
    }

    private func unresolved(_ name: String, at location: SourceLocation?) -> ResolutionError {
        var error = ResolutionError(.variable, reason(for: name), at: location)
        error.variable = name
        return error
    }

    /// Why it has no value, and the way out.
    private func reason(for name: String) -> String {
        let place = environment.map { " in the environment `\($0)`" } ?? ""
        let others = collection.environments.values.filter { $0.variables.contains { $0.name == name } }
        let owners = others.isEmpty ? collection.owners(of: name) : []
        if !owners.isEmpty {
            let list = owners.prefix(3).map { "`\($0)`" }.joined(separator: ", ") + (owners.count > 3 ? ", …" : "")
            let verb = owners.count == 1 ? "sets it, for itself" : "set it, each for itself"
            return "the variable `\(name)` has no value here: only \(list) \(verb)"
        }
        if !others.isEmpty {
            let list = others.map { "`\($0.name)`" }.joined(separator: ", ")
            return "the variable `\(name)` has no value\(place.isEmpty ? " without an environment" : place); \(list) would set it"
        }
        if let (captor, _) = captor(of: name), captor == request {
            return
                "the variable `\(name)` has no value yet: only `\(captor)` itself captures it; give it a first one in `variables`, or "
                + "with `{{\(name) | default(\"…\")}}`"
        }
        if let (captor, _) = captor(of: name) {
            return "the variable `\(name)` has no value yet: `\(captor)` captures it; send that first, or give this request "
                + "`needs: \(captor)`"
        }
        let known = layers.flatMap(\.variables.keys) + given.keys + sources.captured.keys
        return "the variable `\(name)` has no value\(place)\(suggestion(for: name, in: known.sorted()))"
    }
}
