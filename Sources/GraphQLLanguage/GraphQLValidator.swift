/// The validation rules of executable documents (GraphQL, 5). Without a schema those remain that need none.
///
/// One walk over every definition finds what is wrong in its place, and notes which variables and fragments the definition uses; rules
/// about the whole document follow from these notes.
struct GraphQLValidator {
    typealias Document = GraphQLDocument
    typealias Schema = GraphQLSchema

    let document: Document
    let schema: Schema?
    /// Of several types with one name the first counts.
    let fragments: [String: Document.Fragment]
    var problems: [(message: String, range: Range<Int>)] = []
    /// What the definition uses that is walked over.
    var uses = Uses()
    private(set) var fragmentUses: [String: Uses] = [:]

    struct Uses {
        var variables: [VariableUse] = []
        var spreads: [Document.Name] = []
    }

    struct VariableUse {
        var name: Document.Name
        /// `nil`: unknown.
        var type: GraphQLType?
        /// Whether the place has a default value.
        var hasDefault: Bool
        /// The input object with `@oneOf` whose field it is.
        var oneOf: String?
    }

    init(_ document: Document, schema: Schema?) {
        self.document = document
        self.schema = schema
        fragments = Dictionary(document.fragments.map { ($0.name.text, $0) }) { first, _ in first }
    }

    /// More of them nobody reads. Three times as many are looked for, since those that are found first aren't the first of the text.
    private static let limit = 100
    /// Each operation looks at all that its fragments use, which a hostile document makes very much; what is beyond goes unseen.
    private static let workLimit = 100_000

    /// In the order of their places.
    static func faults(in document: Document, schema: Schema?) -> [GraphQLFault] {
        var validator = GraphQLValidator(document, schema: schema)
        validator.validate()
        let sorted = validator.problems.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        return sorted.prefix(limit).map { GraphQLFault($0.element.message, $0.element.range, in: document.source) }
    }

    mutating func report(_ message: @autoclosure () -> String, _ range: Range<Int>) {
        if problems.count < 3 * Self.limit { problems.append((message(), range)) }
    }

    private mutating func validate() {
        for definition in document.typeSystem {
            report("A definition of the type system can't be executed: this belongs in a schema.", definition.range)
        }
        validateNames()
        for fragment in document.fragments {
            uses = Uses()
            validate(fragment)
            fragmentUses[fragment.name.text, default: uses] = fragmentUses[fragment.name.text] ?? uses
        }
        var used: Set<String> = []
        var work = 0
        for operation in document.operations {
            uses = Uses()
            validate(operation)
            guard work < Self.workLimit else { continue }
            let names = reachableFragments(from: uses.spreads)
            used.formUnion(names)
            work += names.reduce(names.count) { $0 + (fragmentUses[$1]?.variables.count ?? 0) }
            validateVariables(of: operation, uses.variables + names.flatMap { fragmentUses[$0]?.variables ?? [] })
        }
        for fragment in document.fragments
        where work < Self.workLimit && !document.isOpen && !used.contains(fragment.name.text) && !fragment.name.isTemplate {
            report("No operation uses the fragment \(fragment.name.text).", fragment.name.range)
        }
        findFragmentCycles()
        var overlap = GraphQLOverlap(fragments: fragments, schema: schema)
        for conflict in overlap.conflicts(in: document) { report(conflict.message, conflict.range) }
    }

    /// GraphQL, 5.2.2.1, 5.2.3.1 and 5.5.1.1.
    private mutating func validateNames() {
        var names: Set<String> = []
        for operation in document.operations {
            if let name = operation.name, !name.isTemplate, !names.insert(name.text).inserted {
                report("There is another operation with the name \(name.text).", name.range)
            }
            if operation.name == nil, document.operations.count > 1 {
                report("An operation needs a name where it isn't the only one.", operation.range.prefix(1))
            }
        }
        names = []
        for fragment in document.fragments where !fragment.name.isTemplate && !names.insert(fragment.name.text).inserted {
            report("There is another fragment with the name \(fragment.name.text).", fragment.name.range)
        }
    }

    private mutating func validate(_ operation: Document.Operation) {
        let root = schema?.roots[operation.kind].flatMap { schema?.type(named: $0) }
        if schema != nil, root == nil {
            report("The schema has no \(operation.kind)s.", operation.name?.range ?? operation.range.prefix(1))
        }
        validate(operation.variables)
        validate(operation.directives, at: operation.kind.rawValue.uppercased())
        validate(operation.selections, of: root)
        if operation.kind == .subscription, root != nil { validateRoot(of: operation) }
    }

    private mutating func validate(_ fragment: Document.Fragment) {
        let type = typeCondition(fragment.typeCondition)
        validate(fragment.directives, at: "FRAGMENT_DEFINITION")
        validate(fragment.selections, of: type)
    }

    /// The type of a fragment, when it is known and has fields (GraphQL, 5.5.1.2 and 5.5.1.3).
    mutating func typeCondition(_ name: Document.Name) -> Schema.TypeDefinition? {
        guard let schema, !name.isTemplate else { return nil }
        guard let type = schema.type(named: name.text) else {
            let suggestion = GraphQLSuggestion.text(for: name.text, among: schema.types.lazy.filter(\.isComposite).map(\.name))
            report("The schema has no type \(name.text).\(suggestion)", name.range)
            return nil
        }
        guard type.isComposite else {
            report("A fragment can't be on \(name.text), which has no fields.", name.range)
            return nil
        }
        return type
    }

    // MARK: Fragments

    /// Each of them once.
    private func reachableFragments(from spreads: [Document.Name]) -> [String] {
        var (found, pending): ([String], [Document.Name]) = ([], spreads)
        var seen: Set<String> = []
        while let spread = pending.popLast() {
            guard fragments[spread.text] != nil, seen.insert(spread.text).inserted else { continue }
            found.append(spread.text)
            pending += fragmentUses[spread.text]?.spreads ?? []
        }
        return found
    }

    /// GraphQL, 5.5.2.2. Without recursion, since a chain of fragments may be of any length.
    private mutating func findFragmentCycles() {
        var seen: Set<String> = []
        for fragment in document.fragments where seen.insert(fragment.name.text).inserted {
            var path: [(name: String, next: Int)] = [(fragment.name.text, 0)]
            var onPath: Set<String> = [fragment.name.text]
            while let (name, next) = path.last {
                let spreads = fragmentUses[name]?.spreads ?? []
                guard next < spreads.count else {
                    onPath.remove(name)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let spread = spreads[next]
                if onPath.contains(spread.text) {
                    report("The fragment \(spread.text) contains itself by this.", spread.range)
                } else if fragments[spread.text] != nil, seen.insert(spread.text).inserted {
                    path.append((spread.text, 0))
                    onPath.insert(spread.text)
                }
            }
        }
    }

    /// A subscription has one field at its root, not one of introspection, in any case (GraphQL, 5.2.4.1; since September 2025 without
    /// `@skip` and `@include`).
    private mutating func validateRoot(of operation: Document.Operation) {
        var fields: [Document.Field] = []
        var conditions: [Range<Int>] = []
        var seen: Set<String> = []
        var pending = Array(operation.selections.reversed())
        while let selection = pending.popLast() {
            conditions += selection.directives.filter { ["skip", "include"].contains($0.name.text) }.map(\.range)
            switch selection {
            case .field(let field): fields.append(field)
            case .spread(let name, _, _):
                guard let fragment = fragments[name.text], seen.insert(name.text).inserted else { continue }
                if applies(fragment.typeCondition, to: operation.kind) { pending += fragment.selections.reversed() }
            case .inline(let condition, _, let selections, _):
                if condition.map({ applies($0, to: operation.kind) }) ?? true { pending += selections.reversed() }
            }
        }
        if let condition = conditions.first {
            report("The one field of a subscription can't depend on a condition.", condition)
            return
        }
        if fields.isEmpty, !document.isOpen {
            report("A subscription has one field at its root, and this has none.", operation.range.prefix(1))
        } else if let first = fields.first, let second = fields.first(where: { $0.responseName != first.responseName }) {
            report("A subscription has one field at its root; this is another.", second.range)
        }
        var names: Set<String> = []
        for field in fields where field.name.text.utf8.starts(with: "__".utf8) && names.insert(field.responseName).inserted {
            report("The one field of a subscription can't be one of introspection.", field.range)
        }
    }

    private func applies(_ condition: Document.Name, to kind: Document.OperationKind) -> Bool {
        guard let root = schema?.roots[kind], let type = schema?.type(named: condition.text) else { return false }
        return type.name == root || schema?.possibleTypes(of: type).contains(root) == true
    }
}

extension GraphQLSchema {
    /// Faults of an executable document (GraphQL, 5), in the order of their places; a hundred at most.
    package func faults(in document: GraphQLDocument) -> [GraphQLFault] { GraphQLValidator.faults(in: document, schema: self) }
}

extension GraphQLDocument {
    /// Faults that can be told without a schema: what is undefined, unused or there twice.
    package func faults() -> [GraphQLFault] { GraphQLValidator.faults(in: self, schema: nil) }
}

extension GraphQLDocument.TypeSystemDefinition {
    var range: Range<Int> {
        switch self {
        case .schema(_, _, _, let range), .type(_, _, let range), .directive(_, let range): range
        }
    }
}

extension GraphQLDocument.Selection {
    var directives: [GraphQLDocument.Directive] {
        switch self {
        case .field(let field): field.directives
        case .spread(_, let directives, _), .inline(_, let directives, _, _): directives
        }
    }
}
