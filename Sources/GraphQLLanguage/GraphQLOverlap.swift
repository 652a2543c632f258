/// Whether fields with one name in the response can be merged (GraphQL, 5.3.2).
///
/// Each selection set is compared within itself; a field that is there twice makes a comparison of two selection sets. What fragments
/// spread is compared as a set of its own, each pair of them once. Still there are documents whose comparisons are exponentially many, so
/// the work has a limit, beyond which conflicts go unseen.
struct GraphQLOverlap {
    typealias Document = GraphQLDocument

    private static let workLimit = 100_000
    /// The most levels of fields in one another: fragments may make more levels than a parser allows.
    private static let depthLimit = 200

    let fragments: [String: Document.Fragment]
    let schema: GraphQLSchema?
    private var work = 0
    private var isTired: Bool { work >= Self.workLimit }
    private var depth = 0
    private var conflicts: [Conflict] = []
    private var fieldSets: [FieldSet.Key: FieldSet] = [:]
    /// Pairs that were compared, and whether only as fields of objects that exclude one another.
    private var comparedFragments: [Pair<String>: Bool] = [:]
    private var comparedSets: [Pair<FieldSet.Key>: Bool] = [:]

    struct Conflict {
        var name: String
        var reason: String
        var range: Range<Int>

        var message: String { "The fields \(name) can't be merged, because \(reason). Give one of them an alias." }
    }

    private struct Pair<First: Hashable>: Hashable {
        var first: First
        /// A fragment.
        var second: String
    }

    /// The fields of a selection set and its inline fragments by their names in the response, in order.
    private struct FieldSet {
        var key: Key
        var names: [String] = []
        var fields: [String: [Entry]] = [:]
        var spreads: [String] = []
        var seenSpreads: Set<String> = []

        /// Where a selection set begins is its identity.
        struct Key: Hashable {
            var start: Int
            var parent: String?
        }
    }

    private struct Entry {
        var field: Document.Field
        var definition: GraphQLSchema.Field?
        var parent: String?
        var isParentObject: Bool
    }

    init(fragments: [String: Document.Fragment], schema: GraphQLSchema?) {
        self.fragments = fragments
        self.schema = schema
    }

    mutating func conflicts(in document: Document) -> [Conflict] {
        for operation in document.operations { visit(operation.selections, schema?.roots[operation.kind]) }
        for fragment in document.fragments { visit(fragment.selections, fragment.typeCondition.text) }
        return conflicts
    }

    /// - Parameter parent: the name of the type whose fields they are.
    private mutating func visit(_ selections: [Document.Selection], _ parent: String?) {
        guard !selections.isEmpty else { return }
        let set = fieldSet(selections, parent)
        compareWithin(set)
        // Inline fragments belong to the set.
        for name in set.names {
            for entry in set.fields[name] ?? [] { visit(entry.field.selections, entry.definition?.type.name) }
        }
    }

    // MARK: Collecting

    private mutating func fieldSet(_ selections: [Document.Selection], _ parent: String?) -> FieldSet {
        let key = FieldSet.Key(start: selections.first?.start ?? 0, parent: parent)
        if let set = fieldSets[key] { return set }
        var set = FieldSet(key: key)
        collect(selections, parent, into: &set)
        fieldSets[key] = set
        return set
    }

    private func collect(_ selections: [Document.Selection], _ parent: String?, into set: inout FieldSet) {
        let type = parent.flatMap { schema?.type(named: $0) }
        for selection in selections {
            switch selection {
            case .field(let field):
                let definition = type.flatMap { schema?.field(field.name.text, of: $0) }
                let entry = Entry(field: field, definition: definition, parent: type?.name, isParentObject: type?.kind == .object)
                if set.fields[field.responseName] == nil { set.names.append(field.responseName) }
                set.fields[field.responseName, default: []].append(entry)
            case .spread(let name, _, _): if set.seenSpreads.insert(name.text).inserted { set.spreads.append(name.text) }
            case .inline(let condition, _, let selections, _): collect(selections, condition?.text ?? parent, into: &set)
            }
        }
    }

    private mutating func fieldSet(ofFragment name: String) -> FieldSet? {
        fragments[name].map { fieldSet($0.selections, $0.typeCondition.text) }
    }

    // MARK: Comparing

    private mutating func compareWithin(_ set: FieldSet) {
        for name in set.names {
            let entries = set.fields[name] ?? []
            for (index, first) in entries.enumerated() where !isTired {
                for second in entries[(index + 1)...] { compare(name, first, second, isExclusive: false) }
            }
        }
        for (index, spread) in set.spreads.enumerated() where !isTired {
            compare(set, fragment: spread, isExclusive: false)
            for other in set.spreads[(index + 1)...] { compare(fragment: spread, other, isExclusive: false) }
        }
    }

    private mutating func compare(_ first: FieldSet, _ second: FieldSet, isExclusive: Bool) {
        for name in first.names {
            guard let others = second.fields[name] else { continue }
            for entry in first.fields[name] ?? [] where !isTired {
                for other in others { compare(name, entry, other, isExclusive: isExclusive) }
            }
        }
    }

    /// Fields against a fragment and all that it spreads.
    private mutating func compare(_ set: FieldSet, fragment: String, isExclusive: Bool) {
        var pending = set.names.isEmpty ? [] : [fragment]
        while let name = pending.popLast() {
            work += 1
            guard !isTired, Self.isNew(Pair(first: set.key, second: name), isExclusive, in: &comparedSets),
                let other = fieldSet(ofFragment: name), other.key != set.key
            else { continue }
            compare(set, other, isExclusive: isExclusive)
            pending += other.spreads.reversed()
        }
    }

    /// All that a fragment spreads against all of another.
    private mutating func compare(fragment first: String, _ second: String, isExclusive: Bool) {
        var pending = [(first, second)]
        while let (first, second) = pending.popLast() {
            work += 1
            guard first != second, !isTired,
                Self.isNew(Pair(first: min(first, second), second: max(first, second)), isExclusive, in: &comparedFragments),
                let set = fieldSet(ofFragment: first), let other = fieldSet(ofFragment: second)
            else { continue }
            compare(set, other, isExclusive: isExclusive)
            pending += set.spreads.map { ($0, second) }
            pending += other.spreads.map { (first, $0) }
        }
    }

    /// What was compared as if both could be there needn't be compared as if only one could.
    private static func isNew<Key>(_ key: Key, _ isExclusive: Bool, in compared: inout [Key: Bool]) -> Bool {
        if let before = compared[key], isExclusive || !before { return false }
        compared[key] = isExclusive
        return true
    }

    /// - Parameter isExclusive: whether they belong to objects of which a value is one or the other: then only their types must fit.
    private mutating func compare(_ name: String, _ first: Entry, _ second: Entry, isExclusive: Bool) {
        work += 1 + (Self.bytes(of: first.field.arguments) + Self.bytes(of: second.field.arguments)) / 64
        guard !isTired, !name.hasTemplate, !first.field.name.isTemplate, !second.field.name.isTemplate else { return }
        let isExclusive = isExclusive || first.parent != second.parent && first.isParentObject && second.isParentObject
        var reason: String?
        if !isExclusive, first.field.name.text != second.field.name.text {
            reason = "they are different fields, \(first.field.name.text) and \(second.field.name.text)"
        } else if !isExclusive, !Self.areSame(first.field.arguments, second.field.arguments) {
            reason = "their arguments differ"
        } else if let type = first.definition?.type, let other = second.definition?.type, areInConflict(type, other) {
            reason = "their types \(type) and \(other) differ"
        } else if !first.field.selections.isEmpty, !second.field.selections.isEmpty, depth < Self.depthLimit {
            reason = subfieldReason(first, second, isExclusive: isExclusive)
        }
        if let reason { conflicts.append(Conflict(name: name, reason: reason, range: second.field.name.range)) }
    }

    /// Conflicts of their selections make one of the fields.
    private mutating func subfieldReason(_ first: Entry, _ second: Entry, isExclusive: Bool) -> String? {
        let outer = conflicts
        conflicts = []
        depth += 1
        let set = fieldSet(first.field.selections, first.definition?.type.name)
        let other = fieldSet(second.field.selections, second.definition?.type.name)
        compare(set, other, isExclusive: isExclusive)
        for spread in other.spreads { compare(set, fragment: spread, isExclusive: isExclusive) }
        for spread in set.spreads { compare(other, fragment: spread, isExclusive: isExclusive) }
        for spread in set.spreads where !isTired {
            for otherSpread in other.spreads { compare(fragment: spread, otherSpread, isExclusive: isExclusive) }
        }
        depth -= 1
        let inner = conflicts.first
        conflicts = outer
        // In a cycle of fragments every level would be in the message.
        return inner.map { $0.reason.utf8.count > 300 ? $0.reason : "their fields \($0.name) can't be either: \($0.reason)" }
    }

    private static func bytes(of arguments: [Document.Argument]) -> Int {
        guard let first = arguments.first, let last = arguments.last else { return 0 }
        return last.value.range.upperBound - first.name.range.lowerBound
    }

    private static func areSame(_ first: [Document.Argument], _ second: [Document.Argument]) -> Bool {
        func entries(_ arguments: [Document.Argument]) -> GraphQLValue {
            .object(arguments.map { GraphQLValue.Entry($0.name.text, $0.value.value) })
        }
        return areSame(entries(first), entries(second))
    }

    /// The order of an object's entries doesn't matter, and a template may be anything.
    private static func areSame(_ first: GraphQLValue, _ second: GraphQLValue) -> Bool {
        switch (first, second) {
        case (.template, _), (_, .template): true
        case (.object(let entries), .object(let others)) where (entries + others).contains { $0.name.hasTemplate }: true
        case (.list(let items), .list(let others)): items.count == others.count && zip(items, others).allSatisfy { areSame($0, $1) }
        case (.object(let entries), .object(let others)):
            entries.count == others.count
                && zip(entries.sorted { $0.name < $1.name }, others.sorted { $0.name < $1.name }).allSatisfy {
                    $0.name == $1.name && areSame($0.value, $1.value)
                }
        default: first == second
        }
    }

    /// Whether one answer can't be of both (GraphQL, 5.3.2: SameResponseShape).
    private func areInConflict(_ first: GraphQLType, _ second: GraphQLType) -> Bool {
        switch (first, second) {
        case (.nonNull(let first), .nonNull(let second)), (.list(let first), .list(let second)): areInConflict(first, second)
        case (.named(let first), .named(let second)):
            first != second && [first, second].contains { schema?.type(named: $0)?.isComposite == false }
        default: true
        }
    }
}

extension GraphQLDocument.Selection {
    fileprivate var start: Int {
        switch self {
        case .field(let field): field.range.lowerBound
        case .spread(_, _, let range), .inline(_, _, _, let range): range.lowerBound
        }
    }
}
