/// What the omnibox can find, as bytes: a key is compared with 10,000 requests in a millisecond or two.
///
/// What is found is ranked in bands, so that nothing that was used often stands above what was typed exactly:
///
/// | band | what was typed is |
/// |---|---|
/// | 0 | all of the name, or its key |
/// | 1 | the name's beginning |
/// | 2 | a run of letters at a word's start |
/// | 3 | a run of letters elsewhere |
/// | 4, 5 | the same of what stands beside the name |
/// | 6 | letters scattered over the name, the first one at a word's start |
///
/// In a band, in this order: how the letters are scattered, how often and when it was used, the kind, the length, the order in which
/// things were added.
struct OmniboxIndex: Hashable, Sendable {
    /// In UTF-8, capitals as they are: they begin words. What isn't ASCII is in lower case.
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var keyed: [String: [Int32]] = [:]

    private struct Entry: Hashable, Sendable {
        var title: Range<Int32>
        /// Where the name begins, behind the last slash of a path.
        var name: Int32
        /// Another name.
        var alias: Range<Int32>
        var detail: Range<Int32>
        var prior: UInt8
        var use: UInt16
        /// Which bytes occur: most entries are told apart by it.
        var mask: UInt64
    }

    init() {}

    /// - Parameters:
    ///   - alias: another name.
    ///   - detail: what else finds it, after all names.
    ///   - keys: find it as if they were its name.
    ///   - prior: from 0 to 15: of two that were never used, the lower one comes first.
    ///   - use: from 0 to 1,023, the more the better.
    mutating func add(
        _ title: String, alias: String = "", detail: String = "", keys: [String] = [], prior: Int = 0, use: Int = 0
    ) {
        let title = append(title)
        let slash = bytes[Int(title.lowerBound)..<Int(title.upperBound)].lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { Int32($0) + 1 } ?? title.lowerBound
        let (alias, detail) = (append(alias), append(detail))
        let mask = bytes.withUnsafeBufferPointer { bytes in
            bytes[Int(title.lowerBound)..<Int(detail.upperBound)].reduce(0) { $0 | Self.bit(Self.lower($1)) }
        }
        for key in keys { keyed[key, default: []].append(Int32(entries.count)) }
        entries.append(
            Entry(
                title: title, name: name < title.upperBound ? name : title.lowerBound, alias: alias, detail: detail,
                prior: UInt8(min(15, max(0, prior))), use: UInt16(min(1_023, max(0, use))), mask: mask))
    }

    /// What was found.
    struct Found: Sendable {
        /// The best first.
        var indices: [Int32]
        /// How many bytes were looked at: the work that it took.
        var examined: Int

        static let none = Found(indices: [], examined: 0)
    }

    /// - Parameter candidates: the only ones to look at, in any order; `nil`: look at all.
    func search(_ text: String, among candidates: [Int32]? = nil) -> Found {
        let pattern = Self.folded(text.trimmingBlanks)
        guard !pattern.isEmpty else { return Found(indices: candidates ?? Array(0..<Int32(entries.count)), examined: 0) }
        let question = Question(pattern)
        let exact = Set(keyed[text.trimmingBlanks] ?? [])
        var ranks: [UInt64] = []
        var examined = 0
        bytes.withUnsafeBufferPointer { bytes in
            let haystack = Haystack(bytes: bytes)
            func look(at index: Int32) {
                let entry = entries[Int(index)]
                if exact.contains(index) { return ranks.append(Self.rank(0, 0, entry, index)) }
                guard entry.mask & question.mask == question.mask else { return }
                examined += Int(entry.detail.upperBound - entry.title.lowerBound)
                if let (band, cost) = Self.band(entry, question, haystack) {
                    ranks.append(Self.rank(band, cost, entry, index))
                }
            }
            if let candidates {
                for index in candidates { look(at: index) }
            } else {
                for index in entries.indices { look(at: Int32(index)) }
            }
        }
        ranks.sort()
        return Found(indices: ranks.map { Int32(truncatingIfNeeded: $0 & 0x7FF_FFFF) }, examined: examined)
    }

    // MARK: Ranking

    private static func rank(_ band: Int, _ cost: Int, _ entry: Entry, _ index: Int32) -> UInt64 {
        var rank = UInt64(band) << 61
        rank |= UInt64(min(255, cost)) << 53
        rank |= UInt64(1_023 - entry.use) << 43
        rank |= UInt64(entry.prior) << 39
        rank |= UInt64(min(4_095, entry.title.count)) << 27
        return rank | UInt64(index)
    }

    private struct Question {
        var whole: [UInt8]
        /// Split at blanks; empty when there is but one.
        var words: [[UInt8]]
        var letters: [UInt8]
        var mask: UInt64 = 0

        init(_ pattern: [UInt8]) {
            whole = pattern
            let parts = pattern.split(separator: UInt8(ascii: " ")).map(Array.init)
            words = parts.count > 1 ? parts : []
            letters = pattern.filter { $0 != UInt8(ascii: " ") }
            for byte in letters { mask |= OmniboxIndex.bit(byte) }
        }
    }

    private struct Haystack {
        var bytes: UnsafeBufferPointer<UInt8>

        subscript(place: Int) -> UInt8 { OmniboxIndex.lower(bytes[place]) }

        /// Whether a word begins there, in a text that begins at `first`.
        func startsWord(_ place: Int, from first: Int32) -> Bool {
            let byte = bytes[place]
            guard OmniboxIndex.isWord(byte), byte & 0xC0 != 0x80 else { return false }
            guard place > first else { return true }
            let before = bytes[place - 1]
            return !OmniboxIndex.isWord(before) || byte &- 0x41 < 26 && before &- 0x61 < 26
        }
    }

    private static func band(_ entry: Entry, _ question: Question, _ text: Haystack) -> (band: Int, cost: Int)? {
        if let band = band(of: question.whole, entry, text) { return (band, 0) }
        if !question.words.isEmpty {
            var worst = 2
            let all = question.words.allSatisfy { word in
                guard let band = band(of: word, entry, text) else { return false }
                worst = max(worst, band)
                return true
            }
            if all { return (worst, 0) }
        }
        return scattered(question.letters, in: entry.title, text).map { (6, $0) }
    }

    private static func band(of word: [UInt8], _ entry: Entry, _ text: Haystack) -> Int? {
        var best = run(word, in: entry.title, name: entry.name, text)
        if best == nil || best! > 0, let other = run(word, in: entry.alias, name: entry.alias.lowerBound, text) {
            best = min(best ?? 9, other)
        }
        if let best { return best }
        return run(word, in: entry.detail, name: entry.detail.lowerBound, text).map { $0 <= 2 ? 4 : 5 }
    }

    /// The best place of a word as it was typed.
    private static func run(_ word: [UInt8], in range: Range<Int32>, name: Int32, _ text: Haystack) -> Int? {
        guard let first = word.first, range.count >= word.count else { return nil }
        var best: Int?
        var place = Int(range.lowerBound)
        let last = Int(range.upperBound) - word.count
        next: while place <= last {
            defer { place += 1 }
            guard text[place] == first else { continue }
            for offset in 1..<max(1, word.count) where text[place + offset] != word[offset] { continue next }
            let isFirst = place == range.lowerBound || place == name
            if isFirst, place + word.count == range.upperBound { return 0 }
            let band = isFirst ? 1 : text.startsWord(place, from: range.lowerBound) ? 2 : 3
            best = min(best ?? band, band)
        }
        return best
    }

    /// How far apart the letters stand; `nil`: not all of them do, or not in this order.
    private static func scattered(_ letters: [UInt8], in range: Range<Int32>, _ text: Haystack) -> Int? {
        guard letters.count > 1, range.count > letters.count else { return nil }
        var best: Int?
        for start in Int(range.lowerBound)..<Int(range.upperBound)
        where text[start] == letters[0] && text.startsWord(start, from: range.lowerBound) {
            var (place, cost, index) = (start, 0, 1)
            while index < letters.count {
                place += 1
                guard place < range.upperBound else { break }
                guard text[place] == letters[index] else {
                    cost += 2
                    continue
                }
                // The first letters of words are what people type.
                if text.startsWord(place, from: range.lowerBound) { cost = max(0, cost - 4) }
                index += 1
            }
            guard index == letters.count else { break }
            best = min(best ?? .max, cost)
        }
        return best
    }

    // MARK: Bytes

    private mutating func append(_ text: String) -> Range<Int32> {
        let start = bytes.count
        var text = text
        let isPlain = text.withUTF8 { utf8 in
            bytes.append(contentsOf: utf8)
            return utf8.reduce(0, |) < 0x80
        }
        if !isPlain {
            bytes.removeSubrange(start...)
            bytes.append(contentsOf: text.lowercased().utf8)
        }
        return Int32(start)..<Int32(bytes.count)
    }

    private static func folded(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }

    /// In UTF-8 a character that isn't ASCII has bytes from 0x80 on: a letter, as far as this needs to know.
    fileprivate static func isWord(_ byte: UInt8) -> Bool {
        byte &- 0x61 < 26 || byte &- 0x41 < 26 || byte &- 0x30 < 10 || byte >= 0x80
    }

    fileprivate static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    private static func bit(_ byte: UInt8) -> UInt64 { 1 &<< UInt64(byte & 63) }
}

extension String {
    /// The text without blanks at its ends.
    var trimmingBlanks: String {
        let blank = UInt8(ascii: " ")
        guard let first = utf8.firstIndex(where: { $0 != blank }), let last = utf8.lastIndex(where: { $0 != blank }) else {
            return ""
        }
        return String(self[first..<utf8.index(after: last)])
    }
}

/// Which characters of a text a pattern names, to mark them: in their order, in any case, with as few gaps as possible.
struct FuzzyMatch: Hashable, Sendable {
    private(set) var positions: [Int]

    init?(_ pattern: String, in text: String) {
        let pattern = Array(pattern.lowercased()).filter { $0 != " " }
        let text = Array(text.lowercased())
        positions = []
        guard !pattern.isEmpty else { return }
        // From every place where the first character occurs; texts are titles, so this is cheap.
        var best: (score: Int, positions: [Int])?
        for start in text.indices where text[start] == pattern[0] {
            guard let found = FuzzyMatch.match(pattern, in: text, from: start) else { break }
            let score = FuzzyMatch.score(found, in: text)
            if best == nil || score > best!.score { best = (score, found) }
        }
        guard let best else { return nil }
        positions = best.positions
    }

    private static func match(_ pattern: [Character], in text: [Character], from start: Int) -> [Int]? {
        var positions: [Int] = []
        var next = start
        for character in pattern {
            guard let found = text[next...].firstIndex(of: character) else { return nil }
            positions.append(found)
            next = found + 1
        }
        return positions
    }

    private static func score(_ positions: [Int], in text: [Character]) -> Int {
        var score = 0
        for (index, position) in positions.enumerated() {
            let startsWord = position == 0 || !text[position - 1].isLetter
            if startsWord { score += 8 }
            if index > 0, positions[index - 1] == position - 1 { score += 6 }
            score -= position / 4
        }
        return score
    }
}
