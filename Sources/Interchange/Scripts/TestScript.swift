import OrderedCollections
import RequestCollections

/// What a test script of Postman, Insomnia, Bruno or JetBrains' HTTP Client says, in `expect` and `capture`. Nothing is run: statements of
/// the forms that tests have are recognised. A statement that isn't understood wholly, or that our words can't say exactly, is left over; so
/// is what depends on what it may have done.
struct TestScript {
    private(set) var captures: [CaptureDefinition] = []
    private(set) var expectations: [ExpectationDefinition] = []
    /// Statements that are left over, as they stand in the script.
    private(set) var rest: [String] = []

    // Where it is read.
    var tokens: [ScriptToken] = []
    /// By the place of a bracket, that of the other one of the pair.
    var partners: [Int: Int] = [:]
    var position = 0
    var end = 0
    var depth = 0

    // What the current statement reads of the body, and whether nothing is lost when it isn't run: it neither does anything nor can it
    // fail, beyond what is claimed.
    var needs = ScriptNeeds()
    var isHarmless = true

    /// What names stand for, in each of the functions and blocks around.
    private var scopes: [[String: ScriptValue]] = [[:]]
    private var claims: OrderedDictionary<ExpectationSubject, Claim> = [:]
    private var found: [Capture] = []
    /// Where the statements stand that are left over.
    private var left: [Range<Int>] = []
    /// Variables of the collection that statements set or remove.
    private var changed: Set<String> = []
    private var changesAnything = false
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
        do throws(ScriptError) { try start(bytes) } catch {
            rest = [text]
            return
        }
        read(tokens.indices, isFunction: true)
        conclude()
        rest = Set(left).sorted { $0.lowerBound < $1.lowerBound }.map { range in
            let place = tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
            return String(decoding: bytes[place], as: UTF8.self)
        }
        // The script uses the body either as a text or as parsed JSON.
        let isParsed = expectations.contains { if case .filter = $0.subject { true } else { false } }
        if claims[.body] != nil, isParsed {
            expectations.removeAll { $0.subject == .body }
            rest.append("// what the body's text must be, beside what is in it")
        }
    }

    /// What an expression alone stands for; `nil` for one that isn't read.
    static func value(of text: String) -> ScriptValue? {
        var script = TestScript("")
        guard (try? script.start(Array(text.utf8))) != nil, let value = try? script.expression(), script.position == script.end
        else {
            return nil
        }
        return value
    }

    private mutating func start(_ bytes: [UInt8]) throws(ScriptError) {
        tokens = try ScriptLexer.tokens(bytes)
        partners = try Self.partners(tokens)
        end = tokens.count
    }

    // MARK: What comes of it

    private mutating func conclude() {
        collectCaptures()
        claimNeeds()
        // Those of one kind stand side by side.
        func kind(_ subject: ExpectationSubject) -> Substring { subject.description.prefix { $0 != " " } }
        let groups = OrderedDictionary(grouping: claims.keys, by: kind)
        expectations = groups.values.joined().map { subject in
            let matchers = claims[subject]?.matchers ?? []
            return ExpectationDefinition(subject, matchers.count == 1 ? matchers[0] : .all(matchers), location: .none)
        }
    }

    /// A variable that is set in several ways, or under names that are one here, has nobody knows which value.
    private mutating func collectCaptures() {
        for (name, group) in OrderedDictionary(grouping: found, by: \.definition.name) {
            let isSure = group.allSatisfy { $0.definition.fallback == nil } || Set(group.map(\.definition)).count == 1
            if isSure, Set(group.map(\.name)).count == 1, !changesAnything, !changed.contains(name) {
                captures.append(group[group.count - 1].definition)
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
            _ = claim([ScriptClaim(.json(path), .exists)])
            around.insert(path)
            enclose(path)
        }
        let isRead = claims.keys.contains { if case .filter = $0 { true } else { false } }
        if needs.parses, sure.isEmpty, !isRead { _ = claim([ScriptClaim(.json([]), .isDefined)]) }
    }

    /// - Returns: whether all of them can be said.
    private mutating func claim(_ new: [ScriptClaim]?) -> Bool {
        guard let new, new.allSatisfy({ $0.value.subject != nil }) else { return false }
        for claim in new {
            guard let expectation = claim.value.expectation(claim.matcher) else { continue }
            var known = claims[expectation.subject] ?? Claim(value: claim.value)
            if !known.matchers.contains(expectation.matcher) { known.matchers.append(expectation.matcher) }
            claims[expectation.subject] = known
        }
        return true
    }

    // MARK: What is known

    /// What is claimed of it already: without that the response fails, whatever else is claimed.
    private func isClaimed(_ value: ScriptValue, _ test: (Matcher) -> Bool) -> Bool {
        value.subject.flatMap { claims[$0] }?.matchers.contains(where: test) == true
    }

    func isKnown(_ value: ScriptValue, to be: Matcher.ValueType) -> Bool { isClaimed(value) { $0.implies(be) } }

    /// Null is there, too.
    func isKnownToBeThere(_ value: ScriptValue) -> Bool { isClaimed(value) { $0 == .isDefined || $0.impliesPresence } }

    /// Whether the script may have changed a variable already.
    func isChanged(_ name: String) -> Bool {
        changesAnything || changed.contains(name) || found.contains { $0.definition.name == name }
    }

    func named(_ name: String) -> ScriptValue? { scopes.reversed().lazy.compactMap { $0[name] }.first }

    /// A name that nothing declares is everybody's.
    private mutating func set(_ name: String, _ value: ScriptValue) {
        scopes[scopes.lastIndex { $0[name] != nil } ?? 0][name] = value.isKnown ? value : .unknown
    }

    // MARK: Statements

    private mutating func read(_ range: Range<Int>, isFunction: Bool) {
        let outside = (position, end)
        (position, end) = (range.lowerBound, range.upperBound)
        scopes.append(Dictionary(uniqueKeysWithValues: declaredNames(in: range, isFunction: isFunction).map { ($0, .unknown) }))
        while position < end {
            if consume(";") { continue }
            let start = position
            var script = self
            (script.needs, script.isHarmless) = (ScriptNeeds(), true)
            if !isDead, (try? script.statement()) != nil {
                script.needs.add(needs)
                self = script
            } else {
                skip()
                leave(start..<position)
            }
        }
        scopes.removeLast()
        (position, end) = outside
    }

    /// What is inside of a test or a block is left over by itself.
    ///
    /// - Throws: where not all of it can be said.
    private mutating func statement() throws(ScriptError) {
        depth += 1
        defer { depth -= 1 }
        guard depth < 30 else { throw ScriptError() }
        let start = position
        switch word() {
        case nil where sign() == "{":
            guard let close = partners[position] else { throw ScriptError() }
            read(position + 1..<close, isFunction: false)
            position = close + 1
        case "var", "let", "const":
            position += 1
            repeat { try declaration() } while consume(",")
            try finish()
        case "if": try condition()
        case let name? where sign(at: 1) == "=":
            position += 2
            try assign(name)
            try finish()
        case "tests" where sign(at: 1) == "[" && named("tests") == nil:
            position += 2
            _ = try expression()
            try expect("]")
            try expect("=")
            guard isHarmless, claim(claims(of: try expression())) else { throw ScriptError() }
            try finish()
        default:
            let value = try expression()
            try finish()
            guard understands(value, at: start..<position) else { throw ScriptError() }
        }
    }

    /// A semicolon, or what stands for one (ECMA-262, section 12.10).
    private mutating func finish() throws(ScriptError) {
        if consume(";") || position >= end || tokens[position].isAfterBreak { return }
        throw ScriptError()
    }

    private mutating func assign(_ name: String) throws(ScriptError) {
        let value = try expression()
        guard isHarmless else { throw ScriptError() }
        set(name, value)
    }

    /// `a = 1`, or `{ id, name: title } = …`
    private mutating func declaration() throws(ScriptError) {
        guard consume("{") else {
            let name = try name()
            return consume("=") ? try assign(name) : ()
        }
        var parts: [(name: String, part: String)] = []
        while !consume("}") {
            let part = try name()
            parts.append((consume(":") ? try name() : part, part))
            if !consume(","), sign() != "}" { throw ScriptError() }
        }
        try expect("=")
        let value = try expression()
        for (name, part) in parts {
            let member = member(value, part, false)
            guard member.isKnown else { throw ScriptError() }
            set(name, member)
        }
        guard isHarmless else { throw ScriptError() }
    }

    /// What stands in it is understood when the condition is claimed already, so that it always holds. Of any other only what is set is, when
    /// the condition asks whether that is there.
    private mutating func condition() throws(ScriptError) {
        position += 1
        try expect("(")
        let before = self
        var guards: [[ScriptValue.Step]] = []
        repeat {
            let known = needs
            needs = ScriptNeeds()
            let part = try expression(2)
            let read = needs
            needs = known
            needs.add(read, behind: guards)
            try add(part, to: &guards)
        } while consume("&&")
        if sign() != ")" {
            self = before
            try add(try expression(), to: &guards)
        }
        try expect(")")
        let start = position
        skip()
        let inside = start..<position
        guard word() != "else" else { throw ScriptError() }
        let read = needs
        if guards.isEmpty {
            self.read(inside, isFunction: false)
        } else {
            let outside = (position, end)
            (position, end) = (inside.lowerBound, inside.upperBound)
            let count = found.count
            while position < end {
                // The brackets around blocks.
                if consume(";") || consume("{") || consume("}") { continue }
                let start = position
                let value = try expression()
                if sign() != "}" { try finish() }
                guard var capture = capture(value, at: start..<position), let path = capture.path,
                    guards.allSatisfy({ path.starts(with: $0) })
                else { throw ScriptError() }
                capture.definition.fallback = .null
                found.append(capture)
            }
            guard found.count > count else { throw ScriptError() }
            needs = read
            (position, end) = outside
        }
    }

    private func add(_ part: ScriptValue, to guards: inout [[ScriptValue.Step]]) throws(ScriptError) {
        let isSure = claims(of: part)?.allSatisfy { claim in
            let expectation = claim.value.expectation(claim.matcher)
            return expectation.flatMap { claims[$0.subject]?.matchers.contains($0.matcher) } == true
        }
        if isSure == true { return }
        switch part {
        // `.a` of `a`, `a != null`, `a !== undefined`.
        case .json(let path), .binary("!=", .json(let path), .undefined), .binary("!=", .json(let path), .literal(.null)),
            .binary("!==", .json(let path), .undefined), .binary("!==", .json(let path), .literal(.null)):
            guards.append(path)
        default: throw ScriptError()
        }
    }

    // MARK: Expressions that are statements

    private mutating func understands(_ value: ScriptValue, at tokens: Range<Int>) -> Bool {
        switch value {
        case .call(let name, let arguments):
            if Self.talks.contains(name) { return true }
            if name == "client.assert" { return arguments.first.map { claim(claims(of: $0)) } ?? false }
            if Self.setters.contains(name) {
                guard let capture = capture(value, at: tokens) else { return false }
                found.append(capture)
                return true
            }
            guard arguments.count == 2, case .function(hasParameters: false, runs: true, let body) = arguments[1] else {
                return false
            }
            let wasDead = isDead
            read(body, isFunction: true)
            isDead = wasDead
            return true
        case .assertion(let subject, let links): return claim(claims(of: subject, links))
        case .function: return false
        default: return isHarmless
        }
    }

    private func capture(_ call: ScriptValue, at tokens: Range<Int>) -> Capture? {
        guard case .call(let setter, let arguments) = call, Self.setters.contains(setter), arguments.count == 2,
            let name = arguments[0].name, !name.isEmpty
        else { return nil }
        if case .length(let path) = arguments[1], !isKnown(.json(path), to: .array) { return nil }
        guard let source = arguments[1].source else { return nil }
        return Capture(
            name: "\(setter) \(name)", path: arguments[1].path,
            definition: CaptureDefinition(
                name: VariableName.make(name), source: source, isSecret: SecretName.matches(name), location: .none), tokens: tokens)
    }

    // MARK: Statements that aren't understood

    private mutating func leave(_ range: Range<Int>) {
        left.append(range)
        var effects = ScriptEffects()
        effects.add(self, range)
        changed.formUnion(effects.sets)
        changesAnything = changesAnything || effects.setsAnything
        if effects.leaves { isDead = true }
        for name in effects.assigned.union(declaredNames(in: range, isFunction: true)) { set(name, .unknown) }
        guard effects.mutates else { return }
        for index in scopes.indices { scopes[index] = scopes[index].mapValues { _ in .unknown } }
        // A list in a body that the program itself keeps.
        for name in ["res", "response"] where named(name) == nil { scopes[0][name] = .unknown }
    }

    /// The names that are declared in a part of the script.
    ///
    /// - Parameter isFunction: also those of `var`, which are the whole function's.
    private func declaredNames(in range: Range<Int>, isFunction: Bool) -> Set<String> {
        var names: Set<String> = []
        for index in range where ["var", "let", "const", "function", "class"].contains(tokens[index].word) {
            guard isFunction || tokens[index].word != "var", index == 0 || tokens[index - 1].sign != "." else { continue }
            // `let a, b = 1, { c } = d`
            var place = index + 1
            while place < range.upperBound {
                let close = partners[place] ?? place
                if close > place {
                    names.formUnion(tokens[place..<close].compactMap(\.word))
                } else if let name = tokens[place].word {
                    names.insert(name)
                }
                place = close + 1
                while place < range.upperBound, tokens[place].sign != ",", tokens[place].sign != ";",
                    partners[place] ?? place >= place
                {
                    if tokens[place].isAfterBreak, tokens[place - 1].sign != "," { break }
                    place = (partners[place] ?? place) + 1
                }
                guard place < range.upperBound, tokens[place].sign == "," else { break }
                place += 1
            }
        }
        return names
    }

    private static let blocks: Set = [
        "if", "else", "for", "while", "do", "with", "switch", "try", "catch", "finally", "function", "class",
    ]

    /// Past a statement that isn't read.
    private mutating func skip() {
        depth += 1
        defer { depth -= 1 }
        guard depth < 60 else { return position = end }
        let isAsync = word() == "async" && word(at: 1) == "function"
        guard let word = isAsync ? "function" : word(), Self.blocks.contains(word) else {
            if sign() == "{" {
                skipBrackets()
            } else if self.word() != nil, sign(at: 1) == ":" {
                position += 2
                skip()
            } else {
                skipExpression { $0 == ";" }
            }
            return _ = consume(";")
        }
        position += isAsync ? 2 : 1
        // What stands in front of the block: a condition, or a name.
        let isNamed = word == "function" || word == "class"
        while position < end, sign() == "(" || self.word() == "await" || isNamed && sign() != "{" { skipBrackets() }
        if sign() == "{" { skipBrackets() } else { skip() }
        if word == "do" { skipBrackets(behind: 1) }
        if ["else", "catch", "finally"].contains(self.word()) { skip() }
        _ = consume(";")
    }

    private mutating func skipBrackets(behind count: Int = 0) {
        position = min(position + count, end)
        guard position < end else { return }
        position = max(partners[position] ?? position, position) + 1
    }

    mutating func skipExpression(to isEnd: (String?) -> Bool) {
        let start = position
        while position < end, !isEnd(sign()) {
            if position > start, tokens[position].isAfterBreak, !continues { return }
            skipBrackets()
        }
    }

    /// Whether a statement goes on behind the line break in front of the token.
    private var continues: Bool {
        let (last, next) = (tokens[position - 1], tokens[position])
        if let sign = next.sign, !["++", "--", "!", "~", "{", "}"].contains(sign) { return true }
        if let sign = last.sign { return ![")", "]", "}", "++", "--"].contains(sign) }
        return ["in", "instanceof"].contains(next.word)
            || last.word.map { $0 != "return" && $0 != "throw" && ScriptLexer.operators.contains($0) } == true
    }
}
