import NetworkLayer

/// What shows why an expectation isn't met, beside what was found: types that differ, the items at fault, where two structures differ.
struct ExpectationEvidence {
    /// What a value must be.
    let matcher: Matcher
    /// Takes secrets out before a text is cut.
    let redactor: Redactor

    private static let mostLines = 10
    private static let mostItems = 4
    private static let mostScalars = 80

    /// - Parameter values: of JSON.
    func lines(about values: [JSONValue?], _ context: inout MatchContext) -> [String] {
        guard values.count == 1, let value = values[0] else { return [] }
        // The first line says that.
        if case .equals(let expected) = matcher, expected.differsInType(from: value) { return [] }
        return lines(matcher, value, &context)
    }

    /// How a file says what was found, where that looks like what was expected: `hint: for the text, write .qty: "42"`
    func hint(about values: [JSONValue?], at filter: String) -> String? {
        guard values.count == 1, let value = values[0], case .equals(let expected) = matcher, expected.differsInType(from: value),
            expected.plainText == value.plainText
        else { return nil }
        let key = ScalarWriter.isPlainSafe(filter, .text, isFlow: false) ? filter : ScalarWriter.doubleQuoted(filter)
        let written = if case .string(let text) = value { ScalarWriter.doubleQuoted(text) } else { value.plainText }
        let type = if case .string = value { "text" } else { value.typeName }
        return "hint: for the \(type), write \(key): \(written)"
    }

    /// `<!doctype html>`, of a body that begins so.
    static func start(of body: String) -> String? {
        let text = body.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }.prefix(mostScalars)
        guard text.first == "<", let end = text.firstIndex(of: ">") else { return nil }
        return String(text[...end])
    }

    private func lines(_ matcher: Matcher, _ value: JSONValue, _ context: inout MatchContext) -> [String] {
        switch (matcher, value) {
        case (.all(let matchers), _):
            var lines: [String] = []
            for matcher in matchers where !matcher.matches(value, .json, &context) { lines += self.lines(matcher, value, &context) }
            return Array(lines.prefix(Self.mostLines))
        case (.each(let inner), .array(let items)): return self.items(items, inner, &context).map { [$0.text] } ?? []
        case (.schema(let reference), _):
            return cut(reference.schema?.violations(of: value, &context).map(line) ?? ["the schema wasn't read"])
        case (.equals(let expected), _) where expected.isStructure && expected.typeName == value.typeName:
            var lines: [String] = []
            addDifferences(of: value, from: expected, at: ("", false), to: &lines, &context)
            guard lines.count > Self.mostLines else { return lines }
            return lines.prefix(Self.mostLines - 1) + ["… and \(lines.count - Self.mostLines + 1) more differences"]
        case (.equals(.string(let expected)), .string(let found)): return Self.difference(expected, found).map { [$0] } ?? []
        case (.equals(let expected), _) where expected.typeName != value.typeName:
            return ["expected \(typed(expected)), found \(typed(value))"]
        default: return []
        }
    }

    /// Where two texts that look alike differ: `character 2: U+0020 expected, and U+00A0 found`
    static func difference(_ expected: String, _ found: String) -> String? {
        let (one, other) = (Array(expected.unicodeScalars), Array(found.unicodeScalars))
        let place = zip(one, other).prefix { $0 == $1 }.count
        let (wanted, there) = (one.dropFirst(place).first, other.dropFirst(place).first)
        guard wanted != there else { return nil }
        // Anything else can be seen.
        let isHidden = { (scalar: Unicode.Scalar?) in scalar.map { !(0x20..<0x7F).contains($0.value) } ?? false }
        let isLast = (wanted == nil || there == nil) && (wanted == " " || there == " ")
        guard isHidden(wanted) || isHidden(there) || isLast else { return nil }
        let text = { (scalar: Unicode.Scalar?) -> String in
            guard let digits = scalar.map({ String($0.value, radix: 16, uppercase: true) }) else { return "the end" }
            return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
        return "character \(place + 1): \(text(wanted)) expected, and \(text(there)) found"
    }

    /// Why XPath may find nothing: a name without a prefix is in no namespace, and those of most documents are in one.
    func lines(aboutXPath program: String, in body: String) -> [String] {
        let start = body.prefix(4_096)
        guard program.firstRange(of: "_:") == nil, start.lowercased().firstRange(of: "<!doctype html") == nil,
            let tag = Self.found("<[A-Za-z_][^<>]*>", in: String(start)),
            let name = Self.found(#"\sxmlns\s*=\s*["']([^"']+)"#, in: tag).map(redactor.text)
        else { return [] }
        return ["the document is in namespace \(cut(name))", "hint: \(Self.inDefaultNamespace(program))"]
    }

    private static func found(_ pattern: String, in text: String) -> String? {
        (try? RegularExpression.compiled(pattern).group(in: text)) ?? nil
    }

    /// A plain path with the prefix that its names lack: `//_:h1`.
    private static func inDefaultNamespace(_ program: String) -> String {
        let isPlain = found(#"^(//?(@?[A-Za-z_][A-Za-z0-9_.\-]*|\*)(\[[0-9]+\])?)+$"#, in: program) != nil
        guard isPlain else { return "`_:` stands for it, as in //_:title" }
        var written = ""
        for character in program {
            let isStart = written.last == "/" && (character == "_" || character.isLetter)
            written += isStart ? "_:\(character)" : "\(character)"
        }
        return written
    }

    /// Where a path ends that finds nothing, and what is there.
    ///
    /// - Parameter found: what a path finds first.
    /// - Returns: the reason, `.order has no "total"`, and lines that say what it has instead.
    func end(of steps: [JSONFilter.Step], finding found: (String) -> JSONValue?) -> (reason: String, lines: [String])? {
        for count in steps.indices.reversed() {
            let path = steps[..<count].map(\.text).joined()
            guard let value = found(path.isEmpty ? "." : path) else { continue }
            let name = path.isEmpty ? "the body" : path
            guard case .object(let members) = value, case .member(let wanted, _) = steps[count] else {
                return (value == .null ? "\(name) is null" : cut(redactor.text("\(name) is \(value.typed)")), [])
            }
            let names = members.map(\.name)
            let list = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
            let near = nearestName(to: wanted, in: names).map {
                "hint: \(path)\(JSONFilter.Step.member($0, isOptional: false).text)?"
            }
            return (
                redactor.text("\(name) has no \(JSONText.quoted(wanted))"),
                [redactor.text(names.isEmpty ? "it is empty" : "it has: \(list)")] + (near.map { [redactor.text($0)] } ?? [])
            )
        }
        return nil
    }

    /// The violations, with their places in the document.
    func lines(about violations: [JSONSchema.Violation], of contract: OpenAPIContract) -> [String] {
        // The violations beyond the limit are only counted.
        cut(
            violations.enumerated().map { index, violation in
                let place = index < Self.mostLines ? violation.rule.flatMap(contract.place) : nil
                return line(violation) + (place.map { " (\($0))" } ?? "")
            })
    }

    private func cut(_ lines: [String]) -> [String] {
        guard lines.count > Self.mostLines else { return lines }
        return lines.prefix(Self.mostLines - 1) + ["… and \(lines.count - Self.mostLines + 1) more"]
    }

    /// Which of several values, or of a list's items, are at fault, `0 in 2 of 12: [3] 0, [7] null`, and which is the first of them.
    func items(_ values: [JSONValue?], _ context: inout MatchContext) -> (text: String, index: Int)? {
        if values.count > 1 { return items(values, matcher, &context) }
        guard case .each(let inner) = matcher, case .array(let items)?? = values.first else { return nil }
        return self.items(items, inner, &context)
    }

    private func items(
        _ values: [JSONValue?], _ matcher: Matcher, _ context: inout MatchContext
    ) -> (text: String, index: Int)? {
        var wrong: [(index: Int, value: JSONValue?)] = []
        for (index, value) in values.enumerated() where !matcher.matches(value, .json, &context) { wrong.append((index, value)) }
        guard let first = wrong.first else { return nil }
        func text(_ value: JSONValue?) -> String { value.map(self.text) ?? "nothing" }
        let shown = wrong.prefix(Self.mostItems).map { "[\($0.index)] \(text($0.value))" }
        let end = wrong.count > shown.count ? ", …" : ""
        return ("\(text(first.value)) in \(wrong.count) of \(values.count): \(shown.joined(separator: ", "))\(end)", first.index)
    }

    /// `.items[3]: {"sku":"B9","price":0}`; `nil` for what stands in the first line.
    func line(about item: JSONValue, at path: String) -> String? {
        item.isStructure ? "\(redactor.text(path)): \(text(item))" : nil
    }

    /// `.a.b: 1 ≠ 2`, expected before found; `- .c` isn't there, and `+ .d` should not be.
    private func addDifferences(
        of found: JSONValue, from expected: JSONValue, at place: (path: String, isHidden: Bool), to lines: inout [String],
        _ context: inout MatchContext
    ) {
        let path = place.path
        // A credential by its name, whose value nobody may see.
        func text(_ value: JSONValue, _ name: String? = nil) -> String {
            let isHidden = place.isHidden || name.map(Redaction.standard.redacts(parameter:)) ?? false
            return isHidden ? Redactor.mask : self.text(value)
        }
        switch (expected, found) {
        case (.object(let members), .object(let others)):
            for member in members {
                let inner = self.path(path, member.name)
                if let other = others.first(where: { $0.isNamed(member.name) }) {
                    let isHidden = Redaction.standard.redacts(parameter: member.name)
                    addDifferences(of: other.value, from: member.value, at: (inner, isHidden), to: &lines, &context)
                } else {
                    lines.append("- \(inner): \(text(member.value, member.name))")
                }
            }
            for other in others where !members.contains(where: { $0.isNamed(other.name) }) {
                lines.append("+ \(self.path(path, other.name)): \(text(other.value, other.name))")
            }
        case (.array(let items), .array(let others)):
            for (index, (item, other)) in zip(items, others).enumerated() {
                addDifferences(of: other, from: item, at: ("\(path)[\(index)]", place.isHidden), to: &lines, &context)
            }
            for index in items.indices.dropFirst(others.count) { lines.append("- \(path)[\(index)]: \(text(items[index]))") }
            for index in others.indices.dropFirst(items.count) { lines.append("+ \(path)[\(index)]: \(text(others[index]))") }
        default:
            guard !Matcher.equals(expected).matches(found, .json, &context) else { return }
            lines.append("\(path.isEmpty ? "." : path): \(text(expected)) ≠ \(text(found))")
        }
    }

    private func path(_ path: String, _ name: String) -> String {
        let isPlain = JSONPathParser.isIdentifier(name)
        return path + (isPlain ? ".\(name)" : "[\(redactor.text(JSONValue.string(name).text(pretty: false)))]")
    }

    /// `.items[0].price: the text "9.5" where a number must be`
    private func line(_ violation: JSONSchema.Violation) -> String {
        let place = violation.path.isEmpty ? "." : violation.path.hasPrefix("[") ? ".\(violation.path)" : violation.path
        let isHidden = violation.name.map(Redaction.standard.redacts(parameter:)) ?? false
        let found = violation.found.map { "\(isHidden ? Redactor.mask : cut(redactor.text($0.typed))) where " } ?? ""
        return "\(redactor.text(place)): \(found)\(redactor.text(violation.demand))"
    }

    private func typed(_ value: JSONValue) -> String {
        let text = value.typed
        return cut(redactor.text(text.hasPrefix("the ") ? String(text.dropFirst(4)) : text))
    }

    private func text(_ value: JSONValue) -> String { cut(redactor.text(value.hidingCredentials.text(pretty: false))) }

    private func cut(_ text: String) -> String {
        text.unicodeScalars.count > Self.mostScalars ? "\(String(text.unicodeScalars.prefix(Self.mostScalars - 1)))…" : text
    }
}

extension JSONValue {
    fileprivate var isStructure: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    fileprivate var typeName: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .number: "number"
        case .string: "text"
        case .array: "list"
        case .object: "map"
        }
    }
}

extension JSONFilter {
    /// The path of an item at fault: of a list that is looked at item by item, or of the one that a path goes through; `nil` where its
    /// number says nothing.
    func item(_ index: Int, of matcher: Matcher, count: Int) -> String? {
        guard let steps else { return nil }
        if count == 1, case .each = matcher { return source == "." ? ".[\(index)]" : "\(source)[\(index)]" }
        let places = steps.indices.filter { steps[$0] == .each(isOptional: false) }
        let isPlain = steps.allSatisfy { step in
            switch step {
            case .member(_, false), .item(_, false), .each(false): true
            case .member, .item, .each, .slice, .recurse: false
            }
        }
        guard isPlain, places.count == 1, let place = places.first else { return nil }
        let start = steps[..<place].map(\.text).joined()
        return (start.isEmpty ? "." : start) + "[\(index)]"
    }
}
