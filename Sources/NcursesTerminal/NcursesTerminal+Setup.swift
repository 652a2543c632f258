import Base
import CNcurses
import TerminalUI

extension NcursesTerminal {
    /// Sets how characters are encoded, for ncurses; numbers and dates stay as they are.
    ///
    /// Where nobody has said anything (a bare container), UTF-8 is what terminals speak. A user who sets `C` gets ASCII.
    ///
    /// - Returns: whether the terminal understands UTF-8.
    static func setLocale(_ environment: [String: String]) -> Bool {
        let said = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let said else { return setlocale(LC_CTYPE, "C.UTF-8") != nil }
        if setlocale(LC_CTYPE, said) == nil {
            // Named, but not installed here, as after ssh from elsewhere.
            let isUnicode = said.uppercased().contains("UTF")
            setlocale(LC_CTYPE, isUnicode ? "C.UTF-8" : "C")
            return isUnicode
        }
        return String(cString: nl_langinfo(nl_item(CODESET))) == "UTF-8"
    }

    /// From the kernel; where it doesn't know (a serial line), from the environment, else 80×24.
    static func measure(_ terminal: Int32, _ environment: [String: String]) -> Size {
        var window = winsize()
        if ioctl(terminal, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 {
            return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
        }
        func number(_ name: String) -> Int? { environment[name].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil } }
        return Size(columns: number("COLUMNS") ?? 80, rows: number("LINES") ?? 24)
    }

    /// Tells ncurses of true colour where the terminal says that it has it.
    ///
    /// - Returns: what `TERMINFO` is now; `nil`: as it was.
    static func describeColors(of name: String, _ environment: [String: String]) -> String? {
        guard DirectColors.isPromised(environment), environment["NO_COLOR"].map(\.isEmpty) ?? true,
            let description = DirectColors.terminfo(of: name, environment)
        else { return nil }
        setTerminfo(description)
        return description
    }

    /// For ncurses alone: programs that are started later get the variable as it was.
    static func setTerminfo(_ value: String?) {
        if let value { setenv("TERMINFO", value, 1) } else { unsetenv("TERMINFO") }
    }

    /// <https://no-color.org>: any value but the empty one turns colours off.
    static func startColors(_ environment: [String: String]) -> ColorDepth {
        guard has_colors(), environment["NO_COLOR"].map(\.isEmpty) ?? true else { return .none }
        start_color()
        use_default_colors()
        switch turnstone_ncurses_colors() {
        case (1 << 24)...: return .direct
        case 256...: return .palette
        case 16...: return .sixteen
        case 8...: return .eight
        default: return .none
        }
    }

    /// Whether the terminal says that its ground is light: some set `COLORFGBG` to their letters' and their ground's number of 16 (`0;15`).
    package nonisolated static func hasLightGround(_ environment: [String: String]) -> Bool {
        guard let ground = environment["COLORFGBG"]?.split(separator: ";").last.flatMap({ Int($0) }) else { return false }
        return ground == 7 || (9...15).contains(ground)
    }

    /// Bracketed paste, and the mouse with presses, drags and the wheel at any column. Terminals that have no ANSI sequences
    /// would print them, so they don't get them.
    static func modeStrings(_ name: String) -> (on: [UInt8], off: [UInt8]) {
        guard TerminalCapability.string("cup")?.starts(with: [0x1B, UInt8(ascii: "[")]) == true,
            TerminalCapability.string("smcup") != nil, name != "linux"
        else { return ([], []) }
        return (
            Array("\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h".utf8),
            Array("\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?2004l".utf8)
        )
    }

    /// Everything that restores the screen, for a signal handler, which can't call ncurses.
    static func farewell(_ modesOff: [UInt8]) -> [UInt8] {
        modesOff + ["sgr0", "op", "cnorm", "rmkx", "rmcup"].flatMap { TerminalCapability.string($0) ?? [] } + Array("\r".utf8)
    }
}

/// What terminfo says about the terminal that is set up.
@MainActor
enum TerminalCapability {
    /// A string that is sent as it is; `nil` when the terminal can't do it. Delays (`$<5>`) are left out.
    static func string(_ name: String) -> [UInt8]? {
        guard let value = tigetstr(name), value != UnsafeMutablePointer(bitPattern: -1) else { return nil }
        var bytes = Array(String(cString: value).utf8)
        while let start = bytes.firstIndex(of: UInt8(ascii: "$")), bytes.dropFirst(start + 1).first == UInt8(ascii: "<"),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
        {
            bytes.removeSubrange(start...end)
        }
        return bytes.isEmpty ? nil : bytes
    }
}

/// Why there is no terminal to draw on, and the way out.
package struct TerminalError: Error, Hashable, CustomStringConvertible {
    package var description: String

    static let notATerminal = TerminalError(
        description: "the explorer needs a terminal, and standard input or output is not one; `turnstone send` works without")

    static func unknown(_ name: String) -> TerminalError {
        let subject = name.isEmpty ? "the environment variable TERM is not set" : "no terminal `\(name)` (TERM) is known here"
        let package =
            switch name {
            case "xterm-kitty": "kitty-terminfo"
            case "foot", "foot-direct": "foot-terminfo"
            case "xterm-ghostty", "wezterm": "the description that comes with the terminal"
            default: "ncurses-term"
            }
        return TerminalError(
            description: "\(subject); set TERM to one that is, such as TERM=xterm-256color, or install \(package)")
    }

    static func unsuitable(_ name: String) -> TerminalError {
        TerminalError(
            description: "a terminal `\(name)` (TERM) can't move its cursor; set TERM to one that can, such as xterm-256color")
    }
}
