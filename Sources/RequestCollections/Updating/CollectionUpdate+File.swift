extension CollectionUpdate {
    /// For a collection in one file: first what requests say, then what comes and goes, then the order. Each is worked out on the text that
    /// the one before it leaves.
    func fileSteps(_ merge: UpdateMerge) throws -> [CollectionChange.Step] {
        guard let tree = old.tree else { return [] }
        let path = mine.path
        var bytes = try applied(valueEdits(merge, tree), to: tree)
        let plan = merge.plan
        if !plan.added.isEmpty || !plan.removed.isEmpty || !plan.moved.isEmpty {
            let side = try UpdateSide(FileTree(path: path, bytes: bytes))
            let edits = try TreeEdits(plan: plan, side: side, theirs: plan.theirs, writer: CollectionWriter(merge.theirs)).all()
            if let tree = side.tree { bytes = try applied(edits, to: tree) }
        }
        bytes = try ordered(bytes, plan)
        let before = tree.document.bytes
        return bytes == before ? [] : [.replace(path, before: before, after: bytes)]
    }

    private func applied(_ edits: [SpliceEditor.Edit], to tree: FileTree) throws(CollectionProblem) -> [UInt8] {
        guard let after = tree.editor.source.applying(edits) else {
            throw tree.editor.refusal(tree.root, "the file has a form that can't be merged in place; nothing was written")
        }
        return after
    }

    private func valueEdits(_ merge: UpdateMerge, _ tree: FileTree) throws(CollectionProblem) -> [SpliceEditor.Edit] {
        var editor = tree.editor
        if case .merged(let value)? = merge.texts[nil] {
            let root = tree.root
            try editor.update(root, to: value, at: .init(head: editor.source.start(of: root), indent: 0, isFlow: root.isFlow))
        }
        for node in old.nodes {
            guard let text = merge.texts[node.id], let map = old.maps[node.id.parent] else { continue }
            let entry = map.entries[node.index]
            try tree.requireAlone(entry.value)
            switch text {
            case .merged(let value):
                try editor.update(
                    entry.value, to: value,
                    at: .init(head: entry.head, indent: editor.source.column(entry.start), isFlow: map.isFlow))
            case .new(let id):
                guard let other = merge.plan.theirs[id], let piece = merge.plan.theirs.maps[id.parent]?.piece(other.index) else {
                    continue
                }
                let prefix = String(repeating: " ", count: editor.source.column(entry.start))
                let lines = piece.lines.map { editor.source.lineBreak + ($0.isEmpty ? "" : prefix + $0) }.joined()
                editor.replace(entry.head..<map.extents[node.index].upperBound, with: piece.head + lines)
            }
        }
        return editor.edits
    }

    /// The order of the source, where it has changed: level by level, since what moves takes along what is in it.
    private func ordered(_ bytes: [UInt8], _ plan: UpdatePlan) throws -> [UInt8] {
        let folders = [RequestID?.none] + plan.places.values.map(Optional.some)
        let orders = Dictionary(
            folders.compactMap { id in plan.order(in: id).map { (id, $0) } }, uniquingKeysWith: { first, _ in first })
        guard !orders.isEmpty else { return bytes }
        var bytes = bytes
        let levels = Set(orders.keys.map { $0?.components.count ?? 0 }).sorted()
        for level in levels {
            let side = try UpdateSide(FileTree(path: mine.path, bytes: bytes))
            var edits: [SpliceEditor.Edit] = []
            for (folder, order) in orders where (folder?.components.count ?? 0) == level {
                guard let map = side.maps[folder] else { continue }
                let indices = order.compactMap { side[$0]?.index }
                let staying = Set(LongestRun.of(indices))
                edits += try TreeEdits.edits(
                    of: map, to: indices.map { staying.contains($0) ? .stay($0) : .insert(map.piece($0)) })
            }
            if let tree = side.tree { bytes = try applied(edits, to: tree) }
        }
        return bytes
    }
}

/// The edits that bring and take away entries of the maps of requests in one file.
struct TreeEdits {
    let plan: UpdatePlan
    /// The file.
    let side: UpdateSide
    let theirs: UpdateSide
    let writer: CollectionWriter

    typealias Edit = SpliceEditor.Edit

    enum Entry {
        /// By its number in the map.
        case stay(Int)
        case insert(EntryPiece)
    }

    /// Those of inner folders come first: at the end of a folder its own last entry comes before its next neighbour.
    func all() throws(CollectionProblem) -> [Edit] {
        var edits: [Edit] = []
        for node in side.nodes.reversed() where node.isFolder && !plan.removed.contains(node.id) {
            edits += try self.edits(in: node.id)
        }
        return edits + (try self.edits(in: nil))
    }

    private func edits(in folder: RequestID?) throws(CollectionProblem) -> [Edit] {
        guard let map = side.maps[folder] else { return [] }
        let slots = plan.slots(in: folder)
        if slots.count == map.entries.count, slots.allSatisfy({ if case .stay = $0 { true } else { false } }) { return [] }
        if let tree = side.tree, let node = map.node { try tree.requireAlone(node) }
        var entries: [Entry] = []
        for slot in slots {
            if case .stay(let id) = slot {
                if let index = side[id]?.index { entries.append(.stay(index)) }
            } else if let piece = try piece(slot) {
                entries.append(.insert(piece))
            }
        }
        return try Self.edits(of: map, to: entries)
    }

    private func piece(_ slot: UpdatePlan.Slot) throws(CollectionProblem) -> EntryPiece? {
        switch slot {
        case .stay: return nil
        case .move(let id, let place):
            guard let node = side[id], var piece = side.maps[id.parent]?.piece(node.index) else { return nil }
            if let tree = side.tree, let problem = tree.entanglement(of: node.value, isCopy: false, leaves: false) { throw problem }
            piece.key = String(place.name)
            return piece
        case .add(let id, let place):
            guard let node = theirs[id], var piece = theirs.maps[id.parent]?.piece(node.index) else { return nil }
            piece.key = String(place.name)
            guard node.isFolder else { return piece }
            // What is in it may come from elsewhere.
            piece.inline = nil
            piece.head = ""
            let step = side.tree?.editor.renderer.step ?? 2
            let renderer = ValueRenderer(step: step)
            let folder = writer.folder(id)
            piece.lines =
                try folder.map { folder throws(CollectionProblem) in try writer.head(of: folder) }.map { head in
                    head.flatMap {
                        renderer.lines(DesiredEntry(source: nil, key: $0.key, value: $0.value), isMap: true, indent: step)
                    }
                } ?? []
            let prefix = String(repeating: " ", count: step)
            var inner: [String] = []
            for slot in plan.slots(in: place) {
                if let piece = try self.piece(slot) { inner += piece.lines(indent: 2 * step, renderer: renderer) }
            }
            piece.lines += inner.isEmpty ? [prefix + "requests: {}"] : [prefix + "requests:"] + inner
            return piece
        }
    }

    /// Blank lines, and comments that stand apart, stay where they are; blank lines above what goes go with it.
    static func edits(of map: RequestsMap, to entries: [Entry]) throws(CollectionProblem) -> [Edit] {
        let source = map.source
        let lineBreak = source.lineBreak
        var staying: Set<Int> = []
        for case .stay(let index) in entries { staying.insert(index) }
        let isUnchanged = staying.count == map.entries.count && staying.count == entries.count
        if isUnchanged { return [] }
        if map.isFlow {
            throw map.editor.refusal(
                map.node ?? map.entries[0].value,
                "these requests stand between brackets, where nothing can be merged; write them in lines first")
        }
        guard !map.entries.isEmpty else {
            var pieces: [EntryPiece] = []
            for case .insert(let piece) in entries { pieces.append(piece) }
            return pieces.isEmpty ? [] : [try map.insertingFirst(pieces)]
        }
        let gap = map.entries.count > 1 ? source.blankLines(above: map.extents[1].lowerBound) : 0
        let blanks = String(repeating: lineBreak, count: gap)
        let column = source.column(map.entries[0].start)
        func text(_ piece: EntryPiece) -> String {
            piece.lines(indent: column, renderer: map.editor.renderer).joined(separator: lineBreak)
        }
        var edits: [Edit] = []
        var pending: [EntryPiece] = []
        var last: Int?
        func flush(before index: Int?) {
            guard !pending.isEmpty else { return }
            if let last {
                let end = map.extents[last].upperBound
                edits.append(Edit(range: end..<end, text: pending.map { lineBreak + blanks + text($0) }.joined()))
            } else {
                let start = map.extents[index ?? 0].lowerBound
                edits.append(Edit(range: start..<start, text: pending.map { text($0) + lineBreak + blanks }.joined()))
            }
            pending = []
        }
        for entry in entries {
            switch entry {
            case .insert(let piece): pending.append(piece)
            case .stay(let index):
                flush(before: index)
                last = index
            }
        }
        flush(before: nil)
        // Before the first that stays, an entry goes with what is below it, so that the line of the map's key stays.
        let first = staying.min() ?? map.entries.count
        for (index, extent) in map.extents.enumerated() where !staying.contains(index) {
            if index < first {
                let ceiling = index + 1 < map.extents.count ? map.extents[index + 1].lowerBound : source.bytes.count
                var end = source.startOfNextLine(extent.upperBound)
                while end < ceiling, source.isBlank(lineAt: end) { end = source.startOfNextLine(end) }
                let isLast = index + 1 == map.extents.count
                edits.append(
                    Edit(
                        range: extent.lowerBound..<(isLast ? source.startOfNextLine(extent.upperBound) : min(end, ceiling)),
                        text: ""))
            } else {
                let floor = map.extents[index - 1].upperBound
                let start = max(floor, source.breakBefore(source.startOfBlankLines(above: extent.lowerBound)))
                edits.append(Edit(range: start..<extent.upperBound, text: ""))
            }
        }
        // A folder is what has `requests`.
        if entries.isEmpty { edits.append(Edit(range: map.head..<map.head, text: " {}")) }
        return edits
    }
}

/// Which of some numbers can stay where they are when the others are moved.
enum LongestRun {
    /// The longest part of a list that rises.
    static func of(_ numbers: [Int]) -> [Int] {
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var run: [Int] = []
        var next = ends.last
        while let index = next {
            run.append(numbers[index])
            next = previous[index]
        }
        return run.reversed()
    }
}
