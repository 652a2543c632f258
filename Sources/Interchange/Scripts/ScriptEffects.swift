import RequestCollections

/// What a statement that isn't understood may do to what comes behind it, at worst, by its tokens.
struct ScriptEffects {
    /// Names that it gives a value.
    private(set) var assigned: Set<String> = []
    /// It may change whatever names stand for.
    private(set) var mutates = false
    /// It may leave the function that it stands in.
    private(set) var leaves = false
    /// Variables of the collection that it may set or remove.
    private(set) var sets: Set<String> = []
    private(set) var setsAnything = false

    private static let assignments: Set<String> = [
        "=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??=", "++", "--",
    ]

    mutating func add(_ script: TestScript, _ range: Range<Int>) {
        let tokens = script.tokens
        var functionEnd = range.lowerBound
        for index in range {
            let next = index + 1 < range.upperBound ? tokens[index + 1] : nil
            let last = index > range.lowerBound ? tokens[index - 1] : nil
            switch tokens[index].kind {
            case .template(_, let insides):
                for inside in insides {
                    let calls = zip(inside, inside.dropFirst()).filter { $1.sign == "(" }.compactMap(\.0.word)
                    if !Self.methods.isSuperset(of: calls) { mutates = true }
                }
            case .word("return"), .word("throw"): if index >= functionEnd { leaves = true }
            case .word("delete"): mutates = true
            case .word("function"), .sign("=>"):
                // What a function gives back isn't what the statement does.
                let body = tokens[index].sign == nil ? tokens[index..<range.upperBound].firstIndex { $0.sign == "{" } : index + 1
                if let body, tokens.indices.contains(body), tokens[body].sign == "{" {
                    functionEnd = max(functionEnd, script.partners[body] ?? body)
                }
            case .word(let word) where next?.sign == "(" && last?.word != "function": call(word, at: index, script)
            case .word(let word): if ["of", "in"].contains(next?.word) { assigned.insert(word) }
            case .sign(let sign) where Self.assignments.contains(sign):
                guard let last, index > range.lowerBound else {
                    // `++a`
                    if let name = next?.word { assigned.insert(name) }
                    mutates = true
                    continue
                }
                let beforeLast = index - 1 > range.lowerBound ? tokens[index - 2].sign : nil
                if let name = last.word, beforeLast != ".", beforeLast != "?." {
                    assigned.insert(name)
                } else if let open = script.partners[index - 1], open > 0, tokens[open - 1].word == "tests" {
                    // The old form of a test.
                } else {
                    mutates = true
                }
                if sign == "++" || sign == "--", let name = next?.word { assigned.insert(name) }
            default: break
            }
        }
    }

    private mutating func call(_ word: String, at index: Int, _ script: TestScript) {
        let tokens = script.tokens
        var (path, start) = ([word], index)
        while start > 1, [".", "?."].contains(tokens[start - 1].sign), let name = tokens[start - 2].word {
            path.insert(name, at: 0)
            start -= 2
        }
        let isMethod = start > 0 && tokens[start - 1].sign == "." || path.count > 1
        if !isMethod, Self.keywords.contains(word) { return }
        let isBuiltin = (start == 0 || tokens[start - 1].sign != ".") && script.named(path[0]) == nil
        if path[0] == "insomnia" { path[0] = "pm" }
        let name = path.joined(separator: ".")
        if isBuiltin {
            if TestScript.clearers.contains(name) { setsAnything = true }
            if TestScript.setters.contains(name) || TestScript.removers.contains(name) {
                guard case .text(let text) = tokens[index + 2].kind else { return setsAnything = true }
                return _ = sets.insert(VariableName.make(text))
            }
        }
        guard isMethod && Self.methods.contains(word) || isBuiltin && Self.isHarmless(name) else { return mutates = true }
        // A function that is passed by its name is run.
        guard Self.runners.contains(word) else { return }
        for place in index + 2..<(script.partners[index + 1] ?? index + 2) {
            let isAlone = ["(", ","].contains(tokens[place - 1].sign) && [")", ","].contains(tokens[place + 1].sign)
            if isAlone, tokens[place].word != nil { mutates = true }
        }
    }

    private static func isHarmless(_ name: String) -> Bool {
        functions.contains(name) || ["console.", "JSON.", "Math.", "pm.", "postman.", "bru."].contains(where: name.hasPrefix)
    }

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    private static let keywords = words("if for while switch catch with return typeof await async")
    private static let functions = words(
        """
        Date Set Map RegExp Error Number String Boolean parseInt parseFloat isNaN Array Object encodeURIComponent decodeURIComponent btoa \
        atob require moment xml2Json test it Array.isArray Object.keys Object.values Object.entries setTimeout Date.now Array.from \
        Number.isInteger _.isEmpty client.test client.assert client.log expect chai.expect
        """)
    /// Functions that run what they are passed.
    private static let runners = words(
        "map filter forEach find findIndex some every reduce flatMap then catch setTimeout test it sendRequest replace from")
    /// Methods that change nothing, unless they are passed something that does, and words of chai and Postman.
    private static let methods = words(
        """
        map filter forEach find findIndex some every includes indexOf lastIndexOf join slice split toString trim toLowerCase toUpperCase \
        replace match test exec substring substr startsWith endsWith concat reduce keys values entries hasOwnProperty toFixed charAt get \
        has json text toISOString getTime flat flatMap padStart padEnd then catch one all format \
        equal equals eq eql include contain property ownProperty members a an above below least most within oneOf length lengthOf string \
        key gt gte lt lte closeTo instanceof status header body jsonBody jsonSchema greaterThan lessThan matches
        """)
}
