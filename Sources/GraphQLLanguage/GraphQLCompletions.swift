/// What may stand at a place of a query.
package struct GraphQLCompletions: Hashable, Sendable {
    /// UTF-8 bytes of the text that an item replaces: the word at the cursor, with its `$` or `@`.
    package var range: Range<Int>
    /// What begins with the text before the cursor first, then what contains it; otherwise in the schema's order.
    package var items: [Item]

    package struct Item: Hashable, Sendable {
        package var kind: Kind
        /// What is put in: the name of an argument or an input field has `: ` behind it.
        package var text: String
        /// `String!`; of a field with its arguments: `(language: Lang): String!`
        package var detail: String?
        package var description: String?
        /// The reason why it is deprecated; `nil`: it isn't.
        package var deprecation: String?

        package var isDeprecated: Bool { deprecation != nil }
    }

    package enum Kind: Hashable, Sendable {
        case keyword, field, argument, inputField, enumValue, value, variable, fragment, type, directive
    }
}

extension GraphQLSchema {
    /// What may stand at a place of a query that need not be complete.
    ///
    /// - Parameter offset: in UTF-8 bytes; the end of the text at most.
    package func completions(in text: String, at offset: Int) -> GraphQLCompletions {
        let source = Array(text.utf8)
        let offset = min(max(offset, 0), source.count)
        let place = CursorPlace(source, at: offset, schema: self)
        guard place.isInWord else { return GraphQLCompletions(range: offset..<offset, items: []) }
        var range = place.word.lowerBound..<offset
        if !range.isEmpty {
            while range.upperBound < source.count, source[range.upperBound].isNameStart || source[range.upperBound].isDigit {
                range = range.lowerBound..<range.upperBound + 1
            }
        }
        if let mark = place.mark { range = mark..<range.upperBound }
        let prefix = source[place.word].map(\.lowercased)
        var (first, second): ([GraphQLCompletions.Item], [GraphQLCompletions.Item]) = ([], [])
        for item in items(for: place.cursor, in: source, behind: range.upperBound) {
            let name = item.text.utf8.drop { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "@") }.map(\.lowercased)
            if name.starts(with: prefix) {
                first.append(item)
            } else if name.count > prefix.count, name.indices.contains(where: { name[$0...].starts(with: prefix) }) {
                second.append(item)
            }
        }
        return GraphQLCompletions(range: range, items: first + second)
    }

    /// A line about what stands at a place: `Bird.name(language: Lang): String!  The name.`
    package func note(in text: String, at offset: Int) -> String? {
        let source = Array(text.utf8)
        guard source.indices.contains(offset) || offset == source.count else { return nil }
        var end = offset
        while end < source.count, source[end].isNameStart || source[end].isDigit { end += 1 }
        let place = CursorPlace(source, at: end, schema: self)
        guard place.isInWord, !place.word.isEmpty else { return nil }
        let word = String(decoding: source[place.word], as: UTF8.self)
        let (head, description) = note(of: word, place.cursor)
        let sentence = description.map {
            "  " + $0.utf8.split(whereSeparator: \.isSpace).map { String(Substring($0)) }.joined(separator: " ")
        }
        return head.map { $0 + (sentence ?? "") }
    }

    private func note(of word: String, _ cursor: GraphQLCursor) -> (head: String?, description: String?) {
        func of(_ input: InputValue?, _ owner: String, _ separator: String, _ end: String) -> (String?, String?) {
            (
                input.map { "\(owner)\(separator)\($0.name)\(end): \($0.type)" + ($0.defaultValue.map { " = \($0)" } ?? "") },
                input?.description
            )
        }
        switch cursor.expectation {
        case .field(let type):
            let field = field(word, of: type)
            return (field.map { "\(type.name).\(word)\(Self.line($0.arguments)): \($0.type)" }, field?.description)
        case .input(let owner, let inputs, _):
            let isObject = type(named: owner) != nil
            return of(inputs.first { $0.name == word }, owner, isObject ? "." : "(", isObject ? "" : ":)")
        case .value(let type, _):
            let value = type.flatMap { self.type(named: $0.name) }?.enumValues.first { $0.name == word }
            return (value.map { "\(type?.name ?? "").\($0.name)" }, value?.description)
        case .variable:
            return (cursor.variables.last { $0.name == word }?.type.map { "$\(word): \($0)" }, nil)
        case .typeCondition, .inputType:
            let type = type(named: word)
            return (type.map { "\($0.kind.keyword) \(word)" }, type?.description)
        case .directive:
            let directive = directive(named: word)
            return (directive.map { "@\(word)\(Self.line($0.arguments))" }, directive?.description)
        case .nothing, .keywords, .spread: return (nil, nil)
        }
    }

    // MARK: Items

    private typealias Item = GraphQLCompletions.Item

    private func items(for cursor: GraphQLCursor, in source: [UInt8], behind offset: Int) -> [GraphQLCompletions.Item] {
        switch cursor.expectation {
        case .nothing: []
        case .keywords(let words):
            words.filter { word in GraphQLDocument.OperationKind(rawValue: word).map { roots[$0] != nil } ?? true }
                .map { Item(kind: .keyword, text: $0) }
        case .field(let type):
            (type.fields + metaFields(of: type)).map {
                Item(
                    kind: .field, text: $0.name,
                    detail: $0.arguments.isEmpty ? "\($0.type)" : "\(Self.line($0.arguments)): \($0.type)",
                    description: $0.description, deprecation: $0.deprecation)
            }
        case .input(let owner, let inputs, let given):
            inputs.filter { [names = given + names(in: source, behind: offset)] in !names.contains($0.name) }.map {
                Item(
                    kind: type(named: owner) == nil ? .argument : .inputField, text: $0.name + ": ",
                    detail: "\($0.type)" + ($0.defaultValue.map { " = \($0)" } ?? ""), description: $0.description,
                    deprecation: $0.deprecation)
            }
        case .value(let type, let isConstant): values(of: type) + (isConstant ? [] : variables(of: cursor, as: type))
        case .variable(let type): variables(of: cursor, as: type)
        case .spread(let parent):
            fragments(in: source).filter { fragment in
                fragment.name != cursor.fragment
                    && parent.map { type in self.type(named: fragment.type).map { canBe($0, type) } ?? false } ?? true
            }
            .map { Item(kind: .fragment, text: $0.name, detail: "on \($0.type)") } + conditions(in: parent, prefix: "on ")
        case .typeCondition(let parent): conditions(in: parent)
        case .directive(let location):
            (directives + Self.builtInDirectives).filter { $0.locations.contains(location) }.map {
                Item(kind: .directive, text: "@" + $0.name, detail: Self.line($0.arguments), description: $0.description)
            }
        case .inputType: (types + Self.builtInScalars).filter(\.isInput).map(Self.item)
        }
    }

    private static func item(_ type: TypeDefinition) -> GraphQLCompletions.Item {
        Item(kind: .type, text: type.name, detail: type.kind.keyword, description: type.description)
    }

    private func conditions(in parent: TypeDefinition?, prefix: String = "") -> [GraphQLCompletions.Item] {
        let possible = parent.map { possibleTypes(of: $0) }
        return types.filter { type in type.isComposite && (possible.map { !$0.isDisjoint(with: possibleTypes(of: type)) } ?? true) }
            .map {
                var item = Self.item($0)
                item.text = prefix + item.text
                return item
            }
    }

    private func values(of type: GraphQLType?) -> [GraphQLCompletions.Item] {
        let definition = type.flatMap { self.type(named: $0.name) }
        var items = (definition?.enumValues ?? []).map {
            Item(
                kind: .enumValue, text: $0.name, detail: definition?.name, description: $0.description, deprecation: $0.deprecation)
        }
        if definition == nil || definition?.name == "Boolean" { items += ["true", "false"].map { Item(kind: .value, text: $0) } }
        if type?.isNonNull != true { items.append(Item(kind: .value, text: "null")) }
        return items
    }

    private func variables(of cursor: GraphQLCursor, as expected: GraphQLType?) -> [GraphQLCompletions.Item] {
        cursor.variables.compactMap { variable in
            guard let type = variable.type else { return nil }
            let isUsable = expected.map { GraphQLValidator.isUsable(type, as: variable.hasDefault ? $0.nullable : $0) } ?? true
            return isUsable ? Item(kind: .variable, text: "$" + variable.name, detail: "\(type)") : nil
        }
    }

    /// The names that have a value, up to the bracket that closes what is open at a place.
    private func names(in source: [UInt8], behind offset: Int) -> [String] {
        var lexer = GraphQLLexer(source)
        lexer.offset = offset
        var (names, depth, word) = ([String](), 0, "")
        while depth >= 0, case let token = lexer.next(), token.kind != .end {
            guard case .punctuator(let byte) = token.kind else {
                word = lexer.text(token.range)
                continue
            }
            switch Unicode.Scalar(byte) {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            case ":": if depth == 0 { names.append(word) }
            default: break
            }
        }
        return names
    }

    /// The fragments of the whole text.
    private func fragments(in source: [UInt8]) -> [(name: String, type: String)] {
        var lexer = GraphQLLexer(source)
        var words: [String] = []
        var fragments: [(name: String, type: String)] = []
        while case let token = lexer.next(), token.kind != .end {
            words = words.suffix(3) + [token.kind == .name ? lexer.text(token.range) : ""]
            if words.count == 4, words[0] == "fragment", words[2] == "on" { fragments.append((words[1], words[3])) }
        }
        return fragments
    }

    /// Arguments in parentheses, without their descriptions and so on one line.
    private static func line(_ arguments: [InputValue]) -> String {
        printed(
            arguments.map { argument in
                var argument = argument
                (argument.description, argument.deprecation) = (nil, nil)
                return argument
            })
    }
}

/// The word that ends at a place, and what belongs there.
private struct CursorPlace {
    var cursor: GraphQLCursor
    var word: Range<Int>
    /// Where the `$` or the `@` stands that touches the word.
    var mark: Int?
    /// Whether the place isn't in a comment, a string, a number or a template.
    var isInWord = true

    init(_ source: [UInt8], at offset: Int, schema: GraphQLSchema) {
        var lexer = GraphQLLexer(Array(source.prefix(offset)))
        cursor = GraphQLCursor(schema)
        word = offset..<offset
        var before: GraphQLLexer.Token?
        while case let token = lexer.next(), token.kind != .end {
            if token.range.upperBound == offset {
                switch token.kind {
                case .name: word = token.range
                case .punctuator: break
                default: isInWord = false
                }
            }
            if token.kind != .name || token.range.upperBound < offset {
                cursor.read(token, lexer.text(token.range))
                before = token
            }
        }
        // The mark touches the word, or the cursor.
        if let before, before.range.upperBound == word.lowerBound, ["$", "@"].contains(lexer.text(before.range)) {
            mark = before.range.lowerBound
        }
        if lexer.endsInComment { isInWord = false }
    }
}

extension GraphQLSchema.TypeDefinition.Kind {
    /// As SDL has it.
    var keyword: String {
        switch self {
        case .object: "type"
        case .inputObject: "input"
        case .scalar, .interface, .union, .enum: rawValue
        }
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }
}
