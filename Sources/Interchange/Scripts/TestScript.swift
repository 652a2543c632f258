import RequestCollections

/// What a test script of Postman, Insomnia, Bruno or JetBrains' HTTP Client says, in `expect` and `capture`. Nothing is run: what is read is
/// a subset of JavaScript. A statement that isn't understood wholly, or that our words can't say exactly, is left over; so is what depends
/// on what it may have done.
struct TestScript: Hashable {
    private(set) var captures: [CaptureDefinition] = []
    private(set) var expectations: [ExpectationDefinition] = []
    /// Statements that are left over, as they stand in the script.
    private(set) var rest: [String] = []

    private let scalars: [Unicode.Scalar]
    private var scopes: [Scope] = []
    /// Where the statements stand that are left over.
    private var left: [Range<Int>] = []
    private var claims: [ExpectationSubject: Claim] = [:]
    private var subjects: [ExpectationSubject] = []
    private var found: [Capture] = []
    /// Variables of the collection that statements set or remove.
    private var changed = ScriptEffects()
    /// What named functions may do when anything calls them.
    private var closures = ScriptEffects()
    /// Objects of the script have methods of their own.
    private(set) var hasMethods = false
    /// Parts of the body that must be there, or the script fails.
    private var needs = ScriptNeeds()
    /// The function was left, maybe.
    private var isDead = false

    private struct Scope: Hashable {
        var names: [String: ScriptValue]
        var isFunction: Bool
    }

    private struct Claim: Hashable {
        var value: ScriptValue
        var matchers: [Matcher] = []
    }

    private struct Capture: Hashable {
        /// As the script has it: where it is set, and its name.
        var name: String
        var path: [ScriptValue.Step]?
        var definition: CaptureDefinition
        var range: Range<Int>
    }

    /// - Parameter text: the script; one that is no JavaScript is left over as a whole.
    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        guard let statements = try? ScriptParser.statements(scalars) else {
            rest = [text]
            return
        }
        within(statements, isFunction: true) { script in
            var reader = ScriptEffectReader(script)
            reader.add(statements)
            script.closures = reader.closures
            script.hasMethods = reader.hasMethods
            script.read(statements)
        }
        conclude()
    }

    // MARK: What comes of it

    private mutating func conclude() {
        collectCaptures()
        claimNeeds()
        var kinds: [String] = []
        var byKind: [String: [ExpectationDefinition]] = [:]
        for subject in subjects {
            let matchers = claims[subject]?.matchers ?? []
            let kind = String(subject.description.prefix { $0 != " " })
            if byKind[kind] == nil { kinds.append(kind) }
            byKind[kind, default: []].append(
                ExpectationDefinition(subject, matchers.count == 1 ? matchers[0] : .all(matchers), location: .none))
        }
        // Those of one kind stand side by side.
        expectations = kinds.flatMap { byKind[$0] ?? [] }
        rest = Set(left).sorted { $0.lowerBound < $1.lowerBound }.map { String(String.UnicodeScalarView(scalars[$0])) }
        // The script uses the body either as a text or as parsed JSON.
        if claims[.body] != nil, expectations.contains(where: { $0.subject.isFilter }) {
            expectations.removeAll { $0.subject == .body }
            rest.append("// what the body's text must be, beside what is in it")
        }
    }

    /// A variable that is set in several ways, or under names that are one here, has nobody knows which value.
    private mutating func collectCaptures() {
        var groups: [String: [Capture]] = [:]
        for capture in found { groups[capture.definition.name, default: []].append(capture) }
        var taken: Set<String> = []
        for capture in found where taken.insert(capture.definition.name).inserted {
            guard let group = groups[capture.definition.name], let last = group.last else { continue }
            let isSure = group.allSatisfy { $0.definition.fallback == nil } || Set(group.map(\.definition)).count == 1
            if isSure, Set(group.map(\.name)).count == 1, !changed.setsAnything, !changed.sets.contains(capture.definition.name) {
                captures.append(last.definition)
            } else {
                left += group.map(\.range)
            }
        }
    }

    /// Adds claims for the parts of the body that the script reads, where no other claim covers them.
    private mutating func claimNeeds() {
        var around: Set<[ScriptValue.Step]> = []
        func enclose(_ path: [ScriptValue.Step]) { for end in path.indices { around.insert(Array(path[..<end])) } }
        for claim in claims.values {
            guard let path = claim.value.path else { continue }
            enclose(path)
            if claim.matchers.contains(where: \.impliesPresence) { around.insert(path) }
        }
        let isRead = !subjects.allSatisfy { !$0.isFilter }
        var isCaptured = false
        for capture in found where capture.definition.fallback == nil && captures.contains(capture.definition) {
            guard let path = capture.path else { continue }
            enclose(path)
            isCaptured = true
        }
        for path in needs.paths.sorted(by: { $0.count > $1.count }) where !around.contains(path) {
            add([ScriptClaim(.json(path), .exists)])
            around.insert(path)
            enclose(path)
        }
        if needs.parses, !isRead, !isCaptured, !subjects.contains(where: \.isFilter) {
            add([ScriptClaim(.json([]), .isDefined)])
        }
    }

    private mutating func add(_ new: [ScriptClaim]) {
        for claim in new {
            guard let expectation = claim.expectation else { continue }
            if claims[expectation.subject] == nil { subjects.append(expectation.subject) }
            var known = claims[expectation.subject] ?? Claim(value: claim.value)
            if !known.matchers.contains(expectation.matcher) { known.matchers.append(expectation.matcher) }
            claims[expectation.subject] = known
        }
    }

    // MARK: What is known of the body

    /// What is claimed of it already: without that the response fails, whatever else is claimed.
    private func isClaimed(_ value: ScriptValue, _ test: (Matcher) -> Bool) -> Bool {
        guard let subject = value.expectation(.exists)?.subject else { return false }
        return claims[subject]?.matchers.contains(where: test) == true
    }

    func isKnown(_ value: ScriptValue, to be: Matcher.ValueType) -> Bool { isClaimed(value) { $0.implies(be) } }

    /// Null is there, too.
    func isKnownToBeThere(_ value: ScriptValue) -> Bool { isClaimed(value) { $0 == .isDefined || $0.impliesPresence } }

    private func isClaimed(_ claim: ScriptClaim) -> Bool {
        guard let expectation = claim.expectation else { return false }
        return claims[expectation.subject]?.matchers.contains(expectation.matcher) == true
    }

    // MARK: Statements

    /// Reads statements with the names that they declare.
    private mutating func within(
        _ statements: [ScriptStatement], isFunction: Bool, _ read: (inout TestScript) -> Void
    ) {
        let names = isFunction ? statements.ownNames.union(statements.functionNames) : statements.ownNames
        scopes.append(Scope(names: Dictionary(uniqueKeysWithValues: names.map { ($0, .unknown) }), isFunction: isFunction))
        read(&self)
        scopes.removeLast()
    }

    private mutating func read(_ statements: [ScriptStatement]) {
        for statement in statements where isDead || !understands(statement) { leave(statement) }
    }

    private mutating func leave(_ statement: ScriptStatement) {
        left.append(statement.range)
        var reader = ScriptEffectReader(self)
        reader.add(statement)
        var effects = reader.effects
        if effects.mutates { effects.formUnion(closures) }
        changed.formUnion(effects)
        if effects.leaves { isDead = true }
        for name in effects.assigned { set(name, .unknown) }
        guard effects.mutates || effects.isAnything else { return }
        for index in scopes.indices {
            scopes[index].names = scopes[index].names.mapValues { $0.isShared || effects.isAnything ? .unknown : $0 }
        }
        // A list in a body that the program itself keeps.
        for name in ["res", "response"] where !isDeclared(name) { scopes[0].names[name] = .unknown }
    }

    /// - Returns: whether all of it is said. What is inside of a test or a block is left over by itself.
    private mutating func understands(_ statement: ScriptStatement) -> Bool {
        switch statement.kind {
        case .other, .leave, .function: return false
        case .block(let inside):
            within(inside, isFunction: false) { $0.read(inside) }
            return true
        case .declare(_, let declarators): return declarators.allSatisfy { understands($0) }
        case .condition(let condition, let inside, nil): return understands(inside, when: condition)
        case .condition: return false
        case .expression(let node): return understands(node, at: statement.range)
        }
    }

    private mutating func understands(_ declarator: ScriptStatement.Declarator) -> Bool {
        guard let node = declarator.value else {
            if case .name = declarator.target { return true }
            return false
        }
        switch declarator.target {
        case .name(let name):
            guard isHarmless(node) else { return false }
            set(name, value(node))
        case .object(let members):
            // `{ id, name: title } = …`
            guard value(node) != .unknown else { return false }
            for member in members {
                guard let key = member.name, case .name(let name) = member.value else { return false }
                let part = ScriptNode.member(node, key)
                guard value(part) != .unknown else { return false }
                needs.add(part, self)
                set(name, value(part))
            }
        default: return false
        }
        needs.add(node, self)
        return true
    }

    /// A name that nothing declares is everybody's.
    private mutating func set(_ name: String, _ value: ScriptValue) {
        scopes[scopes.lastIndex { $0.names[name] != nil } ?? 0].names[name] = value
    }

    /// Whether nothing is lost when it isn't run: it neither does anything nor can it fail, beyond what is claimed.
    private func isHarmless(_ node: ScriptNode) -> Bool {
        if value(node) != .unknown { return true }
        switch node {
        case .text, .number, .regex, .function: return true
        case .name(let name): return isDeclared(name)
        case .template(_, let nodes), .array(let nodes): return nodes.allSatisfy(isHarmless)
        case .object(let members): return members.allSatisfy { isHarmless($0.value) }
        case .unary(let sign, let inner): return ["!", "-", "+", "typeof"].contains(sign) && isHarmless(inner)
        case .binary(let sign, let left, let right):
            return !["in", "instanceof", "&&", "||", "??"].contains(sign) && isHarmless(left) && isHarmless(right)
        case .call(let callee, let arguments):
            return builtin(callee) == "JSON.stringify" && arguments.allSatisfy(isHarmless)
        default: return false
        }
    }

    // MARK: Conditions

    /// A condition that is claimed already always holds. Of any other only what is set is understood, when the condition asks whether that
    /// is there.
    private mutating func understands(_ inside: [ScriptStatement], when condition: ScriptNode) -> Bool {
        var guards: [[ScriptValue.Step]] = []
        var isSure = true
        var read = ScriptNeeds()
        for part in condition.conjuncts {
            var needs = ScriptNeeds()
            needs.add(part, self)
            read.add(needs, behind: guards)
            if let claims = claims(of: part, isNegated: false, isStrict: false), claims.allSatisfy({ isClaimed($0) }) { continue }
            guard let path = guardedPath(part) else { return false }
            guards.append(path)
            isSure = false
        }
        if isSure {
            within(inside, isFunction: false) { $0.read(inside) }
        } else {
            let inside = inside.flattened
            let captures = inside.compactMap { capture($0, below: guards) }
            guard captures.count == inside.count, !captures.isEmpty else { return false }
            for capture in captures { collect(capture) }
        }
        needs.add(read, behind: [])
        return true
    }

    /// `.a` of `a`, `a != null`, `a !== undefined`.
    private func guardedPath(_ condition: ScriptNode) -> [ScriptValue.Step]? {
        switch condition {
        case .binary("!=", let inner, .name("undefined")), .binary("!=", let inner, .name("null")),
            .binary("!==", let inner, .name("undefined")), .binary("!==", let inner, .name("null")):
            guardedPath(inner)
        default: if case .json(let path) = value(condition) { path } else { nil }
        }
    }

    private func capture(_ statement: ScriptStatement, below guards: [[ScriptValue.Step]]) -> Capture? {
        guard case .expression(let node) = statement.kind, var capture = capture(node, at: statement.range),
            let path = capture.path, guards.allSatisfy({ path.starts(with: $0) })
        else { return nil }
        capture.definition.fallback = .null
        return capture
    }

    // MARK: Expressions that are statements

    private mutating func understands(_ node: ScriptNode, at range: Range<Int>) -> Bool {
        var needs = ScriptNeeds()
        needs.add(node, self)
        guard understandsWholly(node, at: range) else { return false }
        self.needs.add(needs, behind: [])
        return true
    }

    private mutating func understandsWholly(_ node: ScriptNode, at range: Range<Int>) -> Bool {
        switch node {
        case .assign("=", .index(.name("tests"), let key), let condition) where !isDeclared("tests"):
            guard isHarmless(key) else { return false }
            return claim(claims(of: condition, isNegated: false, isStrict: false))
        case .assign("=", .name(let name), let node):
            guard isHarmless(node) else { return false }
            set(name, value(node))
            return true
        case .call(let callee, let arguments): return understandsCall(callee, arguments, at: range)
        case .name, .text: return isHarmless(node)
        default: return claim(assertion(node)) || value(node) != .unknown
        }
    }

    private mutating func claim(_ claims: [ScriptClaim]?) -> Bool {
        guard let claims, claims.allSatisfy({ $0.expectation != nil }) else { return false }
        add(claims)
        return true
    }

    private mutating func understandsCall(_ callee: ScriptNode, _ arguments: [ScriptNode], at range: Range<Int>) -> Bool {
        switch builtin(callee) {
        case "console.log", "console.info", "console.error", "console.warn", "console.table", "client.log", "console.clear":
            return arguments.allSatisfy(isHarmless)
        case "pm.test", "insomnia.test", "test", "client.test", "it", "bru.test":
            guard arguments.count == 2, isHarmless(arguments[0]), case .function(let function) = arguments[1], function.runs,
                function.parameters.isEmpty
            else { return false }
            let wasDead = isDead
            within(function.body, isFunction: true) { $0.read(function.body) }
            isDead = wasDead
            return true
        case "client.assert":
            guard let condition = arguments.first else { return false }
            return claim(claims(of: condition, isNegated: false, isStrict: false))
        case let path? where Self.setters.contains(path):
            guard let capture = capture(.call(callee, arguments), at: range) else { return false }
            collect(capture)
            return true
        default:
            let node = ScriptNode.call(callee, arguments)
            return claim(assertion(node)) || value(node) != .unknown
        }
    }

    // MARK: Captures

    private mutating func collect(_ capture: Capture) {
        found.append(capture)
    }

    private func capture(_ node: ScriptNode, at range: Range<Int>) -> Capture? {
        guard case .call(let callee, let arguments) = node, let setter = builtin(callee), Self.setters.contains(setter),
            arguments.count == 2, case .literal(.string(let name)) = value(arguments[0]), !name.isEmpty
        else { return nil }
        let value = value(arguments[1])
        if case .length(let path) = value, !isKnown(.json(path), to: .array) { return nil }
        guard let source = value.source else { return nil }
        return Capture(
            name: "\(setter) \(name)", path: value.path,
            definition: CaptureDefinition(
                name: VariableName.make(name), source: source, isSecret: SecretName.matches(name), location: .none), range: range)
    }

    /// Whether the script may have changed a variable already.
    func isChanged(_ name: String) -> Bool {
        changed.setsAnything || changed.sets.contains(name) || found.contains { $0.definition.name == name }
    }

    // MARK: Names

    func isDeclared(_ name: String) -> Bool { scopes.contains { $0.names[name] != nil } }

    func named(_ name: String) -> ScriptValue? { scopes.reversed().lazy.compactMap { $0.names[name] }.first }

    /// `pm.response.code` as a text; `nil` for what isn't names with dots, or has another meaning in this script.
    func builtin(_ node: ScriptNode) -> String? {
        switch node {
        case .name(let name): isDeclared(name) ? nil : name
        case .member(let inner, let name): builtin(inner).map { "\($0).\(name)" }
        default: nil
        }
    }
}

extension ExpectationSubject {
    fileprivate var isFilter: Bool { if case .filter = self { true } else { false } }
}
