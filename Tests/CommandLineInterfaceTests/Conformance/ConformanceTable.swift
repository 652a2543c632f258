import Foundation

/// The rows of `curl.table`, which says how it is written.
struct ConformanceTable {
    private(set) var rows: [Row] = []
    private(set) var answers: [String: Data] = [:]
    private(set) var files: [String: Data] = [:]

    struct Row: Hashable, Sendable {
        /// As it stands in the file.
        var line: String
        /// Names of answers, in order.
        var answers: [String]
        var input: Data
        var words: [String]
        /// What is different on purpose.
        var differences: Set<Aspect> = []
        /// What may be different, as time will have it.
        var doubtful: Set<Aspect> = []
        var reason = ""
    }

    /// What is compared.
    enum Aspect: String, Hashable, CaseIterable {
        case sent, out, files, status
    }

    struct Mistake: Error, CustomStringConvertible {
        var description: String
    }

    init(_ text: String) throws {
        for line in text.split(separator: "\n") {
            let rest = line.dropFirst()
            switch line.first {
            case "#": continue
            case "@": Self.add(rest, to: &answers)
            case "$": Self.add(rest, to: &files)
            case "~": try addDifference(rest)
            default: rows.append(try Self.row(line))
            }
        }
        for row in rows {
            for name in row.answers where answers[name] == nil { throw Mistake(description: "no answer \(name): \(row.line)") }
        }
    }

    private static func add(_ definition: Substring, to values: inout [String: Data]) {
        let parts = definition.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        values[String(parts[0])] = parts.count > 1 ? bytes(parts[1]) : Data()
    }

    private mutating func addDifference(_ text: Substring) throws {
        let parts = text.split(separator: ":", maxSplits: 1)
        let names = parts[0].split { $0 == "," || $0 == " " }
        let aspects = names.compactMap { Aspect(rawValue: String($0.hasSuffix("?") ? $0.dropLast() : $0)) }
        guard !rows.isEmpty, parts.count == 2, aspects.count == names.count else { throw Mistake(description: "~\(text)") }
        rows[rows.count - 1].differences = Set(aspects)
        rows[rows.count - 1].doubtful = Set(zip(names, aspects).filter { $0.0.hasSuffix("?") }.map(\.1))
        rows[rows.count - 1].reason = parts[1].trimmingCharacters(in: .whitespaces)
    }

    private static func row(_ line: Substring) throws -> Row {
        guard let colon = line.firstIndex(of: ":") else { throw Mistake(description: "no colon: \(line)") }
        var head = line[..<colon]
        var input = Data()
        if let mark = head.firstRange(of: " <") {
            input = bytes(head[mark.upperBound...])
            head = head[..<mark.lowerBound]
        }
        return Row(
            line: String(line), answers: head.split(separator: " ").map(String.init), input: input,
            words: try words(line[line.index(after: colon)...]))
    }

    /// As a shell takes words apart; single quotes are the only ones.
    private static func words(_ text: Substring) throws -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for character in text {
            switch character {
            case "'":
                isQuoted.toggle()
                word = word ?? ""
            case " " where !isQuoted:
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        guard !isQuoted else { throw Mistake(description: "a quote is open: \(text)") }
        return words + [word].compactMap(\.self)
    }

    /// `\r`, `\n`, `\t`, `\\`, octal digits, and `{N*c}`.
    private static func bytes(_ text: Substring) -> Data {
        var data = Data()
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "{", let match = rest.prefixMatch(of: /([0-9]+)\*(.)\}/), let count = Int(match.1) {
                data += Data(repeating: Array(match.2.utf8)[0], count: count)
                rest = rest[match.range.upperBound...]
            } else if character == "\\", let match = rest.prefixMatch(of: /[0-7]{1,3}/), let byte = UInt8(match.0, radix: 8) {
                data.append(byte)
                rest = rest[match.range.upperBound...]
            } else if character == "\\", let escaped = rest.popFirst() {
                data += Data((["r": "\r", "n": "\n", "t": "\t"][escaped] ?? String(escaped)).utf8)
            } else {
                data += Data(String(character).utf8)
            }
        }
        return data
    }
}
