import NetworkLayer

extension SpliceEditor {
    /// An entry of a map or list as it stands in the file.
    struct Entry {
        /// Where the key, or the dash, begins.
        var start: Int
        /// Behind the colon or the dash.
        var head: Int
        var end: Int
        var key: YAMLNode?
        var value: YAMLNode
    }

    /// - Throws: for forms that have no place for an edit, such as `? key`.
    func entries(of node: YAMLNode) throws(CollectionProblem) -> [Entry] {
        if node.decoration?.hasMerge == true {
            throw refusal(node, "a part of this comes from `<<`, which can't be edited in place; edit it in the file")
        }
        var entries: [Entry] = []
        switch node.content {
        case .scalar: break
        case .mapping(let pairs, _):
            for pair in pairs {
                let keyEnd = source.offset(pair.key.end)
                guard let colon = source.bytes[keyEnd...].firstIndex(where: { $0 != 0x20 && $0 != 0x09 }),
                    source.bytes[colon] == UInt8(ascii: ":"), pair.key.decoration == nil
                else { throw refusal(pair.key, "this form of a key can't be edited in place; edit it in the file") }
                let end = max(colon + 1, source.end(of: pair.value))
                entries.append(
                    Entry(start: source.offset(pair.key.start), head: colon + 1, end: end, key: pair.key, value: pair.value))
            }
        case .sequence(let items, true):
            for item in items {
                let start = source.offset(item.start)
                entries.append(Entry(start: start, head: start, end: source.end(of: item), value: item))
            }
        case .sequence(let items, false):
            for item in items {
                let before = source.bytes[..<source.offset(item.start)]
                guard let dash = before.lastIndex(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D }),
                    source.bytes[dash] == UInt8(ascii: "-")
                else { throw refusal(item, "this form of a list can't be edited in place; edit it in the file") }
                entries.append(Entry(start: dash, head: dash + 1, end: max(dash + 1, source.end(of: item)), value: item))
            }
        }
        return entries
    }

    private mutating func updateStaying(_ entry: Entry, to desired: DesiredEntry, isFlow: Bool) throws(CollectionProblem) {
        if let key = entry.key, case .scalar(let text, let style) = key.content, text != desired.key {
            replace(
                source.offset(key.start)..<source.offset(key.end), with: renderer.key(desired.key, style: style, isFlow: isFlow))
        }
        let place = Place(head: entry.head, indent: source.column(entry.start), isFlow: isFlow)
        try update(entry.value, to: desired.value, at: place)
    }

    // MARK: Block

    mutating func updateBlock(_ node: YAMLNode, _ desired: [DesiredEntry]) throws(CollectionProblem) {
        let old = try entries(of: node)
        let isMap = node.pairs != nil
        let indent = source.column(old[0].start)
        let plan = EntryPlan(desired)
        for step in plan.steps {
            switch step {
            case .stay(let number, let entry): try updateStaying(old[number], to: entry, isFlow: false)
            case .insert(let entries, let last, let next):
                let lines = entries.flatMap { linesOfNew($0, old, isMap: isMap, indent: indent) }
                insert(lines, after: last.map { old[$0] }, before: next.map { old[$0] })
            }
        }
        remove(old, except: plan.staying)
    }

    private func linesOfNew(_ entry: DesiredEntry, _ old: [Entry], isMap: Bool, indent: Int) -> [String] {
        if let number = entry.source, case .keep(let node) = entry.value, node.start == old[number].value.start,
            old[number].key?.text ?? "" == entry.key
        {
            // Moved as it is, comment included.
            let text = source.text(old[number].start..<source.lineEnd(old[number].end)).replacing(scalars: "\r\n", with: "\n")
            let lines = text.pieces(at: "\n").map(String.init)
            return [String(repeating: " ", count: indent) + lines[0]] + lines.dropFirst()
        }
        return renderer.lines(entry, isMap: isMap, indent: indent)
    }

    private mutating func insert(_ lines: [String], after last: Entry?, before next: Entry?) {
        if let last {
            let position = source.lineEnd(last.end)
            replace(position..<position, with: lines.map { source.lineBreak + $0 }.joined())
        } else if let next {
            // The first entry of a map in a list stands behind the dash.
            let indent = String(repeating: " ", count: source.column(next.start))
            let text = lines.joined(separator: source.lineBreak).drop { $0 == " " } + source.lineBreak + indent
            replace(next.start..<next.start, with: String(text))
        }
    }

    private mutating func remove(_ old: [Entry], except kept: Set<Int>) {
        for (number, entry) in old.enumerated() where !kept.contains(number) {
            if source.beginsLine(entry.start) {
                let start = source.lineStart(entry.start)
                let end = source.lineEnd(entry.end)
                // The break before it goes, so that whatever ends the file stays.
                if start > 0 {
                    replace(source.breakBefore(start)..<end, with: "")
                } else {
                    replace(0..<source.startOfNextLine(end), with: "")
                }
            } else if number + 1 < old.count {
                replace(entry.start..<old[number + 1].start, with: "")
            }
        }
    }

    // MARK: Flow

    mutating func updateFlow(_ node: YAMLNode, _ desired: [DesiredEntry]) throws(CollectionProblem) {
        let old = try entries(of: node)
        guard !old.isEmpty else {
            let start = source.start(of: node)
            let isMap = node.pairs != nil
            let inside = desired.map { renderer.inline($0, isMap: isMap) }.joined(separator: ", ")
            replace(start..<source.offset(node.end), with: isMap ? "{ \(inside) }" : "[\(inside)]")
            return
        }
        let isMap = node.pairs != nil
        let plan = EntryPlan(desired)
        for step in plan.steps {
            switch step {
            case .stay(let number, let entry): try updateStaying(old[number], to: entry, isFlow: true)
            case .insert(let entries, let last, let next):
                let texts = entries.map { textOfNew($0, old, isMap: isMap) }
                insertFlow(texts, after: last.map { old[$0] }, before: next.map { old[$0] })
            }
        }
        removeFlow(old, except: plan.staying)
    }

    private func textOfNew(_ entry: DesiredEntry, _ old: [Entry], isMap: Bool) -> String {
        if let number = entry.source, case .keep(let node) = entry.value, node.start == old[number].value.start,
            old[number].key?.text ?? "" == entry.key
        {
            return source.text(old[number].start..<old[number].end)
        }
        return renderer.inline(entry, isMap: isMap)
    }

    /// Entries that each have a line stay so.
    private mutating func insertFlow(_ texts: [String], after last: Entry?, before next: Entry?) {
        guard let neighbour = last ?? next else { return }
        let indent = String(repeating: " ", count: source.column(neighbour.start))
        let separator = source.beginsLine(neighbour.start) ? "," + source.lineBreak + indent : ", "
        if let last {
            replace(last.end..<last.end, with: texts.map { separator + $0 }.joined())
        } else if let next {
            replace(next.start..<next.start, with: texts.map { $0 + separator }.joined())
        }
    }

    private mutating func removeFlow(_ old: [Entry], except kept: Set<Int>) {
        guard let lastKept = kept.max() else { return }
        for number in old.indices where !kept.contains(number) && number < lastKept {
            replace(old[number].start..<old[number + 1].start, with: "")
        }
        if lastKept < old.count - 1 { replace(old[lastKept].end..<old[old.count - 1].end, with: "") }
    }
}

/// What happens to the entries of a map or list, from its first line to its last, so that it becomes the desired one.
///
/// As many as possible stay where they are: the longest run of them that keeps its order. Others are cut out and put in.
struct EntryPlan {
    /// Entries of the file go by their number in it.
    enum Step {
        case stay(Int, as: DesiredEntry)
        /// Inserts entries between two that stay; `nil` where there is none on that side.
        case insert([DesiredEntry], after: Int?, before: Int?)
    }

    private(set) var steps: [Step] = []
    /// The numbers of those that stay.
    let staying: Set<Int>

    /// - Parameter desired: of a map or list that has at least one entry in the file.
    init(_ desired: [DesiredEntry]) {
        let desired = Self.anchored(desired)
        let places = Self.staying(desired)
        staying = Set(places.compactMap { desired[$0].source })
        var pending: [DesiredEntry] = []
        var last: Int?
        for (place, entry) in desired.enumerated() {
            guard places.contains(place), let number = entry.source else {
                pending.append(entry)
                continue
            }
            if !pending.isEmpty { steps.append(.insert(pending, after: last, before: number)) }
            steps.append(.stay(number, as: entry))
            pending = []
            last = number
        }
        if !pending.isEmpty { steps.append(.insert(pending, after: last, before: nil)) }
    }

    /// Gives the first entry something to continue when everything else is new, so that there is a place to write to.
    private static func anchored(_ desired: [DesiredEntry]) -> [DesiredEntry] {
        guard desired.allSatisfy({ $0.source == nil }), var first = desired.first else { return desired }
        first.source = 0
        return [first] + desired.dropFirst()
    }

    /// Which of the desired entries, by their place among them, stay where they are.
    private static func staying(_ entries: [DesiredEntry]) -> Set<Int> {
        let sources = entries.enumerated().compactMap { index, entry in entry.source.map { (index: index, source: $0) } }
        var lengths = [Int](repeating: 1, count: sources.count)
        var previous = [Int?](repeating: nil, count: sources.count)
        for right in sources.indices {
            for left in 0..<right where sources[left].source < sources[right].source && lengths[left] + 1 > lengths[right] {
                lengths[right] = lengths[left] + 1
                previous[right] = left
            }
        }
        var staying: Set<Int> = []
        var next = lengths.indices.max { lengths[$0] < lengths[$1] }
        while let current = next {
            staying.insert(sources[current].index)
            next = previous[current]
        }
        return staying
    }
}
