/// To Swift a quote with an accent behind it is one character, and not a quote; to a shell, a server or a parser it is a quote. `"\r\n"`
/// is one character, too, and no line feed. So what is quoted for others, or taken apart as they would, goes by scalars: else a text
/// could end its own quotes, or a name could hold the slash that was looked for.
///
///     "x'\u{301}".replacing("'", with: "")              x'́    Swift's: it finds no quote
///     "x'\u{301}".replacing(scalars: "'", with: "")     x́
extension StringProtocol {
    /// With another text in place of each place where these scalars stand in a row.
    package func replacing(scalars: String, with replacement: String) -> String {
        String(decoding: Array(utf8).replacing(Array(scalars.utf8), with: Array(replacement.utf8)), as: UTF8.self)
    }

    /// With a backslash before each of these scalars.
    package func escaping(_ scalars: Unicode.Scalar...) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalars.contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }

    package func begins(with prefix: some StringProtocol) -> Bool { utf8.starts(with: prefix.utf8) }

    package func ends(with suffix: some StringProtocol) -> Bool { utf8.reversed().starts(with: suffix.utf8.reversed()) }

    /// Whether the other text has these scalars in a row.
    package func isIn(_ text: some StringProtocol) -> Bool { text.utf8.firstRange(of: utf8) != nil }

    /// What stands between these scalars; empty pieces count.
    package func pieces(at scalar: Unicode.Scalar) -> [Substring] {
        Substring(self).unicodeScalars.split(separator: scalar, omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// What stands before and behind the first of these scalars; `nil` when there is none.
    package func halves(at scalar: Unicode.Scalar) -> (before: Substring, behind: Substring)? {
        let scalars = Substring(self).unicodeScalars
        guard let index = scalars.firstIndex(of: scalar) else { return nil }
        return (Substring(scalars[..<index]), Substring(scalars[scalars.index(after: index)...]))
    }

    /// The lines, without the line feeds, and the carriage returns before them, that part them.
    package var lines: [Substring] {
        pieces(at: "\n").map { $0.utf8.last == UInt8(ascii: "\r") ? Substring($0.unicodeScalars.dropLast()) : $0 }
    }
}
