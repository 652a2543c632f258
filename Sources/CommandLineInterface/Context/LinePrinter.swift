import Base
import NetworkLayer
import Presentation
import TerminalUI

/// Themed lines on standard error or output, coloured on a terminal only, and not against NO_COLOR (no-color.org) or on a dumb one.
struct LinePrinter {
    private let output: any ByteOutput
    private let theme: Theme?
    private let isTerminal: Bool
    /// Whether a runner of GitHub's actions reads along, which takes lines for commands.
    private let isWorkflow: Bool

    /// - Parameter output: `nil`: standard error.
    init(_ context: CommandLineContext, to output: (any ByteOutput)? = nil) {
        let output = output ?? context.standardError
        self.output = output
        isTerminal = output.isTerminal
        let usesColor =
            isTerminal && (context.environment["NO_COLOR"] ?? "").isEmpty && context.environment["TERM"] != "dumb"
        theme = usesColor ? .builtin : nil
        isWorkflow = context.environment["GITHUB_ACTIONS"] == "true"
    }

    func print(_ lines: [StyledLine]) throws(OutputFailure) {
        for line in lines { try output.write(Data((text(line) + "\n").utf8)) }
    }

    /// What a stranger's answer says must be no command of a workflow: `::error::` at the start of a line, `##[error]` anywhere.
    private static func withoutCommands(_ line: String) -> String {
        var line = line.replacing(scalars: "##[", with: "## [")
        if let start = line.unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }), line[start...].hasPrefix("::") {
            line.insert(" ", at: line.unicodeScalars.index(after: start))
        }
        return line
    }

    /// The line with SGR sequences (ECMA-48, 8.3.117) for 24-bit colours. Those are the only ones that a terminal finds in it.
    func text(_ line: StyledLine) -> String {
        // What may colour lines is a terminal, and no runner.
        guard let theme else {
            let text = isWorkflow ? Self.withoutCommands(line.text) : line.text
            return isTerminal ? TerminalFilter.safe(text) : text
        }
        return line.spans.map { span in
            let codes = Self.sgr(theme[span.role])
            let text = TerminalFilter.safe(span.text)
            return codes.isEmpty ? text : "\u{1B}[\(codes)m\(text)\u{1B}[0m"
        }.joined()
    }

    private static func sgr(_ style: Style) -> String {
        var codes: [String] = []
        let attributes: [(Style.Attributes, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"), (.strikethrough, "9"),
        ]
        for (attribute, code) in attributes where style.attributes.contains(attribute) { codes.append(code) }
        // The background is the terminal's own: a line is not a screen.
        if let color = style.foreground { codes.append("38;2;\(color.red);\(color.green);\(color.blue)") }
        return codes.joined(separator: ";")
    }
}

/// Turns bytes from a stranger into text that a terminal only shows: control characters become their pictures (U+2400 …),
/// broken UTF-8 becomes U+FFFD. Line feeds and tabs stay, and of a line end that is CR LF its line feed.
struct TerminalFilter {
    /// The beginning of a character whose rest comes with the next bytes.
    private var pending: [UInt8] = []
    private var endsInLine = false

    mutating func safe(_ bytes: Data) -> String {
        let bytes = pending + bytes
        let cut = Self.startOfUnfinishedCharacter(in: bytes)
        pending = Array(bytes[cut...])
        return shown(bytes[..<cut])
    }

    /// A whole text.
    static func safe(_ bytes: Data) -> Data {
        guard bytes.contains(where: { !($0 >= 0x20 && $0 < 0x7F || $0 == 0x0A) }) else { return bytes }
        var filter = TerminalFilter()
        return Data(filter.shown(Array(bytes)[...]).utf8)
    }

    static func safe(_ text: String) -> String { String(decoding: safe(Data(text.utf8)), as: UTF8.self) }

    /// What was left over, and a line feed where the last line has none.
    mutating func finish() -> String {
        let rest = shown(pending[...])
        pending = []
        return endsInLine ? rest + "\n" : rest
    }

    private mutating func shown(_ bytes: ArraySlice<UInt8>) -> String {
        var text = ""
        text.reserveCapacity(bytes.count)
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            switch scalar.value {
            case 0x0A, 0x09: text.unicodeScalars.append(scalar)
            case 0x0D where scalars[scalars.index(after: index)...].first == "\n": break
            case 0..<0x20: text.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value)!)
            case 0x7F: text.unicodeScalars.append("\u{2421}")
            // C1 controls, and what turns the direction of writing around.
            case 0x80..<0xA0, 0x202A...0x202E, 0x2066...0x2069: text.unicodeScalars.append("\u{FFFD}")
            default: text.unicodeScalars.append(scalar)
            }
        }
        if let last = text.unicodeScalars.last { endsInLine = last != "\n" }
        return text
    }

    private static func startOfUnfinishedCharacter(in bytes: [UInt8]) -> Int {
        // A line feed may follow.
        if bytes.last == 0x0D { return bytes.count - 1 }
        for back in 1...3 where back <= bytes.count {
            let index = bytes.count - back
            switch bytes[index] {
            case 0x80..<0xC0: continue
            case 0xC2..<0xE0: return back < 2 ? index : bytes.count
            case 0xE0..<0xF0: return back < 3 ? index : bytes.count
            case 0xF0..<0xF5: return back < 4 ? index : bytes.count
            default: return bytes.count
            }
        }
        return bytes.count
    }
}
