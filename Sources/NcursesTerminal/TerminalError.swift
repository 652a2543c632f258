/// Why there is no terminal to draw on, and the way out.
package struct TerminalError: Error, Hashable, CustomStringConvertible {
    package var description: String

    static let notATerminal = TerminalError(
        description: "the explorer needs a terminal, and standard input or output is not one; `turnstone send` works without")

    static func unknown(_ name: String) -> TerminalError {
        let subject = name.isEmpty ? "the environment variable TERM is not set" : "no terminal `\(name)` (TERM) is known here"
        return TerminalError(
            description: "\(subject); set TERM to one that is, such as TERM=xterm-256color, or install ncurses-term")
    }

    static func unsuitable(_ name: String) -> TerminalError {
        TerminalError(
            description: "a terminal `\(name)` (TERM) can't move its cursor; set TERM to one that can, such as xterm-256color")
    }
}
