import NetworkLayer
import RequestCollections

/// Templates of ours in another program's words: what that program hasn't becomes a variable there, which is named.
struct ForeignTemplates {
    struct Language: Sendable {
        /// As a sentence names it.
        var program: String
        /// What stands between the braces for a call; `nil`: nothing there is like it.
        var call: @Sendable (TemplateCall) -> String?
        /// What may name a variable.
        var name: @Sendable (String) -> String = { $0 }
        /// A variable whose value has templates stands as its value: there variables have their values before anything is sent.
        var inlines = false
        /// Folders and requests have variables of their own there, too.
        var keepsOwners = false
        /// What stands where a variable is used that is such a secret; `nil`: the variable.
        var secret: @Sendable (SecretReference) -> String? = { _ in nil }
        /// What `{{` that is no template is written as.
        var braces: String?
        /// The same inside of a string of JSON.
        var bracesInJSON: String?
    }

    enum Piece: Hashable {
        case text(String)
        /// What stands between the braces.
        case expression(String)
    }

    let language: Language
    let plan: ExportPlan
    /// Whose templates they are.
    var request: RequestDefinition?
    var notes = ExportNotes()
    /// Variables that stand for what has no equal there, by what they stand for.
    private var stands: [TemplateExpression: String] = [:]
    private var taken: Set<String>

    init(_ language: Language, _ plan: ExportPlan) {
        self.language = language
        self.plan = plan
        taken = Set(plan.flatVariables.map(\.name))
    }

    // MARK: Texts

    /// - Parameters:
    ///   - encode: what is done to all that is no template.
    ///   - isEncoded: the value of a variable would be encoded here, and isn't there.
    mutating func text(_ template: String, isEncoded: Bool = false, _ encode: (String) -> String = { $0 }) -> String {
        pieces(template).map { piece in
            switch piece {
            case .text(let text): return escaped(encode(text))
            case .expression(let inside):
                if isEncoded { noteEncoding(inside) }
                return "{{\(inside)}}"
            }
        }
        .joined()
    }

    mutating func escaped(_ text: String) -> String {
        guard Template.isIn(text) else { return text }
        if let braces = language.braces { return text.replacing(scalars: "{{", with: braces) }
        notes.add("`{{` in a text: \(language.program) takes it for the beginning of a template")
        return text
    }

    /// A text in JSON: `"{{qty}}"` alone keeps the type of its value.
    mutating func json(_ text: String) -> String {
        var result = ""
        var rest = Substring(text).utf8
        while let byte = rest.first {
            if byte == UInt8(ascii: "\""), let end = Self.endOfString(rest) {
                let literal = String(Substring(rest[..<end]))
                rest = rest[end...]
                let isName = rest.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x09 && $0 != 0x0D } == UInt8(ascii: ":")
                result += filled(literal: literal, isName: isName)
            } else if byte == UInt8(ascii: "{"), rest.dropFirst().first == byte, let end = Self.endOfTemplate(rest) {
                let template = String(Substring(rest[..<end]))
                rest = rest[end...]
                result += pieces(template).map { piece in
                    switch piece {
                    case .text(let text): JSONParser.parse(text) == nil ? JSONText.quoted(text) : text
                    case .expression(let inside): "{{\(inside)}}"
                    }
                }
                .joined()
            } else {
                let length = max(1, rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "{") }.count)
                result += String(Substring(rest.prefix(length)))
                rest = rest.dropFirst(length)
            }
        }
        // Braces of JSON that stand side by side.
        return result
    }

    private mutating func filled(literal: String, isName: Bool) -> String {
        guard Template.isIn(literal), let text = JSONParser.parse(literal)?.string, Template.isIn(text) else { return literal }
        if !isName, let node = (try? Template(text))?.onlyExpression, isTyped(node) {
            let pieces = pieces(text)
            if pieces.count == 1, case .expression(let inside) = pieces[0] { return "{{\(inside)}}" }
            if pieces.count == 1, case .text(let json) = pieces[0], JSONParser.parse(json) != nil { return json }
        }
        let inside = self.pieces(text).map { piece -> String in
            switch piece {
            case .text(let text):
                let quoted = String(JSONText.quoted(text).dropFirst().dropLast())
                guard let braces = language.bracesInJSON else { return escaped(quoted) }
                return quoted.replacing(scalars: "{{", with: braces)
            case .expression(let inside): return "{{\(inside)}}"
            }
        }
        .joined()
        return "\"\(inside)\""
    }

    private static func endOfString(_ bytes: Substring.UTF8View) -> Substring.Index? {
        var isEscaped = false
        for index in bytes.indices.dropFirst() {
            if isEscaped {
                isEscaped = false
            } else if bytes[index] == UInt8(ascii: "\\") {
                isEscaped = true
            } else if bytes[index] == UInt8(ascii: "\"") {
                return bytes.index(after: index)
            }
        }
        return nil
    }

    private static func endOfTemplate(_ bytes: Substring.UTF8View) -> Substring.Index? {
        Substring(bytes).firstRange(of: "}}")?.upperBound
    }

    // MARK: Pieces

    mutating func pieces(_ template: String) -> [Piece] {
        guard Template.isIn(template), let parsed = try? Template(template) else {
            return template.isEmpty ? [] : [.text(template)]
        }
        var pieces: [Piece] = []
        for segment in parsed.segments {
            switch segment {
            case .text(let text): pieces.append(.text(text))
            case .expression(let node): pieces += resolved(node)
            }
        }
        return pieces
    }

    private mutating func resolved(_ node: TemplateNode, depth: Int = 0) -> [Piece] {
        switch node.expression {
        case .string(let text): return [.text(text)]
        case .number(let digits): return [.text(digits)]
        case .boolean(let flag): return [.text("\(flag)")]
        case .null: return []
        case .variable(let name):
            guard let member = member(name) else { return variable(name, depth: depth) }
            guard plan.isSetByEnvironment(name) else { return resolved(member, depth: depth) }
            notes.add("`{{\(name)}}` has a value there only in the environments that set it")
            return variable(name, depth: depth)
        case .call(let call):
            if call.function == .default, let value = call["value"], case .variable(let name) = value.expression {
                if let member = member(name) { return resolved(member, depth: depth) }
                if plan.variable(name, for: request) == nil {
                    notes.add("`{{\(name) | default(…)}}` is `{{\(name)}}` there, which has no default")
                }
                return variable(name, depth: depth)
            }
            if let item = constantItem(node) { return [.text(item.plainText)] }
            if let inside = language.call(call) { return [.expression(inside)] }
            return [.expression(stand(for: node.expression, call.function.rawValue))]
        case .duration, .range, .list: return [.expression(stand(for: node.expression, "value"))]
        }
    }

    /// `user.name`, where `user` is a variable, and the whole name isn't.
    private func member(_ name: String) -> TemplateNode? {
        func isKnown(_ name: String) -> Bool { plan.variable(name, for: request) != nil }
        return isKnown(name) ? nil : TemplateExpression.member(name, where: isKnown)?.node
    }

    /// An item of a list, or a member of a map, that a file has without templates, is no credential by its name, and is the same in every
    /// environment.
    private func constantItem(_ node: TemplateNode) -> JSONValue? {
        func value(_ node: TemplateNode?) -> JSONValue? {
            switch node?.expression {
            case .string(let text)?: return .string(text)
            case .number(let digits)?: return .number(digits)
            case .call(let call)? where call.function == .item: return value(call["value"]).flatMap { $0.item(value(call["key"])) }
            case .variable(let name)?:
                if let member = member(name) { return value(member) }
                guard case .json(let text)? = plan.variable(name, for: request)?.value, !Template.isIn(text),
                    !plan.isSetByEnvironment(name)
                else { return nil }
                return JSONParser.parse(text)
            default: return nil
            }
        }
        guard case .call(let call) = node.expression, call.function == .item,
            !node.names.contains(where: Redaction.standard.redacts(variable:))
        else { return nil }
        return value(node)
    }

    private mutating func variable(_ name: String, depth: Int) -> [Piece] {
        guard let variable = plan.variable(name, for: request) else { return [.expression(renamed(name))] }
        if case .secret(let reference) = variable.value, let inside = language.secret(reference) { return [.expression(inside)] }
        if isToBeSet(variable.value) {
            notes.addOfAll(
                "the variable `\(name)` is to be set there: its value is made by a function that \(language.program) hasn't")
            return [.expression(renamed(language.keepsOwners ? name : variable.name))]
        }
        if language.inlines {
            switch variable.value {
            case .text(let text) where Template.isIn(text):
                guard depth < 8, let parsed = try? Template(text) else { break }
                return parsed.segments.flatMap { segment -> [Piece] in
                    switch segment {
                    case .text(let text): [.text(text)]
                    case .expression(let node): resolved(node, depth: depth + 1)
                    }
                }
            case .json(let text) where text.hasPrefix("{") || text.hasPrefix("["):
                if !Template.isIn(text) { return [.text(JSONParser.parse(text)?.text(pretty: false) ?? text)] }
                notes.add("the variable `\(name)` is a list or map with templates in it, which \(language.program) hasn't")
            default: break
            }
        }
        return [.expression(renamed(language.keepsOwners ? name : variable.name))]
    }

    /// Whether a variable is nothing but what a function gives that isn't there, such as what a person types.
    func isToBeSet(_ value: VariableDefinition.Value) -> Bool {
        guard case .text(let text) = value, Template.isIn(text), let node = (try? Template(text))?.onlyExpression,
            case .call(let call) = node.expression
        else { return false }
        return call.function != .default && language.call(call) == nil
    }

    mutating func renamed(_ name: String) -> String {
        let other = language.name(name)
        if other != name { notes.addOfAll("the variable `\(name)` is called `\(other)` there") }
        return other
    }

    private mutating func stand(for expression: TemplateExpression, _ base: String) -> String {
        if let known = stands[expression] { return known }
        let name = freeName(base, "") { taken.insert($0).inserted }
        stands[expression] = name
        notes.add("`{{\(base)(…)}}` has no equal in \(language.program): it is the variable `\(name)` there, to be set")
        return name
    }

    /// Whether a template that is this alone has a type in JSON.
    private func isTyped(_ node: TemplateNode) -> Bool {
        switch node.expression {
        case .number, .boolean, .null: return true
        case .variable(let name):
            if let member = member(name) { return isTyped(member) }
            switch plan.variable(name, for: request)?.value {
            case .json?: return true
            case .text(let text)?:
                guard Template.isIn(text), let inner = (try? Template(text))?.onlyExpression else { return false }
                return isTyped(inner)
            case .secret?: return false
            // What a response gives may be anything, and is mostly a text.
            case nil: return plan.capturedNumbers.contains(name)
            }
        case .call(let call) where call.function == .item: return constantItem(node).map { $0.string == nil } ?? false
        case .call(let call): return call.function == .timestamp || call.function == .random && call["length"] == nil
        case .string, .duration, .range, .list: return false
        }
    }

    /// - Parameter isKnown: says nothing of what has no value yet.
    mutating func noteEncoding(_ inside: String, isKnown: Bool = false) {
        let known = plan.flatVariables.first { $0.name == inside || language.name($0.name) == inside }?.value
        if known == nil, isKnown { return }
        switch known {
        case .text(let text)? where !Template.isIn(text):
            if text.utf8.allSatisfy(URLCoding.isUnreserved) { return }
        case .json(let text)?: if text.utf8.allSatisfy(URLCoding.isUnreserved) { return }
        default: if ["$guid", "$uuid", "newUuid", "$timestamp"].contains(inside) { return }
        }
        notes.addOfAll("`{{\(inside)}}` goes into a URL or form as it is: \(language.program) doesn't encode it there")
    }
}
