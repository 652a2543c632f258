import NetworkLayer

/// A field of a kind of `auth`: one row of the format's table, with everything that is known of it.
package struct AuthField: Sendable {
    /// As the file has it. It is unique among the fields of one kind.
    package let key: String
    /// What it is to people: `client secret`.
    package let label: String
    /// Nobody else may know it.
    package let isSecret: Bool
    /// The words to choose from in an editor; `nil`: a text to type.
    package let choices: [String]?
    /// Whether it may have templates.
    let hasTemplates: Bool
    /// Whether it is a path, relative to the file that names it.
    let isPath: Bool
    let shape: FormatShape
    /// What it does, for people who write collections.
    let help: String
    let isRequired: Bool
    /// What holds when nothing is said, and isn't written.
    let standard: String?

    fileprivate let kind: String
    fileprivate let read: @Sendable (YAMLNode) -> String?
    fileprivate let applies: @Sendable (AuthDefinition) -> Bool
    /// `nil`: nothing is said.
    fileprivate let get: @Sendable (AuthDefinition) -> String?
    /// - Returns: whether it can be that.
    fileprivate let set: @Sendable (inout AuthDefinition, String?) -> Bool
}

extension AuthField: Hashable {
    package static func == (left: AuthField, right: AuthField) -> Bool { (left.kind, left.key) == (right.kind, right.key) }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(key)
    }
}

/// A field of the value of one kind, before the kind is known.
struct AuthFieldRow<Value: Sendable>: Sendable {
    typealias Path<Member> = WritableKeyPath<Value, Member> & Sendable

    var key: String
    var shape: FormatShape
    var help: String
    var label: String?
    var isSecret = false
    var isPath = false
    var isRequired = false
    var standard: String?
    var choices: [String]?
    var read: @Sendable (YAMLNode) -> String? = { $0.text }
    var applies: @Sendable (Value) -> Bool = { _ in true }
    var get: @Sendable (Value) -> String?
    var set: @Sendable (inout Value, String?) -> Bool

    /// A text that is always written.
    static func text(
        _ key: String, _ path: any Path<String>, label: String? = nil, isSecret: Bool = false, isRequired: Bool = false,
        _ help: String
    ) -> Self {
        Self(
            key: key, shape: .text, help: help, label: label, isSecret: isSecret, isRequired: isRequired,
            get: { $0[keyPath: path] },
            set: {
                $0[keyPath: path] = $1 ?? ""
                return true
            })
    }

    /// A text that may be left out.
    ///
    /// - Parameter applies: whether it means anything beside the others.
    static func optional(
        _ key: String, _ path: any Path<String?>, shape: FormatShape = .text, isSecret: Bool = false, isPath: Bool = false,
        if applies: @escaping @Sendable (Value) -> Bool = { _ in true }, _ help: String
    ) -> Self {
        Self(
            key: key, shape: shape, help: help, isSecret: isSecret, isPath: isPath, applies: applies, get: { $0[keyPath: path] },
            set: {
                $0[keyPath: path] = $1
                return true
            })
    }

    static func duration(_ key: String, _ path: any Path<Duration?>, _ help: String) -> Self {
        Self(
            key: key, shape: .duration, help: help, get: { $0[keyPath: path].map(DurationText.format) },
            set: { value, text in
                let duration = text.flatMap(DurationText.parse)
                if text == nil || duration != nil { value[keyPath: path] = duration }
                return text == nil || duration != nil
            })
    }

    /// One of the words that the cases have; the first one unless given.
    static func choice<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String, _ path: any Path<Word>, _ help: String
    ) -> Self {
        let names = Word.allCases.map(\.rawValue)
        return Self(
            key: key, shape: .oneOf(names), help: help, standard: names.first, choices: names, get: { $0[keyPath: path].rawValue },
            set: { value, text in
                guard let word = (text ?? names.first).flatMap(Word.init) else { return false }
                value[keyPath: path] = word
                return true
            })
    }
}

/// A kind of `auth`, with everything that is known of it but what it sends.
///
/// Reading, writing, the difference that is saved, every walk through its texts, explaining, the rows of an editor, the schema and the
/// reference page are each one walk over ``fields``. So a new kind is a case of ``AuthDefinition``, a row in
/// `FormatTable+Auth.swift`, and what `RequestResolver+Auth.swift` sends.
package struct AuthKind: Sendable {
    /// The key in the file.
    package let name: String
    package let help: String
    /// In the order in which they are written. The only one of a kind that takes no map stands right behind the kind's name.
    package let fields: [AuthField]
    /// With nothing filled in.
    package let empty: AuthDefinition
    let takesMap: Bool
    /// Whether its name alone says something.
    let isWord: Bool
    let shape: FormatShape
    let rules: [FormatRule]
    /// What of it may be shown: never a password, token or key, wherever it comes from.
    let shown: @Sendable (AuthDefinition) -> String?

    /// - Parameters:
    ///   - takesMap: whether its fields stand in a map; it has one field at the most otherwise.
    ///   - embed: makes a definition out of its value.
    ///   - value: that of a definition of this kind; `nil` of another one.
    init<Value: Sendable>(
        _ name: String, takesMap: Bool = true, isWord: Bool = false, _ empty: Value,
        _ embed: @escaping @Sendable (Value) -> AuthDefinition,
        _ value: @escaping @Sendable (AuthDefinition) -> Value?, _ rows: [AuthFieldRow<Value>], rules: [FormatRule] = [],
        shown: @escaping @Sendable (Value) -> String? = { _ in nil }, _ help: String
    ) {
        self.name = name
        self.help = help
        self.empty = embed(empty)
        self.isWord = isWord
        self.shown = { value($0).flatMap(shown) }
        fields = rows.map { row in
            AuthField(
                key: row.key, label: row.label ?? row.key.replacing(scalars: "-", with: " "), isSecret: row.isSecret,
                choices: row.choices, hasTemplates: row.shape.isText, isPath: row.isPath, shape: row.shape, help: row.help,
                isRequired: row.isRequired, standard: row.standard, kind: name, read: row.read,
                applies: { value($0).map(row.applies) ?? false }, get: { value($0).flatMap(row.get) },
                set: { definition, text in
                    guard var changed = value(definition), row.set(&changed, text) else { return false }
                    definition = embed(changed)
                    return true
                })
        }
        let required = fields.filter(\.isRequired).map(\.key)
        self.rules = (required.isEmpty ? [] : [.required(required)]) + rules
        self.takesMap = takesMap
        shape =
            takesMap
            ? .keys(FormatTable(name, fields.map { FormatKey($0.key, $0.shape, $0.help) }, rules: self.rules))
            : fields.first?.shape ?? .anything
    }

    /// A kind that consists of its name alone.
    init(word name: String, _ definition: AuthDefinition, _ help: String = "") {
        self.init(name, takesMap: false, isWord: true, (), { _ in definition }, { _ in nil }, [], help)
    }

    package static subscript(_ name: String) -> AuthKind? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    package subscript(_ key: String) -> AuthField? { fields.first { $0.key == key } }
}

extension AuthKind: Hashable {
    package static func == (left: AuthKind, right: AuthKind) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension FormatShape {
    /// Whether it is text with templates, whatever else it may be.
    fileprivate var isText: Bool {
        switch self {
        case .text: true
        case .either(let shapes): shapes.contains(where: \.isText)
        default: false
        }
    }
}

// MARK: Walks over the fields

extension AuthDefinition {
    /// The key in the file.
    package var kindName: String { kind.name }

    /// What there is to set, in the format's order.
    package var fields: [AuthField] { kind.fields.filter { $0.applies(self) } }

    /// `""`: nothing is said. `nil`: there is no such field.
    package func text(of field: AuthField) -> String? { field.applies(self) ? field.get(self) ?? "" : nil }

    /// - Parameter text: an empty one takes away what needn't be said.
    /// - Throws: for what the field can't be, with what it can.
    package mutating func set(_ text: String, of field: AuthField) throws(InvalidFieldText) {
        guard field.applies(self) else { return }
        if !field.set(&self, text.isEmpty ? nil : text) {
            throw InvalidFieldText(message: "`\(field.key)` takes \(field.shape.description), not `\(text)`")
        }
    }

    /// The first of its texts that nobody else may know.
    package var secret: String? { fields.first(where: \.isSecret).flatMap(text) }

    /// What of it may be shown: never a password, token or key, wherever it comes from.
    package var shownName: String? { kind.shown(self) }

    /// The same as another kind, as far as it fits: fields of the same name and, where there is only one on each side, the secret.
    package func converted(to kind: AuthKind) -> AuthDefinition {
        if kind == self.kind { return self }
        var converted = kind.empty
        for field in kind.fields {
            if let own = self.kind[field.key], let text = own.get(self) { _ = field.set(&converted, text) }
        }
        let secrets = [self.kind, kind].map { $0.fields.filter(\.isSecret) }
        if secrets.allSatisfy({ $0.count == 1 }), let text = secrets[0][0].get(self) { _ = secrets[1][0].set(&converted, text) }
        return converted
    }

    /// Changes every text: each of them may have templates. Whatever reads or changes texts of an auth goes this way.
    package func mapTexts(_ change: (AuthField, inout String) -> Void) -> AuthDefinition {
        var changed = self
        for field in kind.fields where field.hasTemplates {
            guard var text = field.get(changed) else { continue }
            change(field, &text)
            _ = field.set(&changed, text)
        }
        return changed
    }

    var texts: [String] {
        var texts: [String] = []
        _ = mapTexts { texts.append($1) }
        return texts
    }
}

extension RequestReader {
    /// What has the wrong form was reported by the table's check; what is missing is reported here.
    func auth(_ node: YAMLNode, problems: inout [CollectionProblem]) -> AuthDefinition? {
        if let kind = node.text.flatMap({ AuthKind[$0] }) { return kind.isWord ? kind.empty : nil }
        guard let pairs = node.pairs, let pair = pairs.first, let name = pair.key.text else {
            if node.pairs != nil { problems.append(problem(node, "`auth` is empty; write `auth: none` for none")) }
            return nil
        }
        if pairs.count > 1, let second = pairs[1].key.text, second != name {
            problems.append(problem(pairs[1].key, "both `\(name)` and `\(second)` are there; a request has one kind of `auth`"))
        }
        guard let kind = AuthKind[name], !kind.fields.isEmpty else { return nil }
        var auth = kind.empty
        for field in kind.fields {
            let node = kind.takesMap ? pair.value[field.key] : pair.value
            if let text = node.flatMap(field.read) { _ = field.set(&auth, text) }
        }
        if case .keys(let table) = kind.shape { require(table, in: pair, problems: &problems) }
        return auth
    }

    private func require(_ table: FormatTable, in pair: YAMLPair, problems: inout [CollectionProblem]) {
        // A key that isn't known is probably the one that would be missing.
        guard table.knowsAllKeys(of: pair.value) else { return }
        var kind = pair.key.text ?? ""
        var required: [String] = []
        for rule in table.rules {
            switch rule {
            case .required(let keys): required += keys
            case .requiredBy(let key, let keys):
                let value = pair.value[key]?.text
                required += keys[value] ?? []
                kind += " with the \(key) \(value ?? AuthKind[kind]?[key]?.standard ?? "")"
            case .exactlyOne, .atMostOne, .notEmpty: break
            }
        }
        for key in required where pair.value[key] == nil { problems.append(problem(pair.key, "`\(kind)` lacks `\(key)`")) }
    }
}

extension RequestWriter {
    static func auth(_ auth: AuthDefinition) -> DesiredValue {
        let kind = auth.kind
        let said: Entries = kind.fields.compactMap { field in
            field.get(auth).flatMap { $0 == field.standard ? nil : (field.key, .scalar($0, .text)) }
        }
        if kind.takesMap { return .map([(kind.name, .map(said))]) }
        return said.first.map { .map([(kind.name, $0.value)]) } ?? .scalar(kind.name, .text)
    }
}
