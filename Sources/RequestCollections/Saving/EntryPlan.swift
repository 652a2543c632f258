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
