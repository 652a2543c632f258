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
