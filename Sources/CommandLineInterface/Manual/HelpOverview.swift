import Base
import NetworkLayer
import TerminalUI

/// The beginning of a help, in lines for one terminal.
///
/// ArgumentParser breaks lines that are too long, and keeps the breaks of the text that it is given. That has the lines of a source file, so
/// paragraphs are put together here before they are broken, and what an example does stays in its column.
enum HelpOverview {
    /// The help of ArgumentParser with that beginning.
    ///
    /// - Parameter columns: of the terminal; lines are at most 100 long.
    static func replacing(in help: String, columns: Int) -> String {
        let mark = "\n\nUSAGE: turnstone"
        guard help.hasPrefix("OVERVIEW: "), let usage = help.firstRange(of: mark) else { return help }
        var command = CommandDescription.program
        for word in help[usage.upperBound...].split(whereSeparator: \.isWhitespace) {
            guard let inner = command.subcommands.first(where: { $0.name == word }) else { break }
            command = inner
        }
        let width = max(40, min(100, columns))
        var lines = wrapped("OVERVIEW: \(command.abstract)", width: width)
        if !command.discussion.isEmpty { lines += [""] + self.lines(of: command.discussion, width: width) }
        return lines.joined(separator: "\n") + help[usage.lowerBound...]
    }

    static func lines(of text: String, width: Int) -> [String] {
        var lines: [String] = []
        var paragraph: [Substring] = []
        func end() {
            if !paragraph.isEmpty { lines += wrapped(paragraph.joined(separator: " "), width: width) }
            paragraph = []
        }
        for line in text.lines {
            if line.isEmpty || line.hasPrefix(" ") {
                end()
                lines += line.isEmpty ? [""] : example(line, width: width)
            } else {
                paragraph.append(line)
            }
        }
        end()
        return lines
    }

    /// `  turnstone run --watch     see each one on its way`
    private static func example(_ line: Substring, width: Int) -> [String] {
        let start = line.prefix { $0 == " " }.count
        guard line.count > width, let gap = line.dropFirst(start).firstRange(of: "  ") else { return [String(line)] }
        let text = line[gap.upperBound...].drop { $0 == " " }
        let column = line.distance(from: line.startIndex, to: text.startIndex)
        guard width - column >= 16 else {
            let indent = String(repeating: " ", count: start + 4)
            return [String(line[..<gap.lowerBound])] + wrapped(indent + text, width: width, indent: indent.count)
        }
        return wrapped(String(line), width: width, indent: column)
    }

    /// - Parameter indent: blanks before every line but the first.
    static func wrapped(_ text: String, width: Int, indent: Int = 0) -> [String] {
        StyledLine(text).wrapped(columns: width, indent: indent).map(\.text)
    }
}
