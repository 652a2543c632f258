import Foundation
import Glibc
import TerminalTesting
import TerminalUI
import Testing

@testable import NcursesTerminal

/// The real ncurses on a pseudo-terminal of this process, looked at through the emulator.
@MainActor @Suite(.serialized) struct NcursesTerminalTests {
    private let size = Size(columns: 20, rows: 5)

    private func frame(_ lines: [String], _ style: Style = .plain, size: Size? = nil) -> Frame {
        var canvas = Canvas(size: size ?? self.size, theme: Theme(name: "test", styles: [.accent: style]))
        for (row, line) in lines.enumerated() { canvas.text(line, .accent, column: 0, row: row) }
        return canvas.frame
    }

    private func withTerminal(
        _ term: String = "xterm-256color", environment: [String: String] = [:],
        _ body: (NcursesTerminal, LoopbackLine) throws -> Void
    ) throws {
        let line = try LoopbackLine(size: size)
        let variables = ["TERM": term, "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
        let terminal = try NcursesTerminal(input: line.slave, output: line.slave, environment: variables)
        defer { terminal.close() }
        try body(terminal, line)
        #expect(line.screen.unknown == [])
    }

    @Test(arguments: [
        "xterm-256color", "xterm", "tmux-256color", "screen-256color", "screen", "linux", "vt100", "rxvt-unicode-256color",
    ])
    func `a frame looks the same on every terminal`(term: String) throws {
        try withTerminal(term) { terminal, line in
            let lines = ["┌─ title ─────────┐", "│ 漢字 é ␛ e\u{301}     │", "└─────────────────┘", "01234567890123456789", "end"]
            terminal.draw(frame(lines))
            #expect(line.read().lines == lines)
            let next = ["┌─ other ─────────┐", "│ x字 é 漢  abc   │", "└─────────────────┘", "0123456789012345678漢", ""]
            terminal.draw(frame(next))
            #expect(
                line.read().lines == ["┌─ other ─────────┐", "│ x字 é 漢  abc   │", "└─────────────────┘", "0123456789012345678", ""])
        }
    }

    @Test func `the last cell of the screen can be written and nothing scrolls`() throws {
        try withTerminal { terminal, line in
            let full = Array(repeating: "abcdefghijklmnopqrst", count: 5)
            terminal.draw(frame(full))
            #expect(line.read().lines == full)
        }
    }

    @Test func `only what has changed is written`() throws {
        try withTerminal { terminal, line in
            terminal.draw(frame(["hello world", "more"]))
            _ = line.read()
            let before = line.written.count
            terminal.draw(frame(["hello World", "more"]))
            _ = line.read()
            #expect(line.written.count - before < 20)
            let after = line.written.count
            terminal.draw(frame(["hello World", "more"]))
            _ = line.read()
            #expect(line.written.count == after)
        }
    }

    @Test(
        arguments: [
            ("xterm-256color", [:], ColorDepth.palette, 203, 234), ("xterm", [:], .eight, 1, 0),
            ("xterm-256color", ["NO_COLOR": "1"], .none, nil, nil), ("vt100", [:], .none, nil, nil),
            ("xterm-256color", ["NO_COLOR": ""], .palette, 203, 234),
            ("xterm-256color", ["COLORTERM": "truecolor"], .direct, 256 + 0xFF5555, 256 + 0x1E1E2E),
            ("xterm-256color", ["COLORTERM": "24bit", "NO_COLOR": "1"], .none, nil, nil),
            ("xterm", ["COLORTERM": "truecolor"], .direct, 256 + 0xFF5555, 256 + 0x1E1E2E),
            ("vt100", ["COLORTERM": "truecolor"], .none, nil, nil), ("xterm-256color", ["COLORTERM": "yes"], .palette, 203, 234),
        ] as [(String, [String: String], ColorDepth, Int?, Int?)])
    func `colours become what the terminal has`(
        term: String, environment: [String: String], depth: ColorDepth, foreground: Int?, background: Int?
    ) throws {
        try withTerminal(term, environment: environment) { terminal, line in
            #expect(terminal.colorDepth == depth)
            let style = Style(
                foreground: Color(red: 255, green: 85, blue: 85), background: Color(red: 30, green: 30, blue: 46),
                attributes: [.bold, .underline])
            terminal.draw(frame(["x"], style))
            #expect(
                line.read().cell(column: 0, row: 0)
                    == VirtualScreen.Cell(
                        "x",
                        look: VirtualScreen.Look(foreground: foreground, background: background, attributes: [.bold, .underline])))
        }
    }

    @Test func `every attribute arrives`() throws {
        try withTerminal { terminal, line in
            let attributes: [Style.Attributes] = [.bold, .dim, .italic, .underline, .reverse, [.bold, .reverse], []]
            var frame = Frame(size: size)
            for (column, attribute) in attributes.enumerated() {
                frame.put("x", width: 1, style: Style(attributes: attribute), column: column, row: 0)
            }
            terminal.draw(frame)
            let screen = line.read()
            #expect(attributes.indices.map { screen.cell(column: $0, row: 0).look.attributes } == attributes)
        }
    }

    @Test func `more pairs of colours than a terminal has still show the letters`() throws {
        try withTerminal("xterm") { terminal, line in
            var frame = Frame(size: size)
            for index in 0..<100 {
                func color(_ bits: Int) -> Color {
                    Color(red: bits & 1 != 0 ? 255 : 0, green: bits & 2 != 0 ? 255 : 0, blue: bits & 4 != 0 ? 255 : 0)
                }
                frame.put(
                    "x", width: 1, style: Style(foreground: color(index % 8), background: color(index / 8 % 8)), column: index % 20,
                    row: index / 20)
            }
            terminal.draw(frame)
            #expect(line.read().lines == Array(repeating: String(repeating: "x", count: 20), count: 5))
        }
    }

    @Test(arguments: ["C", "POSIX", "de_DE.ISO-8859-1"])
    func `in a locale without UTF-8 everything is ASCII and lines are drawn`(locale: String) throws {
        try withTerminal(environment: ["LC_ALL": locale]) { terminal, line in
            terminal.draw(frame(["┌─┐ 漢é ✓ ██▌ ␛[", "└─┘"]))
            #expect(line.read().lines == ["┌─┐ ? ? v ### [[", "└─┘", "", "", ""])
            #expect(line.written.allSatisfy { $0 < 0x80 })
        }
    }

    @Test func `a container that says nothing about its locale gets UTF-8`() throws {
        let line = try LoopbackLine(size: size)
        let terminal = try NcursesTerminal(input: line.slave, output: line.slave, environment: ["TERM": "xterm"])
        defer { terminal.close() }
        #expect(terminal.isUnicode)
    }

    @Test(arguments: ["xterm-256color", "tmux-256color", "screen", "vt100"])
    func `the terminal is given back as it was`(term: String) throws {
        let line = try LoopbackLine(size: size)
        let before = line.settings
        let terminal = try NcursesTerminal(
            input: line.slave, output: line.slave, environment: ["TERM": term, "LC_ALL": "C.UTF-8"])
        terminal.draw(frame(["x"]))
        #expect(line.settings != before)
        let taken = line.read()
        if term.hasSuffix("256color") {
            #expect(taken.isAlternate && !taken.isCursorVisible)
            #expect(taken.modes.isSuperset(of: [1000, 1002, 1006, 2004]))
        }
        terminal.close()
        terminal.close()
        let screen = line.read()
        #expect(line.settings == before)
        #expect(!screen.isAlternate && screen.isCursorVisible)
        #expect(screen.modes.isDisjoint(with: [1, 1000, 1002, 1006, 2004]))
    }

    @Test func `left and entered again, everything is drawn anew`() throws {
        try withTerminal { terminal, line in
            terminal.draw(frame(["hello"]))
            terminal.leave()
            #expect(!line.read().isAlternate)
            line.write("from the editor")
            terminal.enter()
            terminal.draw(frame(["hello"]))
            #expect(line.read().text == "hello")
            #expect(line.screen.modes.contains(2004))
        }
    }

    @Test func `keys, pastes and clicks come in order, wakes end the wait`() throws {
        try withTerminal { terminal, line in
            line.type("a\u{1B}[1;5C\u{1B}[200~x\ry\u{1B}[201~\u{1B}[<0;3;2M")
            #expect(
                terminal.waitForEvents(timeout: nil) == [
                    .key(.character("a")), .key(KeyPress(.right, .control)), .paste("x\ny"),
                    .mouse(MouseEvent(.press, at: Point(column: 2, row: 1))),
                ])
            line.type("\u{1B}")
            #expect(terminal.waitForEvents(timeout: nil) == [.key(KeyPress(.escape))])
            terminal.waker.wake()
            terminal.waker.wake()
            #expect(terminal.waitForEvents(timeout: nil) == [])
            #expect(terminal.waitForEvents(timeout: .milliseconds(1)) == [])
        }
    }

    @Test func `control characters are keys, none of them a signal`() throws {
        try withTerminal { terminal, line in
            line.type("\u{3}\u{1A}\u{13}\u{11}\u{4}\u{1C}")
            #expect(terminal.waitForEvents(timeout: nil) == ["c", "z", "s", "q", "d", "\\"].map { .key(.character($0, .control)) })
        }
    }

    @Test func `another size is told, and the next frame fills it`() throws {
        try withTerminal { terminal, line in
            terminal.draw(frame(["old"]))
            _ = line.read()
            let new = Size(columns: 30, rows: 3)
            line.resize(new)
            kill(getpid(), SIGWINCH)
            #expect(terminal.waitForEvents(timeout: nil) == [.resize(new)])
            terminal.draw(frame(["012345678901234567890123456789", "", "last"], size: new))
            #expect(line.read().lines == ["012345678901234567890123456789", "", "last"])
        }
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `a signal to end is told, not obeyed`(signal: Int32) throws {
        try withTerminal { terminal, _ in
            kill(getpid(), signal)
            #expect(terminal.waitForEvents(timeout: nil) == [.terminate(signal: signal)])
        }
    }

    @Test func `text goes to a program that keeps a clipboard, or else to the terminal, which may drop it`() throws {
        try withTerminal { terminal, line in
            #expect(!terminal.copyToClipboard("漢 copy"))
            #expect(line.read().clipboard == "5ryiIGNvcHk=")
        }
        #expect(Clipboard.commands(["DISPLAY": "", "TMUX": ""]) == [])
        #expect(
            Clipboard.commands(["DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0", "TMUX": "/tmp/tmux,1,0"])
                == ["tmux load-buffer -w -", "wl-copy", "xclip -selection clipboard", "xsel --clipboard --input"])
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("clipboard-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(Clipboard.copy("漢 copy", by: ["no-such-program", "false", "tee \(path)", "rm \(path)"]))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "漢 copy")
        #expect(!Clipboard.copy("x", by: ["false"]))
    }

    @Test func `what the terminal says of its ground doesn't stay for the shell`() throws {
        let line = try LoopbackLine(size: size)
        let terminal = try NcursesTerminal(
            input: line.slave, output: line.slave, environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"], asksGround: true)
        line.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\")
        terminal.close()
        var waiting: Int32 = 0
        _ = ioctl(line.slave, UInt(FIONREAD), &waiting)
        #expect(waiting == 0)
    }

    /// By terminfo rxvt's F13 is Shift with F3.
    @Test(arguments: [("rxvt-unicode-256color", 5), ("linux", 3)])
    func `the keys of a terminal are its own`(term: String, function: Int) throws {
        try withTerminal(term) { terminal, line in
            line.type("\u{1B}[28~")
            #expect(terminal.waitForEvents(timeout: nil) == [.key(KeyPress(.function(function), .shift))])
        }
    }

    @Test func `what is said on standard error waits until the screen is given back`() throws {
        let line = try LoopbackLine(size: size)
        // What the test itself has to say must not go there.
        var during: [String] = []
        var after: [Bool] = []
        let usual = dup(STDERR_FILENO)
        dup2(line.slave, STDERR_FILENO)
        let terminal = try NcursesTerminal(input: line.slave, output: line.slave, environment: ["TERM": "xterm"])
        for word in ["first", "second"] {
            terminal.draw(frame(["a screen"]))
            _ = Glibc.write(STDERR_FILENO, word, word.utf8.count)
            during.append(line.read().text)
            terminal.leave()
            after.append(line.read().contains(word))
            terminal.enter()
        }
        terminal.close()
        dup2(usual, STDERR_FILENO)
        close(usual)
        #expect(during == ["a screen", "a screen"])
        #expect(after == [true, true])
        #expect(!line.read().isAlternate)
    }

    @Test func `no terminal, or none that is known, is said clearly`() throws {
        let line = try LoopbackLine(size: size)
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        func message(_ input: Int32, _ environment: [String: String]) -> String {
            do {
                try NcursesTerminal(input: input, output: input, environment: environment).close()
                return "none"
            } catch {
                return error.description
            }
        }
        let before = line.settings
        #expect(
            message(file, ["TERM": "xterm"])
                == "the explorer needs a terminal, and standard input or output is not one; `turnstone send` works without"
        )
        #expect(
            message(line.slave, ["TERM": "nonsense"])
                == "no terminal `nonsense` (TERM) is known here; set TERM to one that is, such as TERM=xterm-256color, or install ncurses-term"
        )
        #expect(TerminalError.unknown("foot").description.hasSuffix("or install foot-terminfo"))
        #expect(
            message(line.slave, [:])
                == "the environment variable TERM is not set; set TERM to one that is, such as TERM=xterm-256color, or install ncurses-term"
        )
        #expect(
            message(line.slave, ["TERM": "dumb"])
                == "a terminal `dumb` (TERM) can't move its cursor; set TERM to one that can, such as xterm-256color")
        #expect(line.settings == before)
        #expect(line.written == [])
    }
}

/// A pseudo-terminal whose both ends are in this process.
final class LoopbackLine {
    let slave: Int32
    private let control: Int32
    private(set) var screen: VirtualScreen
    private(set) var written: [UInt8] = []

    init(size: Size) throws {
        let line = try PseudoTerminal.open(size)
        (control, slave) = (line.control, line.slave)
        screen = VirtualScreen(size: size)
        _ = fcntl(control, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(control)
        close(slave)
    }

    /// Everything that has been written so far is in the screen then: both ends are ours, so there is nothing to wait for.
    func read() -> VirtualScreen {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(control, &bytes, bytes.count)
            guard count > 0 else { return screen }
            written += bytes[..<count]
            screen.feed(bytes[..<count])
        }
    }

    /// As the user's keyboard.
    func type(_ text: String) {
        _ = Glibc.write(control, text, text.utf8.count)
    }

    /// As another program on the terminal.
    func write(_ text: String) {
        _ = Glibc.write(slave, text, text.utf8.count)
    }

    func resize(_ size: Size) {
        screen.resize(size)
        var window = winsize(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(control, UInt(TIOCSWINSZ), &window)
    }

    var settings: [UInt8] { PseudoTerminal.settings(of: slave) }
}
