import TerminalUI

/// Tells comments, strings, numbers, words and signs apart, line by line: enough to colour, and never wrong for long.
enum CodeScanner {
    enum Language: Sendable {
        case yaml, css, javaScript

        var hasBlockComments: Bool { self != .yaml }
        /// Besides quotes: what a string can be put in that goes on over lines.
        var hasTemplates: Bool { self == .javaScript }
    }

    /// What a line begins in.
    enum State {
        static let code: UInt8 = 0
        static let comment: UInt8 = 1
        static let template: UInt8 = 2
    }

    private static let keywords: Set<[UInt8]> = Set(
        """
        async await break case catch class const continue debugger default delete do else export extends false finally for from function
        if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while with yield
        """.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) })

    private static let yamlWords: Set<[UInt8]> = Set(
        ["true", "false", "null", "~", "yes", "no", "on", "off"].map { Array($0.utf8) })

    /// - Parameters:
    ///   - line: its end may be among it.
    ///   - emit: gets the pieces in order, each once.
    /// - Returns: what the next line begins in.
    static func scan(
        _ line: Range<Int>, _ bytes: UnsafePointer<UInt8>, from state: UInt8, _ language: Language,
        emit: (Range<Int>, ThemeRole) -> Void
    ) -> UInt8 {
        var state = state
        var place = line.lowerBound
        let end = line.upperBound
        var isAtKey = true
        while place < end {
            let start = place
            var role = ThemeRole.text
            switch (state, bytes[place]) {
            case (State.comment, _):
                place = find("*/", from: place, end, bytes)
                if place < end || endsWith("*/", start..<place, bytes) { state = State.code }
                role = .syntaxComment
            case (State.template, _):
                (place, state) = template(from: place, end, bytes)
                role = .syntaxString
            case (_, 0...0x20):
                repeat { place += 1 } while place < end && bytes[place] <= 0x20
            case (_, UInt8(ascii: "#")) where language == .yaml && (start == line.lowerBound || bytes[start - 1] <= 0x20):
                place = end
                role = .syntaxComment
            case (_, UInt8(ascii: "/")) where language.hasBlockComments && place + 1 < end && bytes[place + 1] == UInt8(ascii: "*"):
                place = find("*/", from: place + 2, end, bytes)
                if !endsWith("*/", start + 2..<max(start + 2, place), bytes) { state = State.comment }
                role = .syntaxComment
            case (_, UInt8(ascii: "/")) where language == .javaScript && place + 1 < end && bytes[place + 1] == UInt8(ascii: "/"):
                place = end
                role = .syntaxComment
            case (_, UInt8(ascii: "`")) where language.hasTemplates:
                (place, state) = template(from: place + 1, end, bytes)
                role = .syntaxString
            case (_, UInt8(ascii: "\"")), (_, UInt8(ascii: "'")):
                place = endOfString(from: place, end, bytes, isYAML: language == .yaml)
                role = language == .yaml && isAtKey && isKey(place, end, bytes) ? .syntaxKey : .syntaxString
                isAtKey = false
            case (_, UInt8(ascii: "-")) where language == .yaml && (place + 1 == end || bytes[place + 1] <= 0x20):
                // In a list, a key may follow.
                place += 1
                role = .syntaxPunctuation
            case (_, let byte) where isWord(byte) || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "$"):
                if language == .yaml {
                    place = endOfPlain(from: place, end, bytes)
                    role = isAtKey && isKey(place, end, bytes) ? .syntaxKey : yamlRole(start..<place, bytes)
                    isAtKey = false
                } else {
                    repeat { place += 1 } while place < end && (isWord(bytes[place]) || bytes[place] == UInt8(ascii: "%"))
                    role = codeRole(start..<place, end, bytes, language)
                }
            default:
                place += 1
                role = .syntaxPunctuation
                // Behind a brace and a comma a key may come.
                isAtKey = "{,[?".utf8.contains(bytes[start])
            }
            emit(start..<place, role)
        }
        return state
    }

    // MARK: Pieces

    private static func isWord(_ byte: UInt8) -> Bool {
        byte &- 0x61 < 26 || byte &- 0x41 < 26 || byte &- 0x30 < 10 || byte >= 0x80 || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// The place behind the mark; the end if the mark doesn't occur.
    private static func find(_ mark: StaticString, from start: Int, _ end: Int, _ bytes: UnsafePointer<UInt8>) -> Int {
        var place = start
        while place + 1 < end {
            if bytes[place] == mark.utf8Start[0], bytes[place + 1] == mark.utf8Start[1] { return place + 2 }
            place += 1
        }
        return end
    }

    private static func endsWith(_ mark: StaticString, _ range: Range<Int>, _ bytes: UnsafePointer<UInt8>) -> Bool {
        range.count >= 2 && bytes[range.upperBound - 2] == mark.utf8Start[0] && bytes[range.upperBound - 1] == mark.utf8Start[1]
    }

    private static func template(from start: Int, _ end: Int, _ bytes: UnsafePointer<UInt8>) -> (place: Int, state: UInt8) {
        var place = start
        while place < end {
            if bytes[place] == UInt8(ascii: "`") { return (place + 1, State.code) }
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return (end, State.template)
    }

    private static func endOfString(from start: Int, _ end: Int, _ bytes: UnsafePointer<UInt8>, isYAML: Bool) -> Int {
        let quote = bytes[start]
        let hasEscapes = !isYAML || quote == UInt8(ascii: "\"")
        var place = start + 1
        while place < end {
            if bytes[place] == quote { return place + 1 }
            place += hasEscapes && bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return end
    }

    /// Up to `: `, ` #`, or a sign of a flow.
    private static func endOfPlain(from start: Int, _ end: Int, _ bytes: UnsafePointer<UInt8>) -> Int {
        var place = start
        while place < end {
            let byte = bytes[place]
            if byte == UInt8(ascii: ":"), place + 1 == end || bytes[place + 1] <= 0x20 { break }
            if byte == UInt8(ascii: "#"), bytes[place - 1] <= 0x20 { break }
            if ",]}\n\r".utf8.contains(byte) { break }
            place += 1
        }
        while place > start + 1, bytes[place - 1] == 0x20 { place -= 1 }
        return place
    }

    private static func isKey(_ place: Int, _ end: Int, _ bytes: UnsafePointer<UInt8>) -> Bool {
        var place = place
        while place < end, bytes[place] == 0x20 { place += 1 }
        return place < end && bytes[place] == UInt8(ascii: ":") && (place + 1 == end || bytes[place + 1] <= 0x20)
    }

    private static func yamlRole(_ word: Range<Int>, _ bytes: UnsafePointer<UInt8>) -> ThemeRole {
        let text = Array(UnsafeBufferPointer(start: bytes + word.lowerBound, count: word.count))
        if yamlWords.contains(text) { return .syntaxKeyword }
        return isNumber(text) ? .syntaxNumber : .syntaxString
    }

    private static func codeRole(
        _ word: Range<Int>, _ end: Int, _ bytes: UnsafePointer<UInt8>, _ language: Language
    ) -> ThemeRole {
        let text = Array(UnsafeBufferPointer(start: bytes + word.lowerBound, count: min(word.count, 64)))
        if isNumber(text) { return .syntaxNumber }
        if language == .javaScript { return keywords.contains(text) ? .syntaxKeyword : .text }
        if text.first == UInt8(ascii: "@") { return .syntaxKeyword }
        return isKey(word.upperBound, end, bytes) ? .syntaxKey : .text
    }

    /// `12`, `-1.5e3`, `0xff`, `12px`, `50%`.
    private static func isNumber(_ text: [UInt8]) -> Bool {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard let first = digits.first else { return false }
        if first == UInt8(ascii: ".") { return digits.dropFirst().first.map { $0 &- 0x30 < 10 } ?? false }
        return first &- 0x30 < 10
    }
}

extension BodyKind {
    var language: CodeScanner.Language? {
        switch self {
        case .yaml: .yaml
        case .css: .css
        case .javaScript: .javaScript
        case .json, .jsonLines, .jsonValues, .xml, .html, .eventStream, .text, .binary: nil
        }
    }
}
