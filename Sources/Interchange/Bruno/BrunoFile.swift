import NetworkLayer

/// A file of Bruno's language (https://docs.usebruno.com/bru-lang/overview): blocks, whose last line begins in the first column.
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
        var isEnabled: Bool
        var line: Int
    }

    struct Block: Hashable {
        var name: String
        var line: Int
        var text: [String] = []

        /// The text without the two spaces in front of each line.
        var outdented: String {
            text.map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : String($0.trimmingSpace) }.joined(separator: "\n")
        }

        /// The names of a list: one a line, or between commas.
        var items: [String] { text.flatMap { $0.split(separator: ",") }.map(\.trimmingSpace).filter { !$0.isEmpty } }
    }

    private(set) var blocks: [Block] = []
    /// Lines that are nothing of the language.
    private(set) var losses: [(line: Int, text: String)] = []

    init(_ text: String) {
        var open: (block: Block, end: String)?
        for (index, line) in text.lines.enumerated() {
            if let (block, end) = open {
                if line.hasPrefix(end) {
                    blocks.append(block)
                    open = nil
                } else {
                    open?.block.text.append(String(line))
                }
            } else if let match = line.wholeMatch(of: /([a-z][A-Za-z0-9:-]*)\s*([{\[])\s*(\})?\s*/) {
                let block = Block(name: String(match.1), line: index + 1)
                if match.3 != nil { blocks.append(block) } else { open = (block, match.2 == "{" ? "}" : "]") }
            } else if !line.trimmingSpace.isEmpty {
                losses.append((index + 1, "`\(line.trimmingSpace)`, which is in no block"))
            }
        }
        if let (block, _) = open {
            blocks.append(block)
            losses.append((block.line, "the end of the block `\(block.name)` is missing"))
        }
    }

    func block(_ name: String) -> Block? { blocks.first { $0.name == name } }

    /// The rows of a dictionary.
    mutating func rows(_ name: String) -> [Row] {
        blocks.filter { $0.name == name }.flatMap { rows(of: $0) }
    }

    private mutating func rows(of block: Block) -> [Row] {
        var rows: [Row] = []
        var index = 0
        while index < block.text.count {
            let number = block.line + index + 1
            let line = block.text[index].trimmingSpace
            index += 1
            if line.isEmpty { continue }
            guard let match = line.wholeMatch(of: /(~?)("(?:[^"\\]|\\.)*"|[^:]*?)\s*:\s*(.*)/) else {
                losses.append((number, "`\(line)`, which is no name with a value"))
                continue
            }
            var name = String(match.2)
            if name.hasPrefix("\""), name.hasSuffix("\""), name.count > 1 {
                name = String(name.dropFirst().dropLast()).replacing(scalars: "\\\"", with: "\"")
            }
            var value = String(match.3)
            if value.hasPrefix("'''"), !(value.count >= 6 && value.hasSuffix("'''")) {
                // What stands further in by four spaces, up to the next three quotes.
                var lines = value == "'''" ? [] : [String(value.dropFirst(3))]
                var isClosed = false
                while index < block.text.count, !isClosed {
                    let next = block.text[index]
                    index += 1
                    let own = next.hasPrefix("    ") ? String(next.dropFirst(4)) : next.trimmingSpace
                    isClosed = next.trimmingSpace.hasSuffix("'''")
                    if !isClosed {
                        lines.append(own)
                    } else if own.trimmingSpace != "'''" {
                        lines.append(String(own.trimmingSpace.dropLast(3)))
                    }
                }
                if !isClosed { losses.append((number, "the quotes at the end of `\(name)` are missing")) }
                value = lines.joined(separator: "\n")
            } else if value.hasPrefix("'''") {
                value = String(value.dropFirst(3).dropLast(3))
            } else if value == "[" {
                var items: [String] = []
                while index < block.text.count, block.text[index].trimmingSpace != "]" {
                    items.append(block.text[index].trimmingSpace)
                    index += 1
                }
                index += 1
                value = items.joined(separator: "\n")
            }
            rows.append(Row(name: name, value: value, isEnabled: match.1.isEmpty, line: number))
        }
        return rows
    }
}
