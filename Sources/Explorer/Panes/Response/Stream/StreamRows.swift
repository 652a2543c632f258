/// The rows of a table whose records may be opened: which record, and which line of it, stands in which row.
///
/// Places are told by the records' numbers, so that what comes and what is forgotten moves nothing.
struct StreamRows: Hashable, Sendable {
    /// Where a row is: a record, and the line of it. Line 0 is the record's own.
    struct Place: Hashable, Sendable {
        var number: Int
        var line: Int

        init(_ number: Int, line: Int = 0) {
            self.number = number
            self.line = line
        }
    }

    private enum Numbers: Hashable, Sendable {
        case all(Range<Int>)
        case these([Int])
    }

    private let numbers: Numbers
    /// The opened records, with the lines below them, in ascending order.
    private let opened: [(number: Int, index: Int, lines: Int)]

    init(_ table: StreamTable, opened: [Int: Int]) {
        let numbers: Numbers = if let filter = table.filter { .these(filter.matches) } else { .all(table.numbers) }
        self.numbers = numbers
        var places: [(number: Int, index: Int, lines: Int)] = []
        for (number, lines) in opened.sorted(by: { $0.key < $1.key }) {
            let index = Self.index(of: number, in: numbers)
            if Self.number(at: index, in: numbers) == number { places.append((number, index, lines)) }
        }
        self.opened = places
    }

    static func == (left: Self, right: Self) -> Bool {
        left.numbers == right.numbers && left.opened.elementsEqual(right.opened, by: ==)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(numbers) }

    /// The number of all rows.
    var count: Int { recordCount + opened.reduce(0) { $0 + $1.lines } }

    private var recordCount: Int {
        switch numbers {
        case .all(let range): range.count
        case .these(let numbers): numbers.count
        }
    }

    /// The row of a place; of what isn't there any more, that of what follows it.
    func row(of place: Place) -> Int {
        let index = Self.index(of: place.number, in: numbers)
        var row = index
        for open in opened where open.index < index { row += open.lines }
        let lines = opened.first { $0.index == index && $0.number == place.number }?.lines ?? 0
        return row + min(place.line, lines)
    }

    /// `nil`: there is no such row.
    func place(ofRow row: Int) -> Place? {
        guard row >= 0, row < count else { return nil }
        var before = 0
        for open in opened {
            let start = open.index + before
            if row < start { break }
            if row <= start + open.lines { return Place(open.number, line: row - start) }
            before += open.lines
        }
        return Self.number(at: row - before, in: numbers).map { Place($0) }
    }

    /// The index of the first record from a number on.
    private static func index(of number: Int, in numbers: Numbers) -> Int {
        switch numbers {
        case .all(let range): return min(max(0, number - range.lowerBound), range.count)
        case .these(let numbers):
            var (low, high) = (0, numbers.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[middle] < number { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    private static func number(at index: Int, in numbers: Numbers) -> Int? {
        switch numbers {
        case .all(let range): index < range.count ? range.lowerBound + index : nil
        case .these(let numbers): index < numbers.count ? numbers[index] : nil
        }
    }
}
