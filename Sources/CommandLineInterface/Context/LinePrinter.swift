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
