import NetworkLayer
import RequestCollections

/// A variable of a shell inside a word, until it becomes a template.
///
/// What stands between the marks has no sign that parts fields, names or files: such signs, as in `${NAME:-a;b}`, are others until then.
enum ShellVariable {
    static let delimiters = ForeignTemplate.Delimiters(opening: "\u{F8F0}", closing: "\u{F8F1}")
    static let commands = ForeignTemplate.Delimiters(opening: "\u{F8F2}", closing: "\u{F8F3}")

    static func mark(_ name: String) -> String { delimiters.opening + hidden(name) + delimiters.closing }

    /// What a program prints.
    static func command(_ text: String) -> String { commands.opening + hidden(text) + commands.closing }

    /// The name of the variable that a text consists of.
    static func name(of text: String) -> String? {
        guard text.hasPrefix(delimiters.opening), text.hasSuffix(delimiters.closing),
            text.firstRange(of: delimiters.closing)?.upperBound == text.endIndex
        else { return nil }
        return inside(String(text.dropFirst(delimiters.opening.count).dropLast(delimiters.closing.count)))
    }

    static func isIn(_ text: some StringProtocol) -> Bool {
        text.unicodeScalars.contains { "\u{F8F0}\u{F8F2}".unicodeScalars.contains($0) }
    }

    private static let offset: UInt32 = 0xF700

    private static func hidden(_ text: String) -> String {
        mapping(text) { $0.isASCII && !isPlain($0) ? offset + $0.value : $0.value }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }

    /// What stands between marks, with its own signs again.
    static func inside(_ hidden: String) -> String {
        mapping(hidden) { (offset..<offset + 0x80).contains($0.value) ? $0.value - offset : $0.value }
    }

    private static func mapping(_ text: String, _ change: (Unicode.Scalar) -> UInt32) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(Unicode.Scalar(change(scalar)) ?? scalar) }
        return String(scalars)
    }

    /// For people: as it stands in a script.
    static func shown(_ text: String) -> String {
        guard isIn(text) else { return text }
        return ForeignTemplate(text, [delimiters, commands]).pieces.map { piece in
            switch piece {
            case .text(let text): return text
            case .template(let hidden, let opening):
                let inside = inside(hidden)
                if opening == commands.opening { return "$(\(inside))" }
                let isName = inside.unicodeScalars.allSatisfy { $0 == "_" || isPlain($0) }
                return isName ? "$\(inside)" : "${\(inside)}"
            }
        }.joined()
    }
}
