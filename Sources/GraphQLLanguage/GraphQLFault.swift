/// What is wrong with a document, a schema or variables, and where.
package struct GraphQLFault: Error, Hashable, Sendable {
    package var message: String
    /// UTF-8 bytes of the document; for variables, and for a schema that was introspected, empty.
    package var range: Range<Int>
    /// From 1; 0 where there is no document.
    package var line: Int
    /// From 1, in Unicode scalars; 0 where there is no document.
    package var column: Int
    /// `$filter.ids[2]`; `nil` in a document.
    package var path: String?

    package init(message: String, range: Range<Int>, line: Int, column: Int, path: String? = nil) {
        self.message = message
        self.range = range
        self.line = line
        self.column = column
        self.path = path
    }

    /// At a place in a text.
    init(_ message: String, _ range: Range<Int>, in source: [UInt8]) {
        let before = source.prefix(range.lowerBound)
        var (line, start) = (1, 0)
        for (index, byte) in before.enumerated() {
            // CR LF is one line's end (GraphQL, 2.1.2).
            guard byte == 0x0A || byte == 0x0D && !(index + 1 < source.count && source[index + 1] == 0x0A) else { continue }
            (line, start) = (line + 1, index + 1)
        }
        let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
        self.init(message: message, range: range, line: line, column: column)
    }

    /// At a place in a value that is no text.
    init(_ message: String, path: String) {
        self.init(message: message, range: 0..<0, line: 0, column: 0, path: path)
    }
}

extension GraphQLFault: CustomStringConvertible {
    /// `2:5: …`, or `$filter.ids[2]: …`
    package var description: String { "\(path ?? "\(line):\(column)"): \(message)" }
}

/// What somebody may have meant by a name that isn't known.
enum GraphQLSuggestion {
    /// ` Did you mean a, b or c?`, or nothing; the nearest first.
    static func text(for name: String, among candidates: some Sequence<String>, prefix: String = "") -> String {
        let typed = Array(name.utf8)
        // A third of the letters may be wrong. Longer names than these are no slips.
        let limit = max(1, typed.count / 3)
        guard typed.count <= 100 else { return "" }
        let near = candidates.compactMap { candidate -> (name: String, distance: Int)? in
            guard abs(candidate.utf8.count - typed.count) <= limit else { return nil }
            return distance(typed, Array(candidate.utf8), limit: limit).map { (candidate, $0) }
        }
        return text(near.sorted { $0.distance < $1.distance }.map { prefix + $0.name })
    }

    static func text(_ names: [String], question: String = "Did you mean") -> String {
        let names = names.prefix(3)
        guard let last = names.last else { return "" }
        return " \(question) " + (names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " or " + last) + "?"
    }

    /// How many letters must be put in, left out, changed or swapped with their neighbour; `nil`: more than the limit. The case of a letter
    /// doesn't count.
    private static func distance(_ first: [UInt8], _ second: [UInt8], limit: Int) -> Int? {
        let (first, second) = (first.map(\.lowercased), second.map(\.lowercased))
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var cost = min(current[column] + 1, last[column + 1] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            guard current.contains(where: { $0 <= limit }) else { return nil }
            (beforeLast, last) = (last, current)
        }
        return last[second.count] <= limit ? last[second.count] : nil
    }
}

extension UInt8 {
    var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }
}
