import NetworkLayer

/// Reads what stands between the braces of one template.
///
///     expression = primary *( "|" name [ arguments ] )
///     primary    = text / number / duration / range / "true" / "false" / "null" / list / name [ arguments ] *( item [ "." name ] )
///     item       = "[" expression "]"
///     list       = "[" [ expression *( "," expression ) ] "]"
///     arguments  = "(" [ argument *( "," argument ) ] ")"
///     argument   = [ name ":" ] expression
struct TemplateParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    /// The place of the first scalar in the whole template.
    private let base: Int
    private var depth = 0

    private static let maximumDepth = 32

    static func parse(_ text: Substring, at base: Int) throws(TemplateError) -> TemplateNode {
        var parser = TemplateParser(scalars: Array(text.unicodeScalars), base: base)
        parser.skipSpace()
        guard !parser.isAtEnd else {
            throw TemplateError("`{{}}` is empty; write the name of a variable between the braces", at: base)
        }
        let node = try parser.expression()
        guard parser.isAtEnd else { throw parser.unexpected("after a value comes `|` or `}}`") }
        return node
    }

    private init(scalars: [Unicode.Scalar], base: Int) {
        self.scalars = scalars
        self.base = base
    }

    // MARK: Grammar

    private mutating func expression() throws(TemplateError) -> TemplateNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw TemplateError("functions and lists are nested more than \(Self.maximumDepth) deep", at: base + position)
        }
        var node = try primary()
        var links = 0
        skipSpace()
        while consume("|") {
            try count(&links)
            skipSpace()
            let start = position
            guard let name = name() else { throw unexpected("after `|` comes a function") }
            skipSpace()
            let given = current == "(" ? try arguments() : []
            let offset = base + start
            node = TemplateNode(
                expression: .call(
                    try TemplateCall(try function(name, at: offset), [TemplateArgument(node: node)] + given, at: offset)),
                offset: node.offset)
            skipSpace()
        }
        return node
    }

    /// Each link of a chain is a call within a call.
    private func count(_ links: inout Int) throws(TemplateError) {
        links += 1
        guard links <= Self.maximumDepth else {
            throw TemplateError("more than \(Self.maximumDepth) items or functions follow each other", at: base + position)
        }
    }

    private mutating func primary() throws(TemplateError) -> TemplateNode {
        skipSpace()
        let offset = base + position
        func node(_ expression: TemplateExpression) -> TemplateNode { TemplateNode(expression: expression, offset: offset) }
        switch current {
        case "\""?, "'"?: return node(.string(try string()))
        case "["?: return node(.list(try list()))
        case let digit? where ("0"..."9").contains(digit) || digit == "-" || digit == "+": return node(try number())
        default: break
        }
        guard let name = name() else { throw unexpected("a template takes a name, a text in quotes, a number or a function") }
        skipSpace()
        if current == "(" {
            return try items(of: node(.call(try TemplateCall(function(name, at: offset), arguments(), at: offset))))
        }
        switch name {
        case "true": return node(.boolean(true))
        case "false": return node(.boolean(false))
        case "null": return node(.null)
        default: return try items(of: node(.variable(name)))
        }
    }

    /// `[0]`, `["name"]`, and `.name` behind either.
    private mutating func items(of value: TemplateNode) throws(TemplateError) -> TemplateNode {
        var node = value
        func item(_ key: TemplateNode) throws(TemplateError) -> TemplateNode {
            let arguments = [node, key].map { TemplateArgument(node: $0) }
            return TemplateNode(expression: .call(try TemplateCall(.item, arguments, at: key.offset)), offset: value.offset)
        }
        var links = 0
        while consume("[") {
            try count(&links)
            let key = try expression()
            skipSpace()
            guard consume("]") else { throw unexpected("the `]` is missing") }
            node = try item(key)
            guard consume(".") else { continue }
            let offset = base + position
            guard let name = name() else { throw unexpected("after `.` comes the name of a member") }
            for part in name.pieces(at: ".") {
                try count(&links)
                node = try item(TemplateNode(expression: .string(String(part)), offset: offset))
            }
        }
        return node
    }

    private func function(_ name: String, at offset: Int) throws(TemplateError) -> TemplateFunction {
        if let function = TemplateFunction(rawValue: name) { return function }
        let names = TemplateFunction.allCases.map(\.rawValue)
        let near = suggestion(for: name, in: names)
        throw TemplateError(
            "the function `\(name)()` isn't known\(near.isEmpty ? "; there are \(names.joined(separator: ", "))" : near)",
            at: offset)
    }

    private mutating func arguments() throws(TemplateError) -> [TemplateArgument] {
        position += 1
        var arguments: [TemplateArgument] = []
        skipSpace()
        while !consume(")") {
            guard !isAtEnd else { throw unexpected("the function's `)` is missing") }
            if !arguments.isEmpty {
                guard consume(",") else { throw unexpected("after an argument comes `,` or `)`") }
                skipSpace()
            }
            let label = label()
            arguments.append(TemplateArgument(label: label, node: try expression()))
            skipSpace()
        }
        return arguments
    }

    /// `name:`, or nothing at all.
    private mutating func label() -> String? {
        let start = position
        if let name = name() {
            skipSpace()
            if consume(":") {
                skipSpace()
                return name
            }
        }
        position = start
        return nil
    }

    private mutating func list() throws(TemplateError) -> [TemplateNode] {
        position += 1
        var items: [TemplateNode] = []
        skipSpace()
        while !consume("]") {
            guard !isAtEnd else { throw unexpected("the list's `]` is missing") }
            if !items.isEmpty {
                guard consume(",") else { throw unexpected("after an item comes `,` or `]`") }
                skipSpace()
            }
            items.append(try expression())
            skipSpace()
        }
        return items
    }

    // MARK: Literals

    private mutating func string() throws(TemplateError) -> String {
        let start = position
        let quote = scalars[position]
        position += 1
        var text = String.UnicodeScalarView()
        while let scalar = current {
            position += 1
            if scalar == quote { return String(text) }
            if scalar == "\\", let escaped = current {
                position += 1
                switch escaped {
                case "n": text.append("\n")
                case "t": text.append("\t")
                default: text.append(escaped)
                }
            } else {
                text.append(scalar)
            }
        }
        throw TemplateError("a text in quotes has no end", at: base + start)
    }

    /// `12`, `-1.5`, `1..6`, `-1h`.
    private mutating func number() throws(TemplateError) -> TemplateExpression {
        let start = position
        var text = signedDigits()
        if current == ".", position + 1 < scalars.count, scalars[position + 1] == "." {
            position += 2
            let upper = signedDigits()
            guard let low = Int(text), let high = Int(upper), low <= high else {
                throw TemplateError(
                    "`\(text)..\(upper)` isn't a range of whole numbers, the smaller one first", at: base + start)
            }
            return .range(low...high)
        }
        if current == "." {
            text.unicodeScalars.append(".")
            position += 1
            text += digits()
        }
        let unitStart = position
        while let scalar = current, scalar.isASCII, scalar.properties.isAlphabetic { position += 1 }
        let unit = String(String.UnicodeScalarView(scalars[unitStart..<position]))
        if !unit.isEmpty {
            let unsigned = text.drop { $0 == "-" || $0 == "+" }
            guard let duration = DurationText.parse(unsigned + unit) else {
                throw TemplateError("`\(text)\(unit)` isn't a duration (200ms, 3s, 1m, 1h)", at: base + start)
            }
            return .duration(text.hasPrefix("-") ? .zero - duration : duration)
        }
        let plain = text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard case .number(let number) = JSONParser.parse(plain) else {
            throw TemplateError("`\(text)` isn't a number", at: base + start)
        }
        return .number(number)
    }

    private mutating func signedDigits() -> String {
        var text = ""
        if let sign = current, sign == "-" || sign == "+" {
            text.unicodeScalars.append(sign)
            position += 1
        }
        return text + digits()
    }

    private mutating func digits() -> String {
        var text = ""
        while let digit = current, ("0"..."9").contains(digit) {
            text.unicodeScalars.append(digit)
            position += 1
        }
        return text
    }

    private mutating func name() -> String? {
        let start = position
        while let scalar = current, TemplateName.isPart(scalar) { position += 1 }
        let name = String(scalars: scalars[start..<position])
        guard TemplateName.isValid(name) else {
            position = start
            return nil
        }
        return name
    }

    // MARK: Scalars

    private var isAtEnd: Bool { position >= scalars.count }

    private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func skipSpace() {
        while let scalar = current, scalar.properties.isWhitespace { position += 1 }
    }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        position += 1
        return true
    }

    private func unexpected(_ rule: String) -> TemplateError {
        guard !isAtEnd else { return TemplateError("the template ends too early: \(rule)", at: base + position) }
        var end = position + 1
        while end < scalars.count, end - position < 20, !scalars[end].properties.isWhitespace { end += 1 }
        return TemplateError(
            "`\(String(String.UnicodeScalarView(scalars[position..<end])))` can't stand here: \(rule)", at: base + position)
    }
}
