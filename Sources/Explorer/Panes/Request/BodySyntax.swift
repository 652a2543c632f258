import TerminalUI

/// Colours for a line of a body that is being written. It need not be right JSON yet, so each line stands for itself.
enum BodySyntax {
    static func text(_ line: String) -> StyledLine {
        line.utf8.contains(UInt8(ascii: "{")) ? templates(in: line[...], .text) : StyledLine(line)
    }

    static func json(_ line: String) -> StyledLine {
        var result = StyledLine()
        var rest = line[...]
        while let first = rest.first {
            if rest.hasPrefix("{{"), let end = rest.firstRange(of: "}}") {
                result.append(String(rest[..<end.upperBound]), .template)
                rest = rest[end.upperBound...]
            } else if first == "\"" {
                let string = rest[..<endOfString(rest)]
                rest = rest[string.endIndex...]
                let isKey = rest.first { $0 != " " } == ":"
                result.spans += templates(in: string, isKey ? .syntaxKey : .syntaxString).spans
            } else if first.isLetter || first.isNumber || first == "-" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
                result.append(String(word), first.isLetter ? .syntaxKeyword : .syntaxNumber)
                rest = rest[word.endIndex...]
            } else {
                let other = rest.prefix { $0 != "\"" && !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "{" }
                let piece = other.isEmpty ? rest.prefix(1) : other
                result.append(String(piece), .syntaxPunctuation)
                rest = rest[piece.endIndex...]
            }
        }
        return result
    }

    /// Behind the closing quote, or the end of the line.
    private static func endOfString(_ text: Substring) -> Substring.Index {
        var isEscaped = false
        for index in text.indices.dropFirst() {
            if isEscaped {
                isEscaped = false
            } else if text[index] == "\\" {
                isEscaped = true
            } else if text[index] == "\"" {
                return text.index(after: index)
            }
        }
        return text.endIndex
    }

    private static func templates(in text: Substring, _ role: ThemeRole) -> StyledLine {
        var line = StyledLine()
        var rest = text
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            if start.lowerBound > rest.startIndex { line.append(String(rest[..<start.lowerBound]), role) }
            line.append(String(rest[start.lowerBound..<end.upperBound]), .template)
            rest = rest[end.upperBound...]
        }
        if !rest.isEmpty { line.append(String(rest), role) }
        return line
    }
}
