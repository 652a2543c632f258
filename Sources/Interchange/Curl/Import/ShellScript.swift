import RequestCollections

/// The commands of a POSIX shell's script, as far as they are words: quotes, comments, continued lines, here-documents and variables.
/// Nothing is run.
struct ShellScript {
    private(set) var commands: [Command] = []
    /// The lines of texts in `$'…'` that aren't UTF-8.
    private(set) var otherBytes: [Int] = []

    struct Command: Hashable {
        /// Variables stand in them between ``ShellVariable``'s marks, and what a program would print between its own.
        var words: [String] = []
        /// The comment lines directly above.
        var comments: [String] = []
        /// What `<<EOF` and `<<<` give to its standard input.
        var input: String?
        /// From 1.
        var line = 1
        /// Whether it reads what another command prints.
        var isInPipe = false
    }

    private let source: ImportSource
    /// Characters of one scalar each, as a shell sees them.
    private var characters: [Character]
    private var position = 0
    private var line = 1
    private var command = Command()
    private var word: String?
    private var comments: [String] = []
    private var pendingDocuments: [(mark: String, isQuoted: Bool, dropsTabs: Bool)] = []
    /// What the next word is: the target of `>`, say.
    private var redirection: String?
    private var isInPipe = false
    /// In PowerShell, backquotes escape and continue lines, and two single quotes are one.
    private let isPowerShell: Bool

    init(_ text: String, of source: ImportSource) throws(CollectionProblem) {
        self.source = source
        isPowerShell = text.contains(/[^`]`\r?\n/) && text.contains(/(?m)^\s*curl(\.exe)?\s[^\n]*\s`\r?$/)
        characters = text.unicodeScalars.map(Character.init)
        try read()
        characters = []
    }

    private var current: Character? { position < characters.count ? characters[position] : nil }

    @discardableResult
    private mutating func advance() -> Character {
        let character = characters[position]
        position += 1
        if character == "\n" { line += 1 }
        return character
    }

    private mutating func read() throws(CollectionProblem) {
        while let character = current {
            switch character {
            case "\\":
                advance()
                // A continued line; also with spaces behind the backslash, as pages often have it.
                let rest = characters[position...].prefix { $0 == " " || $0 == "\t" || $0 == "\r" }
                if rest.count + position >= characters.count || characters[position + rest.count] == "\n" {
                    position += rest.count
                    if current != nil { advance() }
                } else {
                    append(String(advance()))
                }
            case "'":
                append(try singleQuoted())
            case "\"":
                append(try doubleQuoted())
            case "$":
                append(try dollar(isQuoted: false))
            case "`" where isPowerShell: powerShellEscape(isQuoted: false)
            case "`":
                append(try backquoted())
            case "#" where word == nil:
                comment()
            case " ", "\t", "\r":
                advance()
                endWord()
            case "\n":
                advance()
                try endLine()
            case ";", "&", "|", "(", ")":
                advance()
                operation(character)
            case "<", ">":
                redirect(advance())
            default:
                append(String(advance()))
            }
        }
        endWord()
        endCommand()
    }

    // MARK: Words and commands

    private mutating func append(_ text: String) { word = (word ?? "") + text }

    private mutating func endWord() {
        guard let word else { return }
        self.word = nil
        guard let redirection else {
            if command.words.isEmpty { command.line = line }
            command.words.append(word)
            return
        }
        self.redirection = nil
        switch redirection {
        case "<<", "<<-":
            pendingDocuments.append((word.filter { $0 != "\u{F8F4}" }, word.contains("\u{F8F4}"), redirection == "<<-"))
        case "<<<": command.input = word + "\n"
        default: break
        }
    }

    private mutating func endCommand() {
        command.isInPipe = isInPipe
        if !command.words.isEmpty {
            command.comments = comments
            commands.append(command)
            comments = []
        }
        command = Command()
    }

    private mutating func endLine() throws(CollectionProblem) {
        let isBlank = word == nil && command.words.isEmpty
        endWord()
        if !pendingDocuments.isEmpty { hereDocuments() }
        endCommand()
        isInPipe = false
        // A comment belongs to what stands directly below it.
        if isBlank { comments = [] }
    }

    private mutating func comment() {
        let start = position
        while let character = current, character != "\n" { position += 1 }
        let text = String(characters[start..<position].drop { $0 == "#" })
        if command.words.isEmpty {
            if !text.hasPrefix("!") { comments.append(text.trimmingSpace) }
            // The line break of a comment doesn't end what it belongs to.
            if current != nil { advance() }
        }
    }

    private mutating func operation(_ character: Character) {
        // `2>&1` and `&>`.
        if character == "&", redirection != nil || current == ">" { return }
        endWord()
        let isPipe = character == "|" && current != "|"
        if let next = current, next == character { advance() }
        endCommand()
        isInPipe = isPipe
    }

    private mutating func redirect(_ character: Character) {
        // The number of a stream.
        if let word, word.allSatisfy(\.isNumber) { self.word = nil } else { endWord() }
        var text = String(character)
        while let next = current, next == character, text.count < 3 {
            text.append(next)
            advance()
        }
        if text == "<<", current == "-" {
            advance()
            text += "-"
        }
        redirection = text
        while current == " " { advance() }
        if character == ">", current == "&" { advance() }
    }

    private mutating func hereDocuments() {
        for document in pendingDocuments {
            var text = ""
            while current != nil {
                let end = characters[position...].firstIndex(of: "\n") ?? characters.count
                var row = String(characters[position..<end])
                position = min(end + 1, characters.count)
                line += 1
                if document.dropsTabs { row = String(row.drop { $0 == "\t" }) }
                if row == document.mark || row == document.mark + "\r" { break }
                text += row + "\n"
            }
            if !document.isQuoted { text = Self.expanded(text) }
            command.input = text
        }
        pendingDocuments = []
    }

    /// Variables in a here-document.
    private static func expanded(_ text: String) -> String {
        text.replacing(/\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?/) { ShellVariable.mark(String($0.1)) }
    }

    // MARK: Quotes

    private func unclosed(_ what: String, _ line: Int) -> CollectionProblem { source.problem("\(what) has no end", line: line) }

    private mutating func singleQuoted() throws(CollectionProblem) -> String {
        let start = line
        advance()
        var text = quoteMark
        while let character = current {
            advance()
            if character == "'", !isPowerShell || current != "'" { return text }
            if isPowerShell, character == "'" || character == "\\" && current == "\"" {
                text.append(advance())
                continue
            }
            text.append(character)
        }
        throw unclosed("a text in single quotes", start)
    }

    /// The mark of a here-document in quotes has no variables in its text.
    private var quoteMark: String { redirection?.hasPrefix("<<") == true && redirection != "<<<" ? "\u{F8F4}" : "" }

    private mutating func doubleQuoted() throws(CollectionProblem) -> String {
        let start = line
        advance()
        var text = quoteMark
        while let character = current {
            switch character {
            case "\"":
                advance()
                return text
            case "\\":
                advance()
                guard let next = current else { break }
                advance()
                if next != "\n" { text += "$`\"\\".contains(next) ? String(next) : "\\\(next)" }
            case "$": text += try dollar(isQuoted: true)
            case "`" where isPowerShell: powerShellEscape(isQuoted: true).map { text.append($0) }
            case "`": text += try backquoted()
            default: text.append(advance())
            }
        }
        throw unclosed("a text in double quotes", start)
    }

    /// A backquote at the end of a line continues it, and another one escapes what stands behind it.
    @discardableResult
    private mutating func powerShellEscape(isQuoted: Bool) -> Character? {
        advance()
        if !isQuoted, current == "\r" { advance() }
        guard let next = current else { return nil }
        advance()
        if next == "\n", !isQuoted { return nil }
        let character: Character = ["n": "\n", "t": "\t", "r": "\r"][next] ?? next
        if !isQuoted { append(String(character)) }
        return character
    }

    private mutating func backquoted() throws(CollectionProblem) -> String {
        let start = line
        advance()
        var text = ""
        while let character = current {
            advance()
            if character == "`" { return ShellVariable.command(text) }
            text.append(character)
        }
        throw unclosed("a command in backquotes", start)
    }

    /// `$NAME`, `${NAME}`, `$'…'`, `$(…)`, or a dollar.
    private mutating func dollar(isQuoted: Bool) throws(CollectionProblem) -> String {
        let start = line
        advance()
        switch current {
        case "'" where !isQuoted:
            advance()
            return try escaped(start)
        case "\"" where !isQuoted: return try doubleQuoted()
        case "{":
            guard let end = characters[position...].firstIndex(of: "}") else { throw unclosed("`${`", start) }
            let inside = String(characters[position + 1..<end])
            position = end + 1
            let isName = inside.first.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
            return isName ? ShellVariable.mark(inside) : "${\(inside)}"
        case "(":
            var depth = 0
            var text = ""
            while let character = current {
                advance()
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                if depth == 0 { return ShellVariable.command(String(text.dropFirst())) }
                text.append(character)
            }
            throw unclosed("`$(`", start)
        case let first? where first.isLetter || first == "_":
            var name = ""
            while let character = current, character.isASCII, character.isLetter || character.isNumber || character == "_" {
                name.append(advance())
            }
            return name.isEmpty ? "$" : ShellVariable.mark(name)
        case let digit? where ("1"..."9").contains(digit) || digit == "@" && isQuoted:
            advance()
            return ShellVariable.mark(String(digit))
        default: return "$"
        }
    }

    /// `$'…'`: escapes as in C (Bash's manual, section 3.1.2.4).
    private mutating func escaped(_ start: Int) throws(CollectionProblem) -> String {
        var bytes: [UInt8] = []
        func isHex(_ character: Character) -> Bool { character.isASCII && character.isHexDigit }
        while let character = current {
            advance()
            if character == "'" {
                if String(validating: bytes, as: UTF8.self) == nil { otherBytes.append(start) }
                return String(decoding: bytes, as: UTF8.self)
            }
            guard character == "\\", let letter = current else {
                bytes += Array(String(character).utf8)
                continue
            }
            advance()
            switch letter {
            case "n": bytes.append(0x0A)
            case "t": bytes.append(0x09)
            case "r": bytes.append(0x0D)
            case "a": bytes.append(0x07)
            case "b": bytes.append(0x08)
            case "e", "E": bytes.append(0x1B)
            case "f": bytes.append(0x0C)
            case "v": bytes.append(0x0B)
            case "x":
                let digits = characters[position...].prefix(2).prefix(while: isHex)
                position += digits.count
                bytes.append(UInt8(String(digits), radix: 16) ?? 0)
            case "u", "U":
                let digits = characters[position...].prefix(letter == "u" ? 4 : 8).prefix(while: isHex)
                position += digits.count
                let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
                bytes += Array(String(Character(scalar)).utf8)
            case "0"..."7":
                let more = characters[position...].prefix(2).prefix { ("0"..."7").contains($0) }
                position += more.count
                bytes.append(UInt8(truncatingIfNeeded: Int(String(letter) + String(more), radix: 8) ?? 0))
            case "c":
                guard let control = current else { break }
                advance()
                bytes.append(control == "?" ? 0x7F : (String(control).uppercased().utf8.first ?? 0) & 0x1F)
            case "\\", "'", "\"", "?": bytes += Array(String(letter).utf8)
            default: bytes += Array("\\\(letter)".utf8)
            }
        }
        throw unclosed("a text in `$'`", start)
    }
}
