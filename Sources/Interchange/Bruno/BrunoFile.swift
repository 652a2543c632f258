import NetworkLayer

/// A file of Bruno's: blocks, as in its language (https://docs.usebruno.com/bru-lang/overview), whose last line begins in the first
/// column. A file of OpenCollection, in YAML, has the same ones.
///
///     headers {            a dictionary: a name and a value in each line
///       ~accept: */*       one that is off
///     }
///     body:json {          a text, further in by two spaces
///       {}
///     }
///     vars:secret [        a list
///       token
///     ]
struct BrunoFile {
    struct Row: Hashable {
        var name: String
        var value: String
        var isEnabled = true
        /// From 1; 0: nobody knows.
        var line = 0
        /// `@description('…')` in front of it.
        var description: String?
        /// `@file(a.png|b.png)` in the language; `nil`: the value is a text.
        var files: [String]?
        /// `@contentType(image/png)` in the language.
        var contentType: String?
    }

    struct Block: Hashable {
        var name: String
        /// From 1; 0: nobody knows.
        var line: Int
        var content: Content

        enum Content: Hashable {
            /// As they stand between the braces.
            case lines([String])
            case rows([Row])
            case text(String)
        }

        /// A text without the two spaces in front of each line.
        var outdented: String {
            switch content {
            case .lines(let lines):
                lines.map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : String($0.trimmingSpace) }.joined(separator: "\n")
            case .rows: ""
            case .text(let text): text
            }
        }

        /// The names of a list: one a line, or between commas. The annotations of a name, such as `@number`, are none.
        var items: [String] {
            guard case .lines(let lines) = content else { return [] }
            return lines.filter { !$0.trimmingSpace.hasPrefix("@") }.flatMap { $0.split(separator: ",") }.map(\.trimmingSpace)
                .filter { !$0.isEmpty }
        }
    }

    var blocks: [Block] = []
    /// What is nothing of the language.
    var losses: [(line: Int, text: String)] = []

    init() {}

    init(_ text: String) {
        var open: (name: String, line: Int, lines: [String], end: String)?
        for (index, line) in text.lines.enumerated() {
            if let (name, number, lines, end) = open {
                if line.hasPrefix(end) {
                    blocks.append(Block(name: name, line: number, content: .lines(lines)))
                    open = nil
                } else {
                    open?.lines.append(String(line))
                }
            } else if let match = line.wholeMatch(of: /([a-z][A-Za-z0-9:_-]*)\s*([{\[])\s*(\})?\s*/) {
                open = (String(match.1), index + 1, [], match.2 == "{" ? "}" : "]")
                if match.3 != nil {
                    blocks.append(Block(name: String(match.1), line: index + 1, content: .lines([])))
                    open = nil
                }
            } else if !line.trimmingSpace.isEmpty {
                losses.append((index + 1, "`\(line.trimmingSpace)`, which is in no block"))
            }
        }
        if let (name, number, lines, _) = open {
            blocks.append(Block(name: name, line: number, content: .lines(lines)))
            losses.append((number, "the end of the block `\(name)` is missing"))
        }
    }

    func block(_ name: String) -> Block? { blocks.first { $0.name == name } }

    /// The rows of a dictionary.
    mutating func rows(_ name: String) -> [Row] {
        blocks.filter { $0.name == name }.flatMap { rows(of: $0) }
    }

    private mutating func rows(of block: Block) -> [Row] {
        switch block.content {
        case .text: return []
        case .rows(let rows): return rows
        case .lines(let lines):
            var reader = BrunoRows(lines, after: block.line, areParts: block.name.hasPrefix("body:"))
            let rows = reader.rows()
            losses += reader.losses
            return rows
        }
    }
}

/// Reads the lines of a dictionary.
private struct BrunoRows {
    private let lines: [String]
    /// The line in front of them.
    private let first: Int
    /// Whether their values may be files.
    private let areParts: Bool
    private var index = 0
    private(set) var losses: [(line: Int, text: String)] = []

    init(_ lines: [String], after line: Int, areParts: Bool) {
        self.lines = lines
        first = line
        self.areParts = areParts
    }

    mutating func rows() -> [BrunoFile.Row] {
        var rows: [BrunoFile.Row] = []
        var description: String?
        while index < lines.count {
            let number = first + index + 1
            let line = lines[index].trimmingSpace
            index += 1
            if line.isEmpty { continue }
            if let match = line.wholeMatch(of: /@([a-zA-Z]+)(?:\((.*))?/) {
                let argument = match.2.map { annotation(String($0), at: number) }
                switch match.1 {
                case "description": description = argument
                // The type of a variable; a template takes its text in any case.
                case "number", "boolean", "object", "string": break
                default: losses.append((number, "the annotation `@\(match.1)`"))
                }
                continue
            }
            guard let match = line.wholeMatch(of: /(~?)("(?:[^"\\]|\\.)*"|[^:]*?)\s*:\s*(.*)/) else {
                losses.append((number, "`\(line)`, which is no name with a value"))
                continue
            }
            var name = String(match.2)
            if name.hasPrefix("\""), name.hasSuffix("\""), name.count > 1 {
                name = String(name.dropFirst().dropLast()).replacing(scalars: "\\\"", with: "\"")
            }
            let written = String(match.3)
            let value = value(written, of: name, at: number)
            var row = BrunoFile.Row(
                name: name, value: value, isEnabled: match.1.isEmpty, line: number, description: description)
            if areParts { row.readFile() }
            rows.append(row)
            description = nil
        }
        return rows
    }

    /// A value, whose later lines are read, too.
    private mutating func value(_ written: String, of name: String, at number: Int) -> String {
        if written.hasPrefix("'''") { return quoted(written, until: "'''", of: name, at: number) }
        guard written == "[" else { return written }
        var items: [String] = []
        while index < lines.count, lines[index].trimmingSpace != "]" {
            items.append(lines[index].trimmingSpace)
            index += 1
        }
        index += 1
        return items.joined(separator: "\n")
    }

    /// What stands between the parentheses of an annotation: as it is, or in quotes, one or three.
    private mutating func annotation(_ rest: String, at number: Int) -> String {
        if rest.hasPrefix("'''") { return quoted(rest, until: "''')", of: "@", at: number) }
        let inside = rest.hasSuffix(")") ? rest.dropLast() : rest[...]
        guard let quote = inside.first, quote == "'" || quote == "\"", inside.count > 1, inside.last == quote else {
            return String(inside)
        }
        return String(inside.dropFirst().dropLast())
    }

    /// What stands further in by four spaces, up to the next three quotes.
    private mutating func quoted(_ written: String, until end: String, of name: String, at number: Int) -> String {
        let start = String(written.dropFirst(3))
        if start.hasSuffix(end) { return String(start.dropLast(end.count)) }
        var own = start.isEmpty ? [] : [start]
        while index < lines.count {
            let next = lines[index]
            index += 1
            // The type of a part stands behind the quotes.
            if areParts, next.trimmingSpace.hasPrefix("\(end) @") {
                return own.joined(separator: "\n") + next.trimmingSpace.dropFirst(end.count)
            }
            guard next.trimmingSpace.hasSuffix(end) else {
                own.append(next.hasPrefix("    ") ? String(next.dropFirst(4)) : String(next.trimmingSpace))
                continue
            }
            let last = next.trimmingSpace.dropLast(end.count)
            if !last.isEmpty { own.append(String(last)) }
            return own.joined(separator: "\n")
        }
        losses.append((number, "the quotes at the end of `\(name)` are missing"))
        return own.joined(separator: "\n")
    }
}

extension BrunoFile.Row {
    /// `@file(a.png|b.png) @contentType(image/png)`.
    fileprivate mutating func readFile() {
        if let match = value.wholeMatch(of: /(?s)(.*?)\s*@contentType\(([^)]*)\)/) {
            (value, contentType) = (String(match.1), match.2.isEmpty ? nil : String(match.2))
        }
        if let match = value.wholeMatch(of: /@file\((.*)\)/) { files = match.1.split(separator: "|").map(String.init) }
    }
}
