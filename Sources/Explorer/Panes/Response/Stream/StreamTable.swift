import NetworkLayer
import Presentation

/// What came of a stream so far: the newest records, how fast they come, and which of them a filter lets through.
struct StreamTable: Sendable {
    let kind: BodyKind
    /// Its records are what goes through a session.
    let isSession: Bool
    /// Whose body it is: with the next one it begins anew.
    let attempt: Int
    /// The newest: those before them are in the body alone.
    private(set) var records: [StreamRecord] = []
    /// So many came.
    private(set) var count = 0
    private(set) var meter = StreamMeter()
    var filter: StreamFilter?
    /// Whether the whole body has been read.
    var isComplete = false
    /// Bytes of an event that had no empty line behind it when the body ended: it is none.
    var unended = 0
    /// They are being read.
    var isPending = false
    /// What was asked for last was all of it.
    var isWholeAsked = false
    private var cost = 0

    /// What is kept in memory.
    static let mostRecords = 100_000
    static let mostBytes = 64 << 20

    init(_ kind: BodyKind, attempt: Int, isSession: Bool = false) {
        self.kind = kind
        self.isSession = isSession
        self.attempt = attempt
    }

    mutating func append(_ new: [StreamRecord]) {
        // Of a session that nobody looked at for long, the oldest of what is new are gone: what stands before them is of no use.
        if let first = new.first?.number, !records.isEmpty, first != numbers.upperBound {
            (records, cost) = ([], 0)
            filter?.forget(before: first)
        }
        records += new
        count = new.last?.number ?? count
        for record in new {
            cost += record.cost
            if let time = record.arrived { meter.count(at: time) }
        }
        // A quarter at a time: what stays is moved.
        guard records.count > Self.mostRecords * 5 / 4 || cost > Self.mostBytes * 5 / 4 else { return }
        var dropped = 0
        while records.count - dropped > Self.mostRecords || cost > Self.mostBytes, dropped < records.count {
            cost -= records[dropped].cost
            dropped += 1
        }
        records.removeFirst(dropped)
        if let first = records.first?.number { filter?.forget(before: first) }
    }

    /// The numbers of those that are kept.
    var numbers: Range<Int> {
        guard let first = records.first?.number else { return 0..<0 }
        return first..<first + records.count
    }

    subscript(number: Int) -> StreamRecord? {
        numbers.contains(number) ? records[number - numbers.lowerBound] : nil
    }

    /// Since the one before it; `nil`: one of the two times isn't known.
    func gap(before record: StreamRecord) -> Duration? {
        guard let time = record.arrived, let before = self[record.number - 1]?.arrived else { return nil }
        return time - before
    }

    /// How many are shown.
    var shownCount: Int { filter?.matches.count ?? records.count }
}

/// Which records a filter lets through: found out beside the loop, first of those that come, then of older ones.
struct StreamFilter: Hashable, Sendable {
    let text: String
    /// Numbers, ascending.
    private(set) var matches: [Int] = []
    /// The records that the filter has looked at.
    private(set) var seen = 0..<0
    var failure: String?
    var isPending = false

    /// How many are looked at in one go.
    static let portion = 4_000

    init(_ text: String) {
        self.text = text
    }

    /// What all of a record must have; `nil`: the filter is a program for jq, which begins with a point or has parentheses.
    static func words(of filter: String) -> [String]? {
        if filter.hasPrefix("/") {
            let inside = filter.dropFirst()
            return [String(inside.hasSuffix("/") ? inside.dropLast() : inside)]
        }
        if filter.first.map({ ".[{$\"".contains($0) }) == true || filter.contains("(") { return nil }
        return filter.split(separator: " ").map(String.init)
    }

    /// The next to be looked at: what came since, else what came before. `nil`: there is nothing left to do.
    func next(of numbers: Range<Int>) -> Range<Int>? {
        guard !isPending, failure == nil, !numbers.isEmpty else { return nil }
        if seen.isEmpty { return max(numbers.lowerBound, numbers.upperBound - Self.portion)..<numbers.upperBound }
        if seen.upperBound < numbers.upperBound {
            let start = max(seen.upperBound, numbers.lowerBound)
            return start..<min(numbers.upperBound, start + Self.portion)
        }
        guard seen.lowerBound > numbers.lowerBound else { return nil }
        return max(numbers.lowerBound, seen.lowerBound - Self.portion)..<seen.lowerBound
    }

    /// Whether all there is was looked at.
    func isThrough(_ numbers: Range<Int>) -> Bool { next(of: numbers) == nil && !isPending }

    mutating func merge(_ found: [Int], of looked: Range<Int>) {
        isPending = false
        if seen.isEmpty {
            (matches, seen) = (found, looked)
        } else if looked.lowerBound >= seen.upperBound {
            matches += found
            seen = seen.lowerBound..<looked.upperBound
        } else {
            matches.insert(contentsOf: found, at: 0)
            seen = looked.lowerBound..<seen.upperBound
        }
    }

    mutating func forget(before first: Int) {
        let gone = matches.firstIndex { $0 >= first } ?? matches.count
        matches.removeFirst(gone)
        guard !seen.isEmpty else { return }
        seen = max(first, seen.lowerBound)..<max(first, seen.upperBound)
    }
}

/// How many came in each half second, as far back as a chart shows.
struct StreamMeter: Hashable, Sendable {
    private static let span: Int64 = 500_000_000
    private static let most = 64

    private var counts: [(span: Int64, count: Int)] = []
    private var first: MonotonicTime?
    private var last: MonotonicTime?
    private var total = 0

    mutating func count(at time: MonotonicTime) {
        first = first ?? time
        last = time
        total += 1
        let span = time.nanoseconds / Self.span
        if counts.last?.span == span {
            counts[counts.count - 1].count += 1
        } else {
            counts.append((span, 1))
            if counts.count > Self.most { counts.removeFirst() }
        }
    }

    /// A second, looking back over two; `nil` as long as that says nothing.
    func rate(at now: MonotonicTime) -> Double? {
        guard let first, now - first >= .milliseconds(500) else { return nil }
        let current = now.nanoseconds / Self.span
        let back = min(4, max(1, current - first.nanoseconds / Self.span))
        let count = counts.reduce(0) { $0 + ((current - back..<current).contains($1.span) ? $1.count : 0) }
        return Double(count) / (Double(back) * Double(Self.span) / 1e9)
    }

    /// A second, over all of it.
    var average: Double? {
        // Records that arrive in less time than this came together and have no rate.
        guard let first, let last, total > 1, last - first >= .milliseconds(500) else { return nil }
        return Double(total - 1) / (last - first).inSeconds
    }

    var duration: Duration? { first.flatMap { first in last.map { $0 - first } } }

    /// The heights of the last half seconds, the newest last: 0 to 8.
    func heights(_ number: Int, at now: MonotonicTime) -> [Int] {
        let current = now.nanoseconds / Self.span
        var values = [Int](repeating: 0, count: number)
        for (span, count) in counts {
            let index = number - Int(current - span)
            if values.indices.contains(index) { values[index] = count }
        }
        let most = values.max() ?? 0
        return values.map { most > 0 && $0 > 0 ? max(1, $0 * 8 / most) : 0 }
    }

    static func == (left: Self, right: Self) -> Bool {
        left.first == right.first && left.last == right.last && left.total == right.total
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(last)
        hasher.combine(total)
    }
}
