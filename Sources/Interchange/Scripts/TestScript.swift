import RequestCollections

/// What a test script of Postman, Insomnia, Bruno or JetBrains' HTTP Client says, in `expect` and `capture`. Nothing is run: statements of
/// the forms that tests have are recognised. A statement that isn't understood wholly, or that our words can't say exactly, is left over; so
/// is what depends on what it may have done.
struct TestScript {
    private(set) var captures: [CaptureDefinition] = []
    private(set) var expectations: [ExpectationDefinition] = []
    /// Statements that are left over, as they stand in the script.
    private(set) var rest: [String] = []

    private let reader: ScriptReader
    /// What names stand for, in each of the functions and blocks around.
    private var scopes: [[String: ScriptValue]] = []
    /// Names that some function may change whenever it is called.
    private let volatile: Set<String>
    /// Where the statements stand that are left over.
    private var left: [Range<Int>] = []
    private var claims: [ExpectationSubject: Claim] = [:]
    private var subjects: [ExpectationSubject] = []
    private var found: [Capture] = []
    /// Variables of the collection that statements set or remove.
    private var changed: Set<String> = []
    private var changesAnything = false
    /// Parts of the body that must be there, or the script fails.
    private var needs = ScriptNeeds()
    /// The function was left, maybe.
    private var isDead = false

    private struct Claim {
        var value: ScriptValue
        var matchers: [Matcher] = []
    }

    private struct Capture {
        /// As the script has it: where it is set, and its name.
        var name: String
        var path: [ScriptValue.Step]?
        var definition: CaptureDefinition
        var tokens: Range<Int>
    }

    /// - Parameter text: the script; one that is no JavaScript is left over as a whole.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        guard let tokens = try? ScriptLexer.tokens(bytes), let reader = try? ScriptReader(tokens) else {
            (reader, volatile, rest) = (.empty, [], [text])
            return
        }
        self.reader = reader
        volatile = reader.changedInFunctions
        read(tokens.indices, isFunction: true)
        conclude()
        rest += Set(left).sorted { $0.lowerBound < $1.lowerBound }.map { range in
            String(
                decoding: bytes[tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound],
                as: UTF8.self)
        }
        // The script uses the body either as a text or as parsed JSON.
        if claims[.body] != nil, expectations.contains(where: { $0.subject.isFilter }) {
            expectations.removeAll { $0.subject == .body }
            rest.append("// what the body's text must be, beside what is in it")
        }
    }

    // MARK: What comes of it

    private mutating func conclude() {
        collectCaptures()
        claimNeeds()
        // Those of one kind stand side by side.
        func kind(_ subject: ExpectationSubject) -> Substring { subject.description.prefix { $0 != " " } }
        let kinds = subjects.map(kind)
        expectations = subjects.enumerated().sorted { one, other in
            (kinds.firstIndex(of: kinds[one.offset]) ?? 0, one.offset) < (
                kinds.firstIndex(of: kinds[other.offset]) ?? 0, other.offset
            )
        }
        .map { _, subject in
            let matchers = claims[subject]?.matchers ?? []
            return ExpectationDefinition(subject, matchers.count == 1 ? matchers[0] : .all(matchers), location: .none)
        }
    }

    /// A variable that is set in several ways, or under names that are one here, has nobody knows which value.
    private mutating func collectCaptures() {
        let groups = Dictionary(grouping: found, by: \.definition.name)
        var taken: Set<String> = []
        for capture in found where taken.insert(capture.definition.name).inserted {
            guard let group = groups[capture.definition.name], let last = group.last else { continue }
            let isSure = group.allSatisfy { $0.definition.fallback == nil } || Set(group.map(\.definition)).count == 1
            if isSure, Set(group.map(\.name)).count == 1, !changesAnything, !changed.contains(capture.definition.name) {
                captures.append(last.definition)
            } else {
                left += group.map(\.tokens)
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
        let sure = found.filter { $0.definition.fallback == nil && captures.contains($0.definition) }.compactMap(\.path)
        for path in sure { enclose(path) }
        for path in needs.paths.sorted(by: { $0.count > $1.count }) where !around.contains(path) {
            add([ScriptClaim(.json(path), .exists)])
            around.insert(path)
            enclose(path)
        }
        if needs.parses, sure.isEmpty, !subjects.contains(where: \.isFilter) { add([ScriptClaim(.json([]), .isDefined)]) }
    }

    private mutating func add(_ new: [ScriptClaim]) {
        for claim in new {
            guard let expectation = claim.value.expectation(claim.matcher) else { continue }
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

    // MARK: Statements

    private mutating func read(_ tokens: Range<Int>, isFunction: Bool) {
        let names = reader.declaredNames(in: tokens, isFunction: isFunction)
        scopes.append(Dictionary(uniqueKeysWithValues: names.map { ($0, .unknown) }))
        for statement in reader.statements(in: tokens) where isDead || !understands(statement) { leave(statement) }
        scopes.removeLast()
    }

    private mutating func leave(_ statement: ScriptStatement) {
        left.append(statement.tokens)
        let effects = ScriptEffects(statement.tokens, of: reader, in: self)
        changed.formUnion(effects.sets)
        changesAnything = changesAnything || effects.setsAnything
        if effects.leaves { isDead = true }
        for name in effects.assigned { set(name, .unknown) }
        guard effects.mutates else { return }
        for index in scopes.indices {
            scopes[index] = scopes[index].mapValues { $0.isShared || effects.isAnything ? .unknown : $0 }
        }
        // A list in a body that the program itself keeps.
        for name in ["res", "response"] where !isDeclared(name) { scopes[0][name] = .unknown }
    }

    /// - Returns: whether all of it is said. What is inside of a test or a block is left over by itself.
    private mutating func understands(_ statement: ScriptStatement) -> Bool {
        switch statement.kind {
        case .other: return false
        case .block(let inside):
            read(inside, isFunction: false)
            return true
        case .declare(let declared): return declared.allSatisfy { understands($0, $1) }
        case .condition(let condition, let inside): return understands(inside, when: condition)
        case .assign(.name(let name), let node):
            guard isHarmless(node) else { return false }
            needs.add(node, self)
            set(name, value(node))
            return true
        case .assign(.index(.name("tests"), let key), let condition) where !isDeclared("tests") && isHarmless(key):
            return requiring(condition) { $0.claim($0.claims(of: condition, isNegated: false, isStrict: false)) }
        case .assign: return false
        case .expression(let node): return requiring(node) { $0.understands(node, at: statement.tokens) }
        }
    }

    /// What an expression reads must be there, if it is understood.
    private mutating func requiring(_ node: ScriptNode, _ understands: (inout TestScript) -> Bool) -> Bool {
        var needs = ScriptNeeds()
        needs.add(node, self)
        guard understands(&self) else { return false }
        self.needs.add(needs, behind: [])
        return true
    }

    private mutating func understands(_ target: ScriptNode, _ node: ScriptNode?) -> Bool {
        guard let node else { return true }
        switch target {
        case .name(let name):
            guard isHarmless(node) else { return false }
            set(name, value(node))
        case .object(let members):
            // `{ id, name: title } = …`
            guard value(node) != .unknown else { return false }
            for member in members {
                let part = ScriptNode.member(node, member.name)
                guard case .name(let name) = member.value, value(part) != .unknown else { return false }
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
        scopes[scopes.lastIndex { $0[name] != nil } ?? 0][name] = volatile.contains(name) ? .unknown : value
    }

    /// Whether nothing is lost when it isn't run: it neither does anything nor can it fail, beyond what is claimed.
    private func isHarmless(_ node: ScriptNode) -> Bool {
        if value(node) != .unknown { return true }
        switch node {
        case .text, .number, .regex, .function: return true
        case .name(let name): return isDeclared(name)
        case .template(_, let nodes), .array(let nodes): return nodes.allSatisfy(isHarmless)
        case .object(let members): return members.allSatisfy { isHarmless($0.value) }
        case .unary(let sign, let inner): return sign != "?." && isHarmless(inner)
        case .binary(let sign, let left, let right):
            return !["&&", "||", "??"].contains(sign) && isHarmless(left) && isHarmless(right)
        case .call(let callee, let arguments): return builtin(callee) == "JSON.stringify" && arguments.allSatisfy(isHarmless)
        case .member, .index: return false
        }
    }

    // MARK: Conditions

    /// A condition that is claimed already always holds. Of any other only what is set is understood, when the condition asks whether that
    /// is there.
    private mutating func understands(_ inside: Range<Int>, when condition: ScriptNode) -> Bool {
        var guards: [[ScriptValue.Step]] = []
        var read = ScriptNeeds()
        for part in condition.conjuncts {
            var needs = ScriptNeeds()
            needs.add(part, self)
            read.add(needs, behind: guards)
            let claims = claims(of: part, isNegated: false, isStrict: false)
            let isSure = claims?.allSatisfy { claim in
                claim.value.expectation(claim.matcher).map { self.claims[$0.subject]?.matchers.contains($0.matcher) == true }
                    ?? false
            }
            if isSure == true { continue }
            guard let path = guardedPath(part) else { return false }
            guards.append(path)
        }
        if guards.isEmpty {
            self.read(inside, isFunction: false)
        } else {
            let statements = statements(in: inside)
            let captures = statements.compactMap { capture($0, below: guards) }
            guard captures.count == statements.count, !captures.isEmpty else { return false }
            found += captures
        }
        needs.add(read, behind: [])
        return true
    }

    /// Without the brackets around blocks.
    private func statements(in range: Range<Int>) -> [ScriptStatement] {
        reader.statements(in: range).flatMap { statement in
            if case .block(let inside) = statement.kind { statements(in: inside) } else { [statement] }
        }
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
        guard case .expression(let node) = statement.kind, var capture = capture(node, at: statement.tokens),
            let path = capture.path,
            guards.allSatisfy({ path.starts(with: $0) })
        else { return nil }
        capture.definition.fallback = .null
        return capture
    }

    // MARK: Expressions that are statements

    private mutating func claim(_ claims: [ScriptClaim]?) -> Bool {
        guard let claims, claims.allSatisfy({ $0.value.expectation($0.matcher) != nil }) else { return false }
        add(claims)
        return true
    }

    private mutating func understands(_ node: ScriptNode, at tokens: Range<Int>) -> Bool {
        switch node {
        case .name, .text: return isHarmless(node)
        case .call(let callee, let arguments):
            switch builtin(callee) {
            case "console.log", "console.info", "console.error", "console.warn", "console.table", "client.log", "console.clear":
                return arguments.allSatisfy(isHarmless)
            case "pm.test", "insomnia.test", "test", "client.test", "it", "bru.test":
                guard arguments.count == 2, isHarmless(arguments[0]),
                    case .function(hasParameters: false, runs: true, let body) = arguments[1]
                else { return false }
                let wasDead = isDead
                read(body, isFunction: true)
                isDead = wasDead
                return true
            case "client.assert":
                return arguments.first.map { claim(claims(of: $0, isNegated: false, isStrict: false)) } ?? false
            case let path? where Self.setters.contains(path):
                guard let capture = capture(node, at: tokens) else { return false }
                found.append(capture)
                return true
            default: break
            }
        default: break
        }
        return claim(assertion(node)) || value(node) != .unknown
    }

    private func capture(_ node: ScriptNode, at tokens: Range<Int>) -> Capture? {
        guard case .call(let callee, let arguments) = node, let setter = builtin(callee), Self.setters.contains(setter),
            arguments.count == 2, case .literal(.string(let name)) = value(arguments[0]), !name.isEmpty
        else { return nil }
        let value = value(arguments[1])
        if case .length(let path) = value, !isKnown(.json(path), to: .array) { return nil }
        guard let source = value.source else { return nil }
        return Capture(
            name: "\(setter) \(name)", path: value.path,
            definition: CaptureDefinition(
                name: VariableName.make(name), source: source, isSecret: SecretName.matches(name), location: .none), tokens: tokens)
    }

    // MARK: Names

    /// Whether the script may have changed a variable already.
    func isChanged(_ name: String) -> Bool {
        changesAnything || changed.contains(name) || found.contains { $0.definition.name == name }
    }

    func isDeclared(_ name: String) -> Bool { scopes.contains { $0[name] != nil } }

    func named(_ name: String) -> ScriptValue? { scopes.reversed().lazy.compactMap { $0[name] }.first }

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
