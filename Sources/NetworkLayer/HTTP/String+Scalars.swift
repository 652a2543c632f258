import Base

/// To Swift a quote with an accent behind it is one character, and not a quote; to a shell, a server or a parser it is a quote. `"\r\n"`
/// is one character, too, and no line feed. So what is quoted for others, or taken apart as they would, goes by scalars: else a text
/// could end its own quotes, or a name could hold the slash that was looked for.
///
///     "x'\u{301}".replacing("'", with: "")              x'́    Swift's: it finds no quote
///     "x'\u{301}".replacing(scalars: "'", with: "")     x́
extension StringProtocol {
    /// The text with each occurrence of these scalars replaced by another text.
    package func replacing(scalars: String, with replacement: String) -> String {
        var text = String(self)
        let replaced: String? = text.withUTF8 { bytes in
            let pattern = Array(scalars.utf8)
            guard var place = bytes.firstPlace(of: pattern) else { return nil }
            var result: [UInt8] = []
            var copied = 0
            while true {
                result += bytes[copied..<place]
                result += replacement.utf8
                copied = place + pattern.count
                guard let next = bytes.firstPlace(of: pattern, from: copied) else { break }
                place = next
            }
            return String(decoding: result + bytes[copied...], as: UTF8.self)
        }
        return replaced ?? text
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

    package func begins(with prefix: some StringProtocol) -> Bool {
        let isPrefix = utf8.withContiguousStorageIfAvailable { bytes in
            prefix.utf8.withContiguousStorageIfAvailable { bytes.starts(with: $0) }
        }
        // Only a text that isn't Swift's own is in pieces.
        return (isPrefix ?? nil) ?? utf8.starts(with: prefix.utf8)
    }

    package func ends(with suffix: some StringProtocol) -> Bool { utf8.reversed().starts(with: suffix.utf8.reversed()) }

    /// Whether the other text has these scalars in a row.
    package func isIn(_ text: some StringProtocol) -> Bool {
        guard !isEmpty else { return true }
        var text = String(text)
        return text.withUTF8 { $0.firstPlace(of: Array(utf8)) != nil }
    }

    /// Where these scalars, of which there must be some, first stand in a row.
    package func firstRange(ofScalars scalars: String) -> Range<Index>? {
        // As bytes of a substring, whatever it is: of the others' indices nothing is specialised.
        let bytes = Substring(self).utf8
        let place = bytes.withContiguousStorageIfAvailable { $0.firstPlace(of: Array(scalars.utf8)) } ?? nil
        guard let place else { return nil }
        let start = bytes.index(bytes.startIndex, offsetBy: place)
        return start..<bytes.index(start, offsetBy: scalars.utf8.count)
    }

    /// Where these scalars, of which there must be some, stand in a row, each time behind the last one.
    package func ranges(ofScalars scalars: String) -> [Range<Index>] {
        var ranges: [Range<Index>] = []
        var rest = Substring(self)
        while let range = rest.firstRange(ofScalars: scalars) {
            ranges.append(range)
            rest = rest[range.upperBound...]
        }
        return ranges
    }

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

extension String {
    /// Appends the scalars one by one: appending the slice at once takes a hundred times as long.
    package init(scalars: ArraySlice<Unicode.Scalar>) {
        self.init()
        for scalar in scalars { unicodeScalars.append(scalar) }
    }
}
