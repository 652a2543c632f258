import NetworkLayer
import RequestCollections

/// A command as browsers copy it for the command prompt of Windows ("Copy as cURL (cmd)"): carets escape, also the line breaks, and quotes
/// are double ones. What is left of that, each program takes apart as the C library there does. Nothing is run.
struct WindowsScript {
    private(set) var commands: [ShellScript.Command] = []

    /// Whether carets escape in a command for curl.
    static func isOne(_ text: String) -> Bool {
        text.prefixMatch(of: /\s*curl(?:\.exe)?\s(?:[^'"\n]*\^"|[^'\n]*"[^'\n]*\s\^\r?\n)/) != nil
    }

    init(_ text: String, of source: ImportSource) throws(CollectionProblem) {
        let characters = text.replacing(scalars: "\r\n", with: "\n").unicodeScalars.map(Character.init)
        var line = 1
        var start = 1
        var plain: [Character] = []
        var isQuoted = false
        var position = 0
        while position < characters.count {
            let character = characters[position]
            position += 1
            switch character {
            case "^" where !isQuoted && position < characters.count:
                let next = characters[position]
                position += 1
                guard next == "\n" else {
                    plain.append(next)
                    continue
                }
                line += 1
                // The line goes on; an empty one behind it is a line break.
                if position < characters.count, characters[position] == "\n" {
                    plain.append("\n")
                    position += 1
                    line += 1
                }
            case "\n" where !isQuoted, "&" where !isQuoted:
                if character == "\n" { line += 1 }
                try add(plain, line: start, of: source)
                plain = []
                start = line
            default:
                if character == "\n" { line += 1 }
                if character == "\"" { isQuoted.toggle() }
                plain.append(character)
            }
        }
        try add(plain, line: start, of: source)
    }

    /// Words end at blanks outside of quotes. Backslashes escape a quote and, in front of one, themselves.
    private mutating func add(_ characters: [Character], line: Int, of source: ImportSource) throws(CollectionProblem) {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var position = 0
        while position < characters.count {
            let character = characters[position]
            switch character {
            case "\\":
                let count = characters[position...].prefix { $0 == "\\" }.count
                position += count
                guard position < characters.count, characters[position] == "\"" else {
                    word = (word ?? "") + String(repeating: "\\", count: count)
                    continue
                }
                word = (word ?? "") + String(repeating: "\\", count: count / 2)
                if count % 2 == 0 { continue }
                word?.append("\"")
            case "\"":
                // Two of them in quotes are one.
                if isQuoted, position + 1 < characters.count, characters[position + 1] == "\"" {
                    word?.append("\"")
                    position += 1
                } else {
                    isQuoted.toggle()
                    word = word ?? ""
                }
            case " ", "\t":
                if isQuoted {
                    word?.append(character)
                } else if let whole = word {
                    words.append(whole)
                    word = nil
                }
            default: word = (word ?? "") + String(character)
            }
            position += 1
        }
        guard !isQuoted else { throw source.problem("a text in double quotes has no end", line: line) }
        if let word { words.append(word) }
        guard !words.isEmpty else { return }
        var command = ShellScript.Command()
        (command.words, command.line) = (words, line)
        commands.append(command)
    }
}
