import NetworkLayer
import RequestCollections

/// What a test script of Postman, Insomnia, Bruno or JetBrains' HTTP Client says, in `expect` and `capture`. Nothing is run: what is read is
/// a subset of JavaScript, and what only a program could do is left over.
struct TestScript: Hashable {
    private(set) var captures: [CaptureDefinition] = []
    private(set) var expectations: [ExpectationDefinition] = []
    /// Statements that aren't understood, as they stand in the script.
    private(set) var rest: [String] = []

    private let scalars: [Unicode.Scalar]
    /// What names stand for, those of the inner functions last.
    private var scopes: [[String: ScriptValue]] = [[:]]
    /// Whether a condition is around.
    private var isConditional = false

    /// - Parameter text: the script; one that is no JavaScript is left over as a whole.
    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        guard let statements = try? ScriptParser.statements(scalars) else {
            rest = [text]
            return
        }
        read(statements)
        merge()
    }

    /// One subject has one place in a collection, and those of one kind stand side by side.
    private mutating func merge() {
        var merged: [(kind: Int, expectation: ExpectationDefinition)] = []
        var kinds: [String] = []
        for expectation in expectations {
            let name = String(expectation.subject.description.prefix { $0 != " " })
            if !kinds.contains(name) { kinds.append(name) }
            guard let index = merged.firstIndex(where: { $0.expectation.subject == expectation.subject }) else {
                merged.append((kinds.firstIndex(of: name) ?? 0, expectation))
                continue
            }
            merged[index].expectation.matcher = Self.both(merged[index].expectation.matcher, expectation.matcher)
        }
        expectations = kinds.indices.flatMap { kind in merged.filter { $0.kind == kind }.map(\.expectation) }
        // Of a body either the text is looked at or what is in it.
        if expectations.contains(where: { $0.subject == .body }), expectations.contains(where: { $0.subject.isFilter }) {
            expectations.removeAll { $0.subject == .body }
            rest.append("// what the body's text must be, beside what is in it")
        }
        captures = Self.merged(captures)
    }

    private static func both(_ one: Matcher, _ other: Matcher) -> Matcher {
        if one == other { return one }
        guard case .all(let matchers) = one else { return .all([one, other]) }
        return matchers.contains(other) ? one : .all(matchers + [other])
    }

    /// The last of a name is the one that counts; one with a condition goes before those that it doesn't replace.
    private static func merged(_ captures: [CaptureDefinition]) -> [CaptureDefinition] {
        var merged: [CaptureDefinition] = []
        for var capture in captures {
            guard let index = merged.firstIndex(where: { $0.name == capture.name }) else {
                merged.append(capture)
                continue
            }
            if capture.fallback != nil, capture.source != merged[index].source, case .filter(let filter) = capture.source,
                case .filter(let other) = merged[index].source
            {
                capture.source = .filter("\(filter) // \(other)")
                capture.fallback = merged[index].fallback
            }
            merged[index] = capture
        }
        return merged
    }

    // MARK: Statements

    private mutating func read(_ statements: [ScriptStatement]) {
        for statement in statements { read(statement) }
    }

    private mutating func read(_ statement: ScriptStatement) {
        let before = self
        guard understands(statement) else {
            self = before
            rest.append(String(String.UnicodeScalarView(scalars[statement.range])))
            // What it did to the variables is unknown.
            return
        }
    }

    /// - Returns: whether all of it is said. What is inside of a test is left over by itself.
    private mutating func understands(_ statement: ScriptStatement) -> Bool {
        switch statement.kind {
        case .unknown: return false
        case .block(let inside):
            read(inside)
            return true
        case .declare(let name, let node):
            scopes[scopes.count - 1][name] = value(node)
            return true
        case .condition(let condition, let inside): return understands(inside, when: condition)
        case .expression(let node): return understands(node)
        }
    }

    /// What is kept when there is something to keep.
    private mutating func understands(_ inside: [ScriptStatement], when condition: ScriptNode) -> Bool {
        guard !isConditional, isAboutResponse(condition) else { return false }
        let (known, left) = (expectations, rest)
        isConditional = true
        read(inside)
        isConditional = false
        return expectations == known && rest == left
    }

    private func isAboutResponse(_ node: ScriptNode) -> Bool {
        switch node {
        case .binary(_, let left, let right): isAboutResponse(left) && isAboutResponse(right)
        case .unary(_, let inner): isAboutResponse(inner)
        case .number, .text: true
        default: value(node) != .unknown
        }
    }

    private mutating func understands(_ node: ScriptNode) -> Bool {
        switch node {
        case .assign(.index(.name("tests"), _), let condition):
            return add(self.expectations(of: condition, isNegated: false))
        case .assign(.name(let name), let node):
            // A name that nothing declares is global.
            scopes[scopes.lastIndex { $0[name] != nil } ?? 0][name] = isConditional ? .unknown : value(node)
            return true
        case .name, .text: return true
        case .call(let callee, let arguments): return understandsCall(callee, arguments)
        case .member: return understandsAssertion(node)
        default: return false
        }
    }

    private mutating func understandsCall(_ callee: ScriptNode, _ arguments: [ScriptNode]) -> Bool {
        let name = Self.path(callee)
        switch name {
        case "console.log", "console.info", "console.error", "console.warn", "console.table", "client.log", "console.clear":
            return true
        case "pm.test", "insomnia.test", "test", "client.test", "it", "bru.test":
            guard case .function(let statements)? = arguments.last else { return false }
            scopes.append([:])
            read(statements)
            scopes.removeLast()
            return true
        case "client.assert":
            guard let condition = arguments.first else { return false }
            return add(self.expectations(of: condition, isNegated: false))
        case let name? where Self.setters.contains(name):
            return arguments.count >= 2 && capture(arguments[0], arguments[1])
        default: return understandsAssertion(.call(callee, arguments))
        }
    }

    private static let setters: Set<String> = Set(
        ["pm", "insomnia"].flatMap { program in
            ["environment", "globals", "collectionVariables", "variables", "baseEnvironment"].map { "\(program).\($0).set" }
        } + [
            "postman.setEnvironmentVariable", "postman.setGlobalVariable", "bru.setVar", "bru.setEnvVar", "bru.setGlobalEnvVar",
            "client.global.set", "insomnia.setEnvironmentVariable",
        ])

    private mutating func capture(_ name: ScriptNode, _ node: ScriptNode) -> Bool {
        guard case .text(let name) = name, !name.isEmpty, let source = value(node).source else { return false }
        let variable = VariableName.make(name)
        captures.append(
            CaptureDefinition(
                name: variable, source: source, isSecret: SecretName.matches(name), fallback: isConditional ? .null : nil,
                location: .none))
        return true
    }

    private mutating func add(_ found: [ExpectationDefinition]?) -> Bool {
        guard let found, !isConditional else { return false }
        expectations += found
        return true
    }

    // MARK: Values

    /// `pm.response.code` as a text; `nil` for what isn't names with dots.
    static func path(_ node: ScriptNode) -> String? {
        switch node {
        case .name(let name): name
        case .member(let inner, let name): path(inner).map { "\($0).\(name)" }
        default: nil
        }
    }

    private static let known: [String: ScriptValue] = {
        var known: [String: ScriptValue] = [
            "responseBody": .body, "responseCode.code": .status, "responseTime": .time, "res.status": .status,
            "res.body": .json([]),
            "response.status": .status, "response.body": .json([]), "res.responseTime": .time, "undefined": .undefined,
            "null": .literal(.null), "true": .literal(.boolean(true)), "false": .literal(.boolean(false)), "res": .response,
        ]
        for program in ["pm", "insomnia"] {
            known["\(program).response"] = .response
            known["\(program).response.code"] = .status
            known["\(program).response.responseTime"] = .time
            known["\(program).response.responseSize"] = .size
        }
        return known
    }()

    func value(_ node: ScriptNode) -> ScriptValue {
        switch node {
        case .text(let text): return .literal(.string(text))
        case .number(let digits): return JSONParser.parse(digits).map(ScriptValue.literal) ?? .unknown
        case .unary("-", .number(let digits)): return JSONParser.parse("-\(digits)").map(ScriptValue.literal) ?? .unknown
        case .regex(let pattern, let flags):
            let pattern = pattern.replacing(scalars: "\\/", with: "/")
            guard ["", "i"].contains(flags), (try? Regex(pattern)) != nil else { return .unknown }
            return .regex(pattern, ignoringCase: flags == "i")
        case .unary("typeof", let inner): return .typeOf(value(inner))
        case .template(let texts, let nodes): return joined(texts, nodes.map(value))
        case .binary("+", let left, let right): return joined(["", "", ""], [value(left), value(right)])
        case .array(let nodes):
            let values = nodes.map(value)
            let literals = values.compactMap(\.json)
            return literals.count == values.count ? .literal(.array(literals)) : .unknown
        case .name(let name):
            return scopes.reversed().lazy.compactMap { $0[name] }.first ?? Self.known[name] ?? .unknown
        case .member(let inner, let name): return member(inner, name, of: node)
        case .index(let inner, let key):
            switch (value(inner), value(key)) {
            case (.json(let path), .literal(.string(let name))): return .json(path + [.name(name)])
            case (.json(let path), .literal(.number(let digits))):
                return Int(digits).map { .json(path + [.index($0)]) } ?? .unknown
            default: return .unknown
            }
        case .call(let callee, let arguments): return call(callee, arguments)
        default: return .unknown
        }
    }

    private func member(_ inner: ScriptNode, _ name: String, of node: ScriptNode) -> ScriptValue {
        if let path = Self.path(node), let root = path.split(separator: ".").first,
            !scopes.contains(where: { $0[String(root)] != nil }),
            let known = Self.known[path]
        {
            return known
        }
        switch value(inner) {
        case .json(let path): return name == "length" ? .length(path) : .json(path + [.name(name)])
        case .response:
            return switch name {
            case "code": .status
            case "responseTime": .time
            case "responseSize": .size
            default: .unknown
            }
        default: return .unknown
        }
    }

    private func call(_ callee: ScriptNode, _ arguments: [ScriptNode]) -> ScriptValue {
        func name() -> String? { if case .literal(.string(let text))? = arguments.first.map(value) { text } else { nil } }
        switch Self.path(callee) {
        case "JSON.parse": return arguments.first.map(value) == .body ? .json([]) : .unknown
        case "pm.response.headers.get", "insomnia.response.headers.get", "postman.getResponseHeader", "response.headers.valueOf",
            "res.getHeader":
            return name().map(ScriptValue.header) ?? .unknown
        case "pm.cookies.get", "insomnia.cookies.get": return name().map(ScriptValue.cookie) ?? .unknown
        case "res.getBody": return .json([])
        case "res.getStatus": return .status
        case "res.getResponseTime": return .time
        case let path? where Self.getters.contains(path):
            return name().map { .text("{{\(VariableName.make($0))}}") } ?? .unknown
        default: break
        }
        guard case .member(let inner, let method) = callee, value(inner) == .response else { return .unknown }
        return method == "json" ? .json([]) : method == "text" ? .body : .unknown
    }

    private static let getters: Set<String> = Set(
        setters.map { $0.replacing(scalars: ".set", with: ".get").replacing(scalars: "setEnvironment", with: "getEnvironment") }
            + ["postman.getGlobalVariable"])

    /// Texts with values between them; `texts` has one more than `values`, or they stand side by side.
    private func joined(_ texts: [String], _ values: [ScriptValue]) -> ScriptValue {
        var result = ""
        var isTemplate = false
        for (index, text) in texts.enumerated() {
            result += TemplateText(text).text
            guard index < values.count else { continue }
            switch values[index] {
            case .literal(.string(let text)): result += TemplateText(text).text
            case .literal(.number(let digits)): result += digits
            case .text(let text):
                result += text
                isTemplate = true
            default: return .unknown
            }
        }
        return isTemplate ? .text(result) : .literal(.string(result))
    }

    // MARK: Assertions

    private mutating func understandsAssertion(_ node: ScriptNode) -> Bool {
        guard let chain = AssertionChain(node) else { return false }
        if let subject = chain.subject { return add(expectations(of: subject, chain.links)) }
        return value(chain.root) == .response && add(ScriptAssertion.ofResponse(chain.links, value: value))
    }

    private func expectations(of node: ScriptNode, _ links: [AssertionChain.Link]) -> [ExpectationDefinition]? {
        // `expect(a === 1).to.be.true` says what `a` is.
        switch node {
        case .binary("+", _, _), .binary("-", _, _): return ScriptAssertion.of(value(node), links, value: value)
        case .binary, .unary("!", _):
            guard let last = links.last?.name, links.allSatisfy({ AssertionChain.isFiller($0.name) || $0 == links.last }) else {
                return nil
            }
            let argument = links.last?.arguments?.first
            if last == "true" || last == "ok" || argument == .name("true") { return expectations(of: node, isNegated: false) }
            if last == "false" || argument == .name("false") { return expectations(of: node, isNegated: true) }
            return nil
        default: return ScriptAssertion.of(value(node), links, value: value)
        }
    }

    /// What holds when a condition does.
    private func expectations(of condition: ScriptNode, isNegated: Bool) -> [ExpectationDefinition]? {
        func expectation(_ subject: ScriptValue, _ matcher: Matcher?) -> [ExpectationDefinition]? {
            guard let matcher, let found = subject.expectation(isNegated ? .not(matcher) : matcher) else { return nil }
            return [found]
        }
        switch condition {
        case .unary("!", let inner): return expectations(of: inner, isNegated: !isNegated)
        case .binary("&&", let left, let right) where !isNegated:
            guard let one = expectations(of: left, isNegated: false), let two = expectations(of: right, isNegated: false) else {
                return nil
            }
            return one + two
        case .binary("||", let left, let right) where !isNegated:
            guard let one = expectations(of: left, isNegated: false), let two = expectations(of: right, isNegated: false),
                one.count == 1, two.count == 1, one[0].subject == two[0].subject
            else { return nil }
            var either = one[0]
            if case .any(let matchers) = either.matcher {
                either.matcher = .any(matchers + [two[0].matcher])
            } else {
                either.matcher = .any([either.matcher, two[0].matcher])
            }
            return [either]
        case .binary(let sign, let left, let right):
            let (a, b) = (value(left), value(right))
            let isSwapped = !a.isSubject && b.isSubject
            let (subject, other) = isSwapped ? (b, a) : (a, b)
            return expectation(subject, ScriptAssertion.matcher(sign, other, isSwapped: isSwapped, for: subject))
        case .call(.member(let inner, let method), let arguments)
        where ["has", "includes"].contains(method) && arguments.count == 1:
            return expectation(value(inner), value(arguments[0]).json.map(Matcher.contains))
        case .call(.member(.name("Array"), "isArray"), let arguments) where arguments.count == 1:
            return expectation(value(arguments[0]), .type(.array))
        default:
            return expectation(value(condition), ScriptAssertion.truthy(value(condition)))
        }
    }
}

extension ExpectationSubject {
    fileprivate var isFilter: Bool { if case .filter = self { true } else { false } }
}
