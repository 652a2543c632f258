import RequestCollections

/// What a statement that isn't understood may do to what comes behind it, at worst, by its tokens.
struct ScriptEffects {
    /// Names that it gives a value, or declares for those behind it.
    private(set) var assigned: Set<String> = []
    /// It may change lists and maps that names stand for.
    private(set) var mutates = false
    /// Nobody knows what it does: `eval`.
    private(set) var isAnything = false
    /// It may leave the function that it stands in.
    private(set) var leaves = false
    /// Variables of the collection that it may set or remove.
    private(set) var sets: Set<String> = []
    private(set) var setsAnything = false

    init(_ range: Range<Int>, of reader: ScriptReader, in script: TestScript) {
        add(reader, range, script)
    }

    private static let assignments: Set<String> = [
        "=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??=", "++", "--",
    ]

    private mutating func add(_ reader: ScriptReader, _ range: Range<Int>, _ script: TestScript) {
        let tokens = reader.tokens
        var functionEnd = range.lowerBound
        assigned.formUnion(reader.declaredNames(in: range, isFunction: true, isOwn: true))
        for index in range {
            let next = index + 1 < range.upperBound ? tokens[index + 1] : nil
            let last = index > range.lowerBound ? tokens[index - 1] : nil
            switch tokens[index].kind {
            case .template(_, let insides):
                for inside in insides {
                    if let reader = try? ScriptReader(inside) { add(reader, inside.indices, script) }
                }
            case .word("return"), .word("throw"): if index >= functionEnd { leaves = true }
            case .word("delete"): mutates = true
            case .word("function"), .sign("=>"):
                // What a function gives back isn't what the statement does.
                let body = tokens[index].sign == nil ? tokens[index..<range.upperBound].firstIndex { $0.sign == "{" } : index + 1
                if let body, tokens.indices.contains(body), tokens[body].sign == "{" {
                    functionEnd = max(functionEnd, reader.partners[body] ?? body)
                }
            case .word(let word) where next?.sign == "(" && last?.word != "function": call(word, at: index, reader, script)
            case .word(let word): if ["of", "in"].contains(next?.word) { assigned.insert(word) }
            case .sign(let sign) where Self.assignments.contains(sign):
                let target = target(before: index, from: range.lowerBound, reader)
                let isDeclared =
                    target.count == 1 && target.lowerBound > 0 && ["let", "const"].contains(tokens[target.lowerBound - 1].word)
                let root = target.first.flatMap { tokens[$0].word }
                // The old form of a test.
                if isDeclared || root == "tests" && !script.isDeclared("tests") { continue }
                assigned.formUnion(target.compactMap { tokens[$0].word })
                mutates = mutates || target.count > 1 && root != nil
                if sign == "++" || sign == "--", let word = next?.word {
                    assigned.insert(word)
                    mutates = true
                }
            default: break
            }
        }
    }

    /// `a`, `a.b[0]` or a pattern in brackets, in front of the sign that gives it a value.
    private func target(before index: Int, from start: Int, _ reader: ScriptReader) -> Range<Int> {
        var place = index
        while place > start {
            let next = reader.partners[place - 1].map { min($0, place - 1) } ?? place - 1
            let isPart = next < place - 1 || reader.tokens[next].word != nil
            guard isPart, next >= start else { break }
            place = next
            // A name, or what is in brackets behind it, goes on to the left only behind a dot or a bracket.
            let isBracket = ["[", "("].contains(reader.tokens[place].sign)
            guard place > start else { break }
            if [".", "?."].contains(reader.tokens[place - 1].sign) { place -= 1 } else if !isBracket { break }
        }
        return place..<index
    }

    private static let keywords: Set<String> = [
        "if", "for", "while", "switch", "catch", "with", "return", "typeof", "await", "async",
    ]

    private mutating func call(_ word: String, at index: Int, _ reader: ScriptReader, _ script: TestScript) {
        let tokens = reader.tokens
        guard let close = reader.partners[index + 1] else { return }
        var (path, start) = ([word], index)
        while start > 1, [".", "?."].contains(tokens[start - 1].sign), let name = tokens[start - 2].word {
            path.insert(name, at: 0)
            start -= 2
        }
        let isMethod = start > 0 && tokens[start - 1].sign == "." || path.count > 1
        if !isMethod, Self.keywords.contains(word) { return }
        let isBuiltin = (start == 0 || tokens[start - 1].sign != ".") && !script.isDeclared(path[0])
        let name = path.joined(separator: ".")
        if isBuiltin {
            if name == "eval" || name == "Function" { (isAnything, mutates) = (true, true) }
            if let changesAll = TestScript.change(of: name) {
                guard !changesAll, case .text(let text) = tokens[index + 2].kind else { return setsAnything = true }
                return _ = sets.insert(VariableName.make(text))
            }
        }
        if isMethod, Self.assertions.contains(word) { return }
        let isHarmless = isBuiltin && (Self.harmless.contains(name) || Self.harmlessPrefixes.contains(where: name.hasPrefix))
        guard isHarmless || isMethod && Self.readers.contains(word) else { return mutates = true }
        guard !name.hasPrefix("console."), !name.hasPrefix("JSON.") else { return }
        // A function that is passed by its name is run.
        var place = index + 2
        while place < close {
            let isAlone = ["(", ","].contains(tokens[place - 1].sign) && [")", ","].contains(tokens[place + 1].sign)
            if isAlone, let argument = tokens[place].word, script.value(.name(argument)) == .unknown { mutates = true }
            place = max(reader.partners[place] ?? place, place) + 1
        }
    }

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    private static let harmless = words(
        """
        Date Set Map RegExp Error Number String Boolean parseInt parseFloat isNaN Array Object encodeURIComponent decodeURIComponent btoa \
        atob require moment xml2Json test it Array.isArray Object.keys Object.values Object.entries setTimeout Date.now Array.from \
        Number.isInteger _.isEmpty client.test client.assert client.log expect chai.expect
        """)
    private static let harmlessPrefixes = ["console.", "JSON.", "Math.", "pm.", "insomnia.", "postman.", "bru."]
    /// Methods that change nothing, unless they are passed something that does.
    private static let readers = words(
        """
        map filter forEach find findIndex some every includes indexOf lastIndexOf join slice split toString trim toLowerCase toUpperCase \
        replace match test exec substring substr startsWith endsWith concat reduce keys values entries hasOwnProperty toFixed charAt get \
        has json text toISOString getTime flat flatMap padStart padEnd then catch one all format
        """)
    /// Words of chai and of Postman.
    private static let assertions = words(
        """
        equal equals eq eql include contain property ownProperty members a an above below least most within oneOf length lengthOf string \
        key keys gt gte lt lte closeTo instanceof status header body jsonBody jsonSchema greaterThan lessThan match matches
        """)
}

extension ScriptReader {
    /// The names that are declared in a part of the script.
    ///
    /// - Parameters:
    ///   - isFunction: also those of `var`, which are the whole function's.
    ///   - isOwn: of `let` and `const` only those outside of brackets.
    func declaredNames(in range: Range<Int>, isFunction: Bool, isOwn: Bool = false) -> Set<String> {
        var names: Set<String> = []
        var closes: [Int] = []
        for index in range {
            while let close = closes.last, close < index { closes.removeLast() }
            if let close = partners[index], close > index { closes.append(close) }
            guard let word = tokens[index].word, index + 1 < range.upperBound, index == 0 || tokens[index - 1].sign != "." else {
                continue
            }
            let isMeant =
                word == "var" ? isFunction : ["let", "const", "function", "class"].contains(word) && (!isOwn || closes.isEmpty)
            guard isMeant else { continue }
            if let name = tokens[index + 1].word {
                names.insert(name)
            } else if word != "function", let close = partners[index + 1] {
                names.formUnion(tokens[index + 1..<close].compactMap(\.word))
            }
            // `let a, b = 1, c`
            var place = index + 2
            while place < range.upperBound, tokens[place].sign != ";", partners[place] ?? place >= place {
                let isComma = tokens[place].sign == ","
                if tokens[place].isAfterBreak, !isComma, tokens[place - 1].sign != "," { break }
                if isComma, place + 1 < range.upperBound, let name = tokens[place + 1].word { names.insert(name) }
                place = (partners[place] ?? place) + 1
            }
        }
        return names
    }

    /// The names that functions with a name of their own may change, whenever they are called.
    var changedInFunctions: Set<String> {
        var names: Set<String> = []
        for (index, token) in tokens.enumerated() where token.word == "function" || token.sign == "=>" && index > 0 {
            var first = token.sign == nil ? index : partners[index - 1] ?? index - 1
            if first > 0, tokens[first - 1].word == "async" { first -= 1 }
            // One that is passed somewhere has no name that anything else could call it by.
            let isPassed = first > 0 && ["(", ","].contains(tokens[first - 1].sign)
            guard !isPassed, let open = tokens[index...].firstIndex(where: { $0.sign == "{" }), let close = partners[open] else {
                continue
            }
            for place in open + 1..<close where ["=", "++", "--", "+="].contains(tokens[place + 1].sign) {
                guard let name = tokens[place].word, !["let", "const", "var"].contains(tokens[place - 1].word) else { continue }
                names.insert(name)
            }
        }
        return names
    }
}

/// What a script reads of the body: where that isn't there, JavaScript ends it with an error.
struct ScriptNeeds {
    /// Neither missing nor null.
    private(set) var paths: Set<[ScriptValue.Step]> = []
    /// The body is JSON.
    private(set) var parses = false

    /// What an expression reads before anything in it is decided.
    mutating func add(_ node: ScriptNode, _ script: TestScript) {
        switch node {
        case .name, .number, .text, .regex, .function: break
        case .template(_, let nodes), .array(let nodes): for node in nodes { add(node, script) }
        case .object(let members): for member in members { add(member.value, script) }
        case .unary(_, let inner): add(inner, script)
        case .member(let inner, _): require(inner, script)
        case .index(let inner, let key):
            require(inner, script)
            add(key, script)
        case .call(let callee, let arguments):
            add(callee, script)
            for argument in arguments { add(argument, script) }
            if case .json = script.value(node) { parses = true }
        case .binary(let sign, let left, let right):
            add(left, script)
            if !["&&", "||", "??"].contains(sign) { add(right, script) }
        }
    }

    private mutating func require(_ node: ScriptNode, _ script: TestScript) {
        add(node, script)
        if case .unary("?.", _) = node { return }
        if case .json(let path) = script.value(node) { paths.insert(path) }
    }

    /// - Parameter guards: what was asked before, and is there.
    mutating func add(_ other: ScriptNeeds, behind guards: [[ScriptValue.Step]]) {
        parses = parses || other.parses
        paths.formUnion(other.paths.filter { path in !guards.contains { $0.starts(with: path) } })
    }
}
