import NetworkLayer

/// A word as a shell would take it out of a line: without its quotes, so that it may have blanks. A star stands for what is known only
/// later: a variable, what a command prints, and a template's value.
struct ShellWord {
    var text: String
    /// Whether the shell writes to the file of that name.
    var isTarget: Bool
    /// Whether it stands where the name of a program does.
    var isProgram = false
    /// Whether the program reads the file of that name.
    var isInput = false
    /// Which command it is in: they are counted from the first one of the line on.
    var command = 0
    /// The first command whose output that one may read.
    var from = 0
    /// The commands whose output is a part of it.
    var commands: [String] = []

    /// The words of a line, and those of lines that are words or commands within it.
    static func all(in line: String, depth: Int = 0) -> [ShellWord] {
        var reader = ShellWordReader(line)
        reader.read()
        guard depth < deepest else { return reader.words }
        // In JSON a comma follows what is in quotes.
        let texts = reader.words.map { $0.text.ends(with: ",") ? String($0.text.unicodeScalars.dropLast()) : $0.text }
        let inner = reader.inner + texts.filter { $0 != line && $0.unicodeScalars.contains { signs.contains($0) } }
        var words = reader.words
        for line in inner { words.append(behind: all(in: line, depth: depth + 1)) }
        return words
    }

    /// The same for words each of which may be a line.
    static func all(inEach lines: [String]) -> [ShellWord] {
        var words: [ShellWord] = []
        for line in lines { words.append(behind: all(in: line)) }
        return words
    }

    private static let deepest = 4
    private static let signs = " \t\n;|&()<>'\"".unicodeScalars
}

extension [ShellWord] {
    /// Adds the words of another line, whose commands come after those that are there.
    fileprivate mutating func append(behind words: [ShellWord]) {
        let count = last.map { $0.command + 1 } ?? 0
        for var word in words {
            word.command += count
            word.from += count
            append(word)
        }
    }
}

private struct ShellWordReader {
    private(set) var words: [ShellWord] = []
    /// The commands in `$(…)` and in backquotes.
    private(set) var inner: [String] = []
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var word: String.UnicodeScalarView?
    private var commands: [String] = []
    private var isTarget = false
    private var isInput = false
    /// Whether a command begins with the next word.
    private var isStart = true
    /// Whether the command has no word yet.
    private var isEmpty = true
    private var command = 0
    private var from = 0
    /// Whether several commands end here, as in `{ a; b; } | c`.
    private var isGroupEnd = false
    /// What the commands of a group may read, as in `a | { b; c; }`.
    private var groupFrom: Int?

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
            case " ", "\t", "\r": end()
            case "\n", ";", "|", "&", "(", ")":
                end()
                nextCommand(scalar)
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
        defer { (word, commands, isTarget, isInput) = (nil, [], false, false) }
        guard let word, !word.isEmpty else { return }
        let text = String(word)
        let isArgument = !isTarget && !isInput
        words.append(
            ShellWord(
                text: text, isTarget: isTarget, isProgram: isStart && isArgument, isInput: isInput, command: command, from: from,
                commands: commands))
        guard isArgument else { return }
        // Behind these a command begins, as it does behind the options of some. The first word has a dash where make ignores a failure.
        let isOption = word.first == "-" && (!isEmpty || word.count == 1)
        let isPrefix = Self.prefixes.contains(text) || isOption || text.utf8.contains(UInt8(ascii: "="))
        if text == "{" { isStart = true } else if !isPrefix { isStart = false }
        if isEmpty, from < command, Self.groupStarts.contains(text) { groupFrom = from }
        isEmpty = false
        if Self.groupEnds.contains(text) { (isGroupEnd, groupFrom) = (true, nil) }
    }

    private static let prefixes: Set<String> = [
        "then", "do", "else", "elif", "if", "while", "until", "!", "{", "exec", "env", "command", "builtin",
        "eval", "coproc", "nohup", "time", "sudo", "nice",
    ]
    private static let groupStarts: Set<String> = ["{", "while", "until", "for", "if", "case"]
    private static let groupEnds: Set<String> = ["}", "done", "fi", "esac"]

    /// - Parameter sign: what the command ends with.
    private mutating func nextCommand(_ sign: Unicode.Scalar) {
        let isPipe = sign == "|" && current != "|"
        if sign == "|", let next = current, next == "|" || next == "&" { position += 1 }
        let isWithin = sign == "(" || sign == ")"
        command += 1
        // Each of the commands in braces or parentheses may write to what comes behind them.
        if sign == "(", isEmpty, from < command - 1 { groupFrom = from }
        if sign == ")" { groupFrom = nil }
        if isPipe, isGroupEnd { from = 0 } else if !isPipe, !isWithin { from = groupFrom ?? command }
        isGroupEnd = sign == ")"
        (isStart, isEmpty) = (true, true)
    }

    private mutating func redirect(_ scalar: Unicode.Scalar) {
        // `2>&1` has the number of a descriptor before it.
        if let number = word, number.allSatisfy({ ("0"..."9").contains($0) }) { word = nil }
        end()
        if current == "(" {
            position += 1
            return unknown(from: "(", to: ")", isCommand: true)
        }
        (isTarget, isInput) = (scalar == ">", scalar == "<")
        while let next = current, "<>&| \t".unicodeScalars.contains(next) {
            if next == "<" { (isTarget, isInput) = (false, false) }
            if next == "&" { isInput = false }
            position += 1
        }
    }

    private mutating func variable() {
        guard let next = current else { return append("$") }
        if next == "(" || next == "{" {
            position += 1
            return next == "(" ? unknown(from: next, to: ")", isCommand: true) : unknown(from: next, to: "}", isCommand: false)
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
        let text = scalars[start..<max(start, depth == 0 ? position - 1 : position)]
        if isCommand {
            inner.append(String(scalars: text))
            commands.append(String(scalars: text))
        } else if opening == "{" {
            // `${NAME:-what it is else}`
            inner.append(
                String(scalars: text.drop { !":-=+".unicodeScalars.contains($0) }.drop { ":-=+".unicodeScalars.contains($0) }))
        }
    }
}
