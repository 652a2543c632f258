import NetworkLayer

/// A word as a shell would take it out of a line: without its quotes, so that it may have blanks. A star stands for what is known only
/// later: a variable, what a command prints, and a template's value.
struct ShellWord {
    var text: String
    /// Whether the shell writes to the file of that name.
    var isTarget: Bool
    /// Whether it stands where the name of a program does.
    var isProgram = false

    /// The words of a line, and those of lines that are words or commands within it.
    static func all(in line: String, depth: Int = 0) -> [ShellWord] {
        var reader = ShellWordReader(line)
        reader.read()
        guard depth < deepest else { return reader.words }
        let inner =
            reader.inner + reader.words.map(\.text).filter { $0 != line && $0.unicodeScalars.contains { signs.contains($0) } }
        return reader.words + inner.flatMap { all(in: $0, depth: depth + 1) }
    }

    private static let deepest = 4
    private static let signs = " \t\n;|&()<>'\"".unicodeScalars
}

private struct ShellWordReader {
    private(set) var words: [ShellWord] = []
    /// The commands in `$(…)` and in backquotes.
    private(set) var inner: [String] = []
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var word: String.UnicodeScalarView?
    private var isTarget = false
    /// Whether a command begins with the next word.
    private var isStart = true

    init(_ line: String) { scalars = Array(line.unicodeScalars) }

    private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func read() {
        var quote: Unicode.Scalar?
        while let scalar = current {
            position += 1
            switch scalar {
            case quote: quote = nil
            case "'" where quote == nil, "\"" where quote == nil:
                quote = scalar
                word = word ?? .init()
            case "‹": unknown(from: "‹", to: "›", isCommand: false)
            case _ where quote == "'": append(scalar)
            case "\\":
                guard let next = current else { break }
                position += 1
                if next != "\n" { append(next) }
            case "`": unknown(from: nil, to: "`", isCommand: true)
            case "$": variable()
            case _ where quote != nil: append(scalar)
            case " ", "\t", "\r", "\n", ";", "|", "&", "(", ")":
                end()
                isTarget = false
                if "\n;|&()".unicodeScalars.contains(scalar) { isStart = true }
            case "<", ">": redirect(scalar)
            default: append(scalar)
            }
        }
        end()
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        var text = word ?? .init()
        text.append(scalar)
        word = text
    }

    private mutating func end() {
        if let word, !word.isEmpty {
            let text = String(word)
            words.append(ShellWord(text: text, isTarget: isTarget, isProgram: isStart && !isTarget))
            // Behind these a command begins, as it does behind the options of some.
            let isPrefix = Self.prefixes.contains(text) || word.first == "-" || text.utf8.contains(UInt8(ascii: "="))
            if !isTarget, !isPrefix { isStart = false }
        }
        word = nil
    }

    private static let prefixes: Set<String> = [
        "then", "do", "else", "elif", "if", "while", "until", "!", "{", "exec", "env", "command", "builtin",
        "eval", "coproc", "nohup", "time", "sudo", "nice",
    ]

    private mutating func redirect(_ scalar: Unicode.Scalar) {
        end()
        isTarget = scalar == ">"
        while let next = current, "<>&| \t".unicodeScalars.contains(next) {
            if next == "<" { isTarget = false }
            position += 1
        }
    }

    private mutating func variable() {
        guard let next = current else { return append("$") }
        if next == "(" || next == "{" {
            position += 1
            return unknown(from: next, to: next == "(" ? ")" : "}", isCommand: true)
        }
        // `$'…'`, `$"…"`
        if next == "'" || next == "\"" { return }
        append("*")
        guard next.properties.isAlphabetic || next == "_" else {
            position += 1
            return
        }
        while let scalar = current, scalar.isASCII, scalar.properties.isAlphabetic || scalar == "_" || ("0"..."9").contains(scalar)
        {
            position += 1
        }
    }

    private mutating func unknown(from opening: Unicode.Scalar?, to closing: Unicode.Scalar, isCommand: Bool) {
        let start = position
        var depth = 1
        while let scalar = current, depth > 0 {
            position += 1
            if scalar == closing { depth -= 1 } else if scalar == opening { depth += 1 }
        }
        append("*")
        if isCommand { inner.append(String(scalars: scalars[start..<max(start, depth == 0 ? position - 1 : position)])) }
    }
}
