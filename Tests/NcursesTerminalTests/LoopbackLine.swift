import Glibc
import TerminalTesting
import TerminalUI

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
