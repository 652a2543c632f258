package import TerminalUI

/// All commands, narrowed down by what is typed.
package struct Palette: Hashable, Sendable {
    package private(set) var line = LineEditor()
    package private(set) var matches: [Match]
    package var list: ListState

    package struct Match: Hashable, Sendable {
        package var command: Command
        /// The characters of the title that match.
        package var positions: [Int]
    }

    package init() {
        matches = Command.all.map { Match(command: $0, positions: []) }
        list = ListState(count: matches.count)
    }

    package var selected: Command? {
        list.selection.map { matches[$0].command }
    }

    mutating func handle(_ key: KeyPress, clipboard: inout String) {
        let before = line.revision
        _ = line.handle(key, clipboard: &clipboard)
        if line.revision != before { narrow() }
    }

    mutating func paste(_ text: String) {
        _ = line.paste(text)
        narrow()
    }

    /// The best first; among equals, in the order of the table.
    private mutating func narrow() {
        let found = Command.all.enumerated().compactMap { index, command in
            FuzzyMatch(line.text, in: command.title).map {
                (index: index, score: $0.score, match: Match(command: command, positions: $0.positions))
            }
        }
        matches = found.sorted { ($1.score, $0.index) < ($0.score, $1.index) }.map(\.match)
        list = ListState(count: matches.count, height: list.height)
    }
}

/// The characters of a pattern found in a text in their order, in any case, as few gaps as possible.
package struct FuzzyMatch: Hashable, Sendable {
    /// Higher is better.
    package var score: Int
    package var positions: [Int]

    package init?(_ pattern: String, in text: String) {
        let pattern = Array(pattern.lowercased()).filter { $0 != " " }
        let text = Array(text.lowercased())
        score = 0
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
        // Of two that match alike, the shorter one is meant.
        score = best.score * 64 - text.count
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
