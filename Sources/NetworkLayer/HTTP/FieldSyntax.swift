/// What the values of many fields are made of (RFC 9110, section 5.6).
package enum FieldSyntax {
    /// What stands between separators; one inside of a quoted string separates nothing. Empty pieces count, white space stays.
    package static func pieces(of value: some StringProtocol, separatedBy separator: Unicode.Scalar) -> [Substring] {
        let value = Substring(value).unicodeScalars
        var pieces: [Substring] = []
        var start = value.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in value.indices {
            switch value[index] {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"": isQuoted.toggle()
            case separator where !isQuoted:
                pieces.append(Substring(value[start..<index]))
                start = value.index(after: index)
            default: break
            }
        }
        pieces.append(Substring(value[start...]))
        return pieces
    }

    /// Without the spaces and tabs around it (section 5.6.3).
    package static func trimmed(_ value: Substring) -> Substring {
        var value = value.unicodeScalars.drop { $0 == " " || $0 == "\t" }
        while value.last == " " || value.last == "\t" { value.removeLast() }
        return Substring(value)
    }

    /// A quoted string without its quotes and backslashes (section 5.6.4); anything else as it is.
    package static func unquoted(_ value: Substring) -> String {
        let scalars = value.unicodeScalars
        guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return String(value) }
        var text = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in scalars.dropFirst().dropLast() {
            isEscaped = scalar == "\\" && !isEscaped
            if !isEscaped { text.append(scalar) }
        }
        return String(text)
    }
}
