import NetworkLayer
import RequestCollections

/// Which lines two texts have apart, with a few around them that they share.
struct LineDifference: Hashable, Sendable {
    private(set) var pieces: [Piece] = []
    private(set) var removed = 0
    private(set) var added = 0

    enum Piece: Hashable, Sendable {
        case same(String), removed(String), added(String)
        /// Lines that both have, away from what differs.
        case skipped(Int)
        /// The difference isn't known, since finding it would take too long.
        case unknown(old: Int, new: Int)
    }

    /// Beyond this product of lines between the first and the last that differ they aren't matched: it takes time in proportion.
    private static let limit = 4_000_000
    private static let context = 2

    init(_ old: String, _ new: String) {
        let old = old.pieces(at: "\n")
        let new = new.pieces(at: "\n")
        let prefix = zip(old, new).prefix { $0 == $1 }.count
        let suffix = min(zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count, min(old.count, new.count) - prefix)
        let before = old[prefix..<old.count - suffix]
        let after = new[prefix..<new.count - suffix]

        var all: [Piece] = old[..<prefix].map { .same(String($0)) }
        if before.count * after.count > Self.limit {
            removed = before.count
            added = after.count
            all.append(.unknown(old: before.count, new: after.count))
        } else {
            all += Self.pieces(before, after)
            removed = all.count { if case .removed = $0 { true } else { false } }
            added = all.count { if case .added = $0 { true } else { false } }
        }
        all += old[(old.count - suffix)...].map { .same(String($0)) }
        pieces = Self.shortened(all)
    }

    private static func pieces(_ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>) -> [Piece] {
        let difference = Array(new).difference(from: Array(old))
        var removals: Set<Int> = []
        var insertions: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removals.insert(offset)
            case .insert(let offset, _, _): insertions.insert(offset)
            }
        }
        var pieces: [Piece] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if removals.contains(left) {
                pieces.append(.removed(String(old[old.startIndex + left])))
                left += 1
            } else if insertions.contains(right) {
                pieces.append(.added(String(new[new.startIndex + right])))
                right += 1
            } else {
                pieces.append(.same(String(old[old.startIndex + left])))
                left += 1
                right += 1
            }
        }
        return pieces
    }

    /// Long runs of the same lines are counted.
    private static func shortened(_ pieces: [Piece]) -> [Piece] {
        let differing = pieces.indices.filter { if case .same = pieces[$0] { false } else { true } }
        var isShown = [Bool](repeating: false, count: pieces.count)
        for index in differing {
            for near in max(0, index - context)...min(pieces.count - 1, index + context) { isShown[near] = true }
        }
        var result: [Piece] = []
        var skipped = 0
        for (index, piece) in pieces.enumerated() {
            if isShown[index] {
                if skipped > 0 { result.append(.skipped(skipped)) }
                skipped = 0
                result.append(piece)
            } else {
                skipped += 1
            }
        }
        if skipped > 0 { result.append(.skipped(skipped)) }
        return result
    }
}

/// Where two values of JSON differ: members by their names in whatever order, elements of arrays by what names them, else by their order.
struct JSONDifference: Hashable, Sendable {
    /// The changes in the order of the newer document; what was removed stands where it was.
    private(set) var changes: [Change] = []
    /// Values that are no containers: those that differ, and all.
    private(set) var differing = 0
    private(set) var total = 0

    enum Change: Hashable, Sendable {
        case removed(String, JSONValue)
        case added(String, JSONValue)
        case changed(String, from: JSONValue, to: JSONValue)
    }

    /// What may tell the elements of an array apart.
    private static let names = ["id", "key", "name", "uuid", "_id"]
    /// Beyond this product of elements that differ they are held against each other one by one: to match them takes time in proportion.
    private static let limit = 1_000_000

    init(_ old: JSONValue, _ new: JSONValue) {
        compare(old, new, at: "")
    }

    private mutating func compare(_ old: JSONValue, _ new: JSONValue, at path: String) {
        if old == new {
            total += Self.leaves(new)
            return
        }
        switch (old, new) {
        case (.object(let before), .object(let after)): compare(members: before, after, at: path)
        case (.array(let before), .array(let after)): compare(elements: before, after, at: path)
        default:
            total += 1
            differing += 1
            changes.append(.changed(path.isEmpty ? "." : path, from: old, to: new))
        }
    }

    private mutating func compare(members old: [JSONValue.Member], _ new: [JSONValue.Member], at path: String) {
        let before = Dictionary(old.map { (ExactText($0.name), $0.value) }) { $1 }
        let after = Dictionary(new.map { (ExactText($0.name), $0.value) }) { $1 }
        for member in old where after[ExactText(member.name)] == nil { remove(member.value, at: path + Self.step(member.name)) }
        var seen: Set<ExactText> = []
        for member in new where seen.insert(ExactText(member.name)).inserted {
            let place = path + Self.step(member.name)
            guard let value = after[ExactText(member.name)] else { continue }
            if let was = before[ExactText(member.name)] { compare(was, value, at: place) } else { add(value, at: place) }
        }
    }

    private mutating func compare(elements old: [JSONValue], _ new: [JSONValue], at path: String) {
        if let name = Self.names.first(where: { Self.tells($0, apart: old) && Self.tells($0, apart: new) }) {
            let before = Dictionary(old.enumerated().map { ($1[name], (index: $0, value: $1)) }) { $1 }
            let known = Set(new.map { $0[name] })
            for (index, value) in old.enumerated() where !known.contains(value[name]) { remove(value, at: "\(path)[\(index)]") }
            for (index, value) in new.enumerated() {
                if let was = before[value[name]] {
                    compare(was.value, value, at: "\(path)[\(index)]")
                } else {
                    add(value, at: "\(path)[\(index)]")
                }
            }
            return
        }
        let prefix = zip(old, new).prefix { $0 == $1 }.count
        let suffix = min(zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count, min(old.count, new.count) - prefix)
        total += new[..<prefix].reduce(0) { $0 + Self.leaves($1) } + new[(new.count - suffix)...].reduce(0) { $0 + Self.leaves($1) }
        let before = Array(old[prefix..<old.count - suffix])
        let after = Array(new[prefix..<new.count - suffix])
        var (removed, inserted): (Set<Int>, Set<Int>) = (Set(before.indices), Set(after.indices))
        if before.count * after.count <= Self.limit {
            (removed, inserted) = ([], [])
            for change in after.difference(from: before) {
                switch change {
                case .remove(let offset, _, _): removed.insert(offset)
                case .insert(let offset, _, _): inserted.insert(offset)
                }
            }
        }
        var (left, right) = (0, 0)
        while left < before.count || right < after.count {
            // Between what both have, what one lacks has the place of what the other lacks.
            switch (removed.contains(left), inserted.contains(right)) {
            case (true, true):
                compare(before[left], after[right], at: "\(path)[\(prefix + right)]")
                (left, right) = (left + 1, right + 1)
            case (true, false):
                remove(before[left], at: "\(path)[\(prefix + left)]")
                left += 1
            case (false, true):
                add(after[right], at: "\(path)[\(prefix + right)]")
                right += 1
            case (false, false):
                if right < after.count { total += Self.leaves(after[right]) }
                (left, right) = (left + 1, right + 1)
            }
        }
    }

    private mutating func remove(_ value: JSONValue, at path: String) {
        total += Self.leaves(value)
        differing += Self.leaves(value)
        changes.append(.removed(path, value))
    }

    private mutating func add(_ value: JSONValue, at path: String) {
        total += Self.leaves(value)
        differing += Self.leaves(value)
        changes.append(.added(path, value))
    }

    /// Each element is an object, and has another scalar there.
    private static func tells(_ name: String, apart values: [JSONValue]) -> Bool {
        var seen: Set<JSONValue> = []
        return values.allSatisfy { value in
            switch value[name] {
            case .string(let text)?: seen.insert(.string(text)).inserted
            case .number(let digits)?: seen.insert(.number(digits)).inserted
            default: false
            }
        }
    }

    /// An empty container is a value, too.
    private static func leaves(_ value: JSONValue) -> Int {
        switch value {
        case .null, .boolean, .number, .string: 1
        case .array(let values): max(1, values.reduce(0) { $0 + leaves($1) })
        case .object(let members): max(1, members.reduce(0) { $0 + leaves($1.value) })
        }
    }

    /// As jq writes it.
    private static func step(_ name: String) -> String {
        let isPlain =
            name.utf8.first.map { !(0x30...0x39).contains($0) } == true
            && name.utf8.allSatisfy { $0 == 0x5F || ($0 | 0x20) &- 0x61 < 26 || (0x30...0x39).contains($0) }
        return isPlain ? ".\(name)" : "[\(JSONValue.string(name).text(pretty: false))]"
    }
}
