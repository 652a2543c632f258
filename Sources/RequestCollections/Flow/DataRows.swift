import NetworkLayer

/// The rows of a file for a run that is sent once for each of them: values of variables, by name.
///
/// CSV (RFC 4180) has the names in its first row, and its cells are texts. JSON is a list of maps, and JSON lines is a map a line; they keep
/// their types.
package struct DataRows: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        /// In the file's order.
        package var cells: [JSONValue.Member]
        /// Where it begins, from 1; for JSON the row's number.
        package var line: Int

        package var values: [String: JSONValue] {
            cells.reduce(into: [:]) { $0.merge($1.value.variables(called: $1.name)) { $1 } }
        }
    }

    package private(set) var rows: [Row] = []

    package enum Format: String, Hashable, Sendable {
        case csv, json, jsonLines

        /// Tells the format by the file's extension, or by its first bytes where that says nothing.
        package init(path: String, text: String) {
            switch path.split(separator: ".").last?.lowercased() {
            case "csv", "tsv": self = .csv
            case "json": self = .json
            case "jsonl", "ndjson": self = .jsonLines
            default:
                switch text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) {
                case "[": self = .json
                case "{": self = .jsonLines
                default: self = .csv
                }
            }
        }
    }

    /// What is wrong in a file, with its line.
    package struct Problem: Error, Hashable, Sendable {
        package var line: Int
        package var message: String
    }

    package init(_ text: String, _ format: Format) throws(Problem) {
        let text = Self.withoutMark(text)
        switch format {
        case .csv: try readCSV(text)
        case .json:
            guard case .array(let values)? = JSONParser.parse(text) else {
                throw Problem(line: 1, message: "this is not a list of maps in JSON")
            }
            guard !JSONParser.hasHalfPairs(text) else { throw Problem(line: 1, message: Self.halfPair) }
            for (index, value) in values.enumerated() { try add(value, line: index + 1, called: "row \(index + 1)") }
        case .jsonLines:
            for (value, line) in try Self.jsonLines(text) { try add(value, line: line, called: "this line") }
        }
    }

    private static let halfPair =
        "a text in this has half of a surrogate pair, such as `\\ud800`, which can't be sent; write both halves, or leave it out"

    /// A byte order mark is no part of the first name.
    static func withoutMark(_ text: String) -> String {
        text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// The values of the lines that aren't empty.
    static func jsonLines(_ text: String) throws(Problem) -> [(value: JSONValue, line: Int)] {
        var values: [(value: JSONValue, line: Int)] = []
        for (index, line) in withoutMark(text).pieces(at: "\n").enumerated()
        where line.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) {
            guard let value = JSONParser.parse(String(line)) else {
                throw Problem(line: index + 1, message: "this line is not JSON")
            }
            guard !JSONParser.hasHalfPairs(String(line)) else { throw Problem(line: index + 1, message: halfPair) }
            values.append((value, index + 1))
        }
        return values
    }

    private mutating func add(_ value: JSONValue, line: Int, called name: String) throws(Problem) {
        guard case .object(let members) = value else {
            throw Problem(line: line, message: "\(name) is not a map of variables and their values")
        }
        if let member = members.first(where: { !TemplateName.isValid($0.name) }) { throw Self.refusal(of: member.name, line: line) }
        if let twice = members.map(\.name).firstDuplicate { throw Problem(line: line, message: "\(name) has `\(twice)` twice") }
        let names = Set(members.map(\.name))
        if let first = rows.first, let other = names.symmetricDifference(first.cells.map(\.name)).sorted().first {
            let holder = names.contains(other) ? "the first row has no `\(other)`" : "\(name) has no `\(other)`"
            throw Problem(
                line: line,
                message: "\(holder), and would take it from elsewhere; every row has all names, with `null` for no value")
        }
        rows.append(Row(cells: members, line: line))
    }

    private mutating func readCSV(_ text: String) throws(Problem) {
        var reader = CSVReader(text)
        guard let header = try reader.next() else { return }
        if let name = header.cells.first(where: { !TemplateName.isValid($0) }) { throw Self.refusal(of: name, line: header.line) }
        if let twice = header.cells.firstDuplicate {
            throw Problem(line: header.line, message: "the column `\(twice)` stands there twice")
        }
        while let row = try reader.next() {
            guard row.cells.count == header.cells.count else {
                // An empty line at the end is none.
                if row.cells == [""] { continue }
                throw Problem(
                    line: row.line,
                    message:
                        "this row has \(Self.count(row.cells.count, "cell")), and the first one names \(Self.count(header.cells.count, "column"))"
                )
            }
            rows.append(Row(cells: zip(header.cells, row.cells).map { .init(name: $0, value: .string($1)) }, line: row.line))
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func refusal(of name: String, line: Int) -> Problem {
        Problem(line: line, message: name.isEmpty ? "a column has no name" : RequestReader.notAName(name))
    }
}

extension [String] {
    fileprivate var firstDuplicate: String? {
        var known: Set<String> = []
        return first { !known.insert($0).inserted }
    }
}

/// The rows of a CSV file, one after the other.
struct CSVReader {
    private var scalars: Substring.UnicodeScalarView
    private let separator: Unicode.Scalar
    private var line = 1

    /// The separator is the one of `,`, `;` and the tab that the first line has most of.
    init(_ text: String) {
        scalars = text[...].unicodeScalars
        let first = scalars.prefix { $0 != "\n" && $0 != "\r" }
        separator = [",", ";", "\t"].max { one, other in first.count { $0 == one } < first.count { $0 == other } } ?? ","
    }

    /// - Throws: for quotes that don't end, and for what stands behind one that did.
    mutating func next() throws(DataRows.Problem) -> (cells: [String], line: Int)? {
        guard !scalars.isEmpty else { return nil }
        let start = line
        var cells: [String] = []
        while true {
            cells.append(try cell(from: start))
            guard let end = scalars.popFirst() else { return (cells, start) }
            if end == separator { continue }
            if end == "\r", scalars.first == "\n" { scalars.removeFirst() }
            line += 1
            return (cells, start)
        }
    }

    private mutating func cell(from start: Int) throws(DataRows.Problem) -> String {
        var cell = String.UnicodeScalarView()
        guard scalars.first == "\"" else {
            while let next = scalars.first, next != separator, next != "\n", next != "\r" {
                cell.append(next)
                scalars.removeFirst()
            }
            return String(cell)
        }
        scalars.removeFirst()
        while let next = scalars.popFirst() {
            if next == "\n" { line += 1 }
            guard next == "\"" else {
                cell.append(next)
                continue
            }
            if scalars.first == "\"" {
                cell.append("\"")
                scalars.removeFirst()
                continue
            }
            guard scalars.first.map({ $0 == separator || $0 == "\n" || $0 == "\r" }) ?? true else {
                throw DataRows.Problem(
                    line: line, message: "after the closing quote there is more; a quote inside quotes is written twice")
            }
            return String(cell)
        }
        throw DataRows.Problem(line: start, message: "the quote of a cell isn't closed")
    }
}
