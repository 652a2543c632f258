extension PlainProgram {
    /// Reads what it knows, and gives up at all else. From what binds least to what binds most, as in jq:
    ///
    ///     |        // LITERAL        or        and        == != < <= > >=        + -        * /        .a.b   [ ]   ( )   length …
    struct Parser {
        private var rest: Substring
        private var depth = 0

        init(rest: Substring) { self.rest = rest }

        var isAtEnd: Bool { rest.allSatisfy { $0 == " " } }

        mutating func pipe() -> [Stage]? {
            depth += 1
            defer { depth -= 1 }
            guard depth < 8 else { return nil }
            var stages: [Stage] = []
            repeat {
                guard let stage = alternative() else { return nil }
                // What stands for itself asks nothing of the body.
                if case .literal = stage { return nil }
                stages.append(stage)
            } while consume("|")
            return stages
        }

        private mutating func alternative() -> Stage? {
            guard let stage = disjunction() else { return nil }
            skipSpace()
            guard rest.hasPrefix("//"), !rest.hasPrefix("//=") else { return stage }
            rest.removeFirst(2)
            guard case .literal(let value)? = literal() else { return nil }
            return .otherwise(stage, value)
        }

        private mutating func disjunction() -> Stage? {
            guard var stage = conjunction() else { return nil }
            while consumeWord("or") {
                guard let other = conjunction() else { return nil }
                stage = .either(stage, other)
            }
            return stage
        }

        private mutating func conjunction() -> Stage? {
            guard var stage = comparison() else { return nil }
            while consumeWord("and") {
                guard let other = comparison() else { return nil }
                stage = .both(stage, other)
            }
            return stage
        }

        private mutating func comparison() -> Stage? {
            guard let stage = sum() else { return nil }
            skipSpace()
            for sign in ["==", "!=", "<=", ">=", "<", ">"] where rest.hasPrefix(sign) {
                rest.removeFirst(sign.count)
                guard let sign = Comparison(rawValue: sign), let other = sum() else { return nil }
                return .compared(stage, sign, other)
            }
            return stage
        }

        private mutating func sum() -> Stage? {
            guard var stage = product() else { return nil }
            while let sign = consumeArithmetic([.plus, .minus]) {
                guard let other = product() else { return nil }
                stage = .calculated(stage, sign, other)
            }
            return stage
        }

        private mutating func product() -> Stage? {
            guard var stage = term() else { return nil }
            while let sign = consumeArithmetic([.times, .by, .rest]) {
                guard let other = term() else { return nil }
                stage = .calculated(stage, sign, other)
            }
            return stage
        }

        /// `+=` and `//` are something else.
        private mutating func consumeArithmetic(_ signs: [Arithmetic]) -> Arithmetic? {
            skipSpace()
            guard let sign = rest.first.flatMap(Arithmetic.init), signs.contains(sign) else { return nil }
            let next = rest.dropFirst().first
            guard next != "=", next != "/" else { return nil }
            rest.removeFirst()
            return sign
        }

        private mutating func consumeWord(_ word: String) -> Bool {
            skipSpace()
            guard rest.hasPrefix(word), rest.dropFirst(word.count).first.map({ $0 == " " || $0 == "(" || $0 == "[" }) == true else {
                return false
            }
            rest.removeFirst(word.count)
            return true
        }

        private mutating func term() -> Stage? {
            skipSpace()
            if rest.first == "." { return path() }
            if consume("[") {
                guard let inner = pipe(), consume("]"), hasNoSuffix else { return nil }
                return .list(inner)
            }
            if consume("(") {
                guard let inner = pipe(), consume(")"), hasNoSuffix else { return nil }
                return .group(inner)
            }
            if let literal = literal() { return hasNoSuffix ? literal : nil }
            let name = rest.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
            rest = rest[name.endIndex...]
            switch name {
            case "sort_by", "min_by", "max_by":
                guard rest.first == "(" else { return nil }
                rest.removeFirst()
                guard let inner = pipe(), consume(")"), isTermOver else { return nil }
                return name == "sort_by" ? .sorted(inner) : name == "min_by" ? .least(inner) : .greatest(inner)
            case "map", "select", "any", "all":
                guard rest.first == "(" else {
                    guard isTermOver, name == "any" || name == "all" else { return nil }
                    return name == "any" ? .any([.path([])]) : .all([.path([])])
                }
                rest.removeFirst()
                guard let inner = pipe(), consume(")"), isTermOver else { return nil }
                switch name {
                case "map": return .map(inner)
                case "select": return .select(inner)
                case "any": return .any(inner)
                default: return .all(inner)
                }
            case "has", "startswith", "endswith", "join", "split", "contains":
                guard rest.first == "(" else { return nil }
                rest.removeFirst()
                guard case .literal(.string(let text))? = literal(), consume(")"), isTermOver else { return nil }
                switch name {
                case "has": return .has(text)
                case "startswith": return .startsWith(text)
                case "endswith": return .endsWith(text)
                case "join": return .join(text)
                case "split": return text.isEmpty ? nil : .split(text)
                default: return .contains(text)
                }
            case "length": return isTermOver ? .length : nil
            case "keys": return isTermOver ? .keys : nil
            case "type": return isTermOver ? .type : nil
            case "not": return isTermOver ? .not : nil
            case "first": return isTermOver ? .first : nil
            case "last": return isTermOver ? .last : nil
            case "add": return isTermOver ? .add : nil
            default: return isTermOver ? Function(rawValue: String(name)).map(Stage.function) : nil
            }
        }

        private var hasNoSuffix: Bool { rest.first != "." && rest.first != "[" && rest.first != "?" }

        /// `keys[0]`, `first(f)` and `length_x` are something else.
        private var isTermOver: Bool { rest.first.map(" |)]=!<>+-*/%".contains) ?? true }

        private mutating func path() -> Stage? {
            // To where a path can't go on, outside of texts and brackets.
            var depth = 0
            var isInText = false
            let text = rest.prefix { character in
                if isInText {
                    if character == "\"" { isInText = false }
                    return true
                }
                switch character {
                case "\\": return false
                case "\"": isInText = true
                case "[": depth += 1
                case "]":
                    guard depth > 0 else { return false }
                    depth -= 1
                case ".", "_", "?", "-", ":": break
                case " ": return depth > 0
                default: return character.isASCII && (character.isLetter || character.isNumber)
                }
                return true
            }
            var parser = JSONPathParser(String(text))
            guard !text.contains("\\"), let steps = parser.path(), !steps.contains(where: { $0 == .recurse }) else { return nil }
            rest = rest[text.endIndex...]
            return isTermOver ? .path(steps) : nil
        }

        /// - Returns: `nil`, with nothing taken, for what is none.
        private mutating func literal() -> Stage? {
            skipSpace()
            if rest.first == "\"" {
                let text = rest.dropFirst().prefix { $0 != "\"" && $0 != "\\" }
                guard text.endIndex < rest.endIndex, rest[text.endIndex] == "\"" else { return nil }
                let value = JSONValue.string(String(text))
                guard value.isPlain else { return nil }
                rest = rest[rest.index(after: text.endIndex)...]
                return .literal(value)
            }
            let isNegative = rest.first == "-"
            let word = rest.dropFirst(isNegative ? 1 : 0).prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "_")
            }
            let value: JSONValue
            switch word {
            case "true" where !isNegative: value = .boolean(true)
            case "false" where !isNegative: value = .boolean(false)
            case "null" where !isNegative: value = .null
            default:
                let digits = (isNegative ? "-" : "") + word
                guard let first = word.utf8.first, (0x30...0x39).contains(first), JSONParser.parse(digits) != nil
                else { return nil }
                value = .number(digits)
            }
            rest = rest[word.endIndex...]
            return .literal(value)
        }

        private mutating func consume(_ sign: Character) -> Bool {
            skipSpace()
            guard rest.first == sign else { return false }
            rest.removeFirst()
            // `||` and `|=` are something else.
            return true
        }

        private mutating func skipSpace() { rest = rest.drop { $0 == " " } }
    }
}
