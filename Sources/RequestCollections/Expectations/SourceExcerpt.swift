package import NetworkLayer

/// A line of a file, and below it a mark under what is meant.
package struct SourceExcerpt: Hashable, Sendable {
    /// From 1.
    package var number: Int
    /// The line without its indentation; inside braces or brackets only the entry that is meant, without those beside it.
    package var text: String
    /// Where the mark begins in the text, from 0, and how long it is; in scalars.
    package var mark: Range<Int>

    private static let mostScalars = 120

    /// - Returns: `nil` where there is no such line, or no such file any more.
    package init?(of location: SourceLocation) {
        guard location.line > 0, let bytes = try? FileContents.read(location.path, limit: YAMLDocument.Limits.size) else {
            return nil
        }
        self.init(of: location, in: bytes)
    }

    init?(of location: SourceLocation, in bytes: [UInt8]) {
        guard location.line > 0 else { return nil }
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropFirst(location.line - 1).prefix(1)
        guard var line = lines.popFirst() else { return nil }
        if line.last == 0x0D { line.removeLast() }
        let scalars = Array(String(decoding: line, as: UTF8.self).unicodeScalars)
        guard scalars.indices.contains(location.column - 1) else { return nil }
        let before = scalars[..<(location.column - 1)]
        let rest = scalars[(location.column - 1)...]
        let isAlone = before.allSatisfy { " \t-".unicodeScalars.contains($0) }
        let entry = isAlone ? rest : rest.prefix(Self.count(ofEntry: rest))
        let shown = entry.prefix(Self.mostScalars)
        let start = isAlone ? "" : "… "
        let end = shown.count < entry.count || !isAlone && entry.count < rest.count ? " …" : ""
        number = location.line
        text = start + Self.text(shown) + end
        let key = Self.keyLength(shown)
        mark = start.unicodeScalars.count..<(start.unicodeScalars.count + max(1, key))
    }

    /// `31 | status: 201`, and a line with the mark.
    package func lines(hiding redactor: Redactor) -> [String] {
        let shown = redactor.text(maskedCredentials)
        let gutter = String(repeating: " ", count: "\(number)".count)
        let first = "\(number) | \(shown)"
        // A mask has another length than what it hides.
        guard shown == text else { return [first] }
        let caret = String(repeating: " ", count: mark.lowerBound) + String(repeating: "^", count: mark.count)
        return [first, "\(gutter) | \(caret)"]
    }

    /// How many scalars belong to what begins here: a key without its colon, or an entry up to the comma or bracket that ends it.
    package static func length(of rest: ArraySlice<Unicode.Scalar>) -> Int {
        keyLength(rest.prefix(count(ofEntry: rest)))
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars.map { $0 == "\t" ? " " : $0 }))
    }

    /// Up to the comma or bracket that ends it.
    static func count(ofEntry scalars: ArraySlice<Unicode.Scalar>) -> Int {
        var depth = 0
        var quote: Unicode.Scalar?
        var isEscaped = false
        for (offset, scalar) in scalars.enumerated() {
            if let open = quote {
                if isEscaped {
                    isEscaped = false
                } else if scalar == "\\", open == "\"" {
                    isEscaped = true
                } else if scalar == open {
                    quote = nil
                }
                continue
            }
            switch scalar {
            case "\"", "'": quote = scalar
            case "{", "[": depth += 1
            case "}", "]":
                if depth == 0 { return offset }
                depth -= 1
            case "," where depth == 0: return offset
            default: break
            }
        }
        return scalars.count
    }

    /// The length of a key, up to its colon.
    private static func keyLength(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
        var quote: Unicode.Scalar?
        for (offset, scalar) in scalars.enumerated() {
            if let open = quote {
                if scalar == open { quote = nil }
            } else if offset == 0, scalar == "\"" || scalar == "'" {
                quote = scalar
            } else if scalar == ":", offset + 1 == scalars.count || scalars[scalars.startIndex + offset + 1] == " " {
                return offset
            }
        }
        return scalars.count
    }
}
