import Base
import CNcurses
package import TerminalUI

/// The real terminal: frames are written by ncurses, keys are read and decoded here.
///
/// ncurses knows what the terminal can do and writes as little as possible; the frame it had before is kept here, so that
/// it is only told of cells that have changed. It is not asked for keys: it would read byte by byte, cut a paste
/// into keys, and know no modifiers that terminfo has no name for. So `InputDecoder` reads what the terminal sends.
///
/// One at a time, since it takes the process's signals. Whoever makes one must `close()` it.
@MainActor
package final class NcursesTerminal: Terminal {
    package private(set) var size: Size
    package let colorDepth: ColorDepth
    package var waker: any TerminalWaker { wakerDescriptor }
    package var showsImages: Bool { images != nil }

    let input: Int32
    let output: Int32
    let isUnicode: Bool
    let wakerDescriptor = Waker()
    let screen: OpaquePointer
    private let streams: (output: UnsafeMutablePointer<FILE>, input: UnsafeMutablePointer<FILE>)
    private var modes: termios
    private let signals: Int32
    private let copyCommands: [String]
    private let modesOn: [UInt8]
    private let modesOff: [UInt8]

    // What is drawn
    var shown: Frame?
    var isCursorShown: Bool?
    var painter: CellPainter
    /// `nil`: it shows none.
    var images: KittyImages?

    // What is read
    var decoder: InputDecoder
    var clicks = ClickCounter()
    var escapeDeadline: ContinuousClock.Instant?
    /// While the terminal may still say which colour its ground has.
    var groundDeadline: ContinuousClock.Instant?
    private(set) var isEntered = false
    private var isClosed = false

    /// Takes the terminal: the next `draw` shows a frame on its alternate screen.
    ///
    /// - Parameters:
    ///   - environment: `TERM`, `COLORTERM`, `NO_COLOR`, and what the locale comes from.
    ///   - pictures: how those of frames are shown.
    ///   - asksGround: the terminal is asked which colour its ground has (OSC 11); one that knows answers with an event, and nobody waits for it.
    /// - Throws: `TerminalError`, when it isn't one or can't do what it takes; then nothing has been changed.
    package init(
        input: Int32 = 0, output: Int32 = 1, environment: [String: String] = ProcessInfo.processInfo.environment,
        pictures: PictureMode = .none, asksGround: Bool = false
    ) throws(TerminalError) {
        guard isatty(input) == 1, isatty(output) == 1 else { throw .notATerminal }
        self.input = input
        self.output = output
        isUnicode = NcursesTerminal.setLocale(environment)
        copyCommands = Clipboard.commands(environment)
        modes = termios()
        tcgetattr(output, &modes)

        let name = environment["TERM"] ?? ""
        let description = NcursesTerminal.describeColors(of: name, environment)
        defer { if description != nil { NcursesTerminal.setTerminfo(environment["TERMINFO"]) } }
        var status: Int32 = 0
        if description != nil, setupterm(name, output, &status) != OK { NcursesTerminal.setTerminfo(environment["TERMINFO"]) }
        guard !name.isEmpty, setupterm(name, output, &status) == OK else { throw .unknown(name) }
        guard TerminalCapability.string("cup") != nil else { throw .unsuitable(name) }
        let known = NcursesTerminal.modeStrings(name)
        modesOn = known.on
        modesOff = known.off
        // Before ncurses installs its own handlers: it leaves signals alone that have one.
        signals = TerminalSignals.install(terminal: output, modes: modes, farewell: NcursesTerminal.farewell(known.off))

        streams = (fdopen(dup(output), "w"), fdopen(dup(input), "r"))
        TerminalSignals.shared.pointee.drawing = fileno(streams.output)
        use_env(false)
        use_tioctl(true)
        guard let screen = newterm(name, streams.output, streams.input) else {
            TerminalSignals.release(reading: signals)
            throw .unsuitable(name)
        }
        self.screen = screen
        set_term(screen)
        size = NcursesTerminal.measure(output, environment)
        colorDepth = NcursesTerminal.startColors(environment)
        painter = CellPainter(depth: colorDepth, isUnicode: isUnicode)
        images = pictures.usesKitty(environment) ? KittyImages(process: getpid()) : nil
        decoder = InputDecoder(keys: KeySequences.ofTerminal(name))
        raw()
        noecho()
        nonl()
        typeahead(-1)
        keypad(turnstone_ncurses_screen(), true)
        leaveok(turnstone_ncurses_screen(), false)
        resizeterm(Int32(size.rows), Int32(size.columns))
        def_prog_mode()
        TerminalSignals.shared.pointee.isTaken = true
        StandardErrorKeeper.begin()
        isEntered = true
        send(modesOn)
        if asksGround, !modesOn.isEmpty, colorDepth != .none {
            send(Array("\u{1B}]11;?\u{1B}\\".utf8))
            groundDeadline = .now + NcursesTerminal.longestAnswer
        }
    }

    /// Gives the terminal back for good.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        awaitGround()
        leave()
        TerminalSignals.release(reading: signals)
        set_term(screen)
        delscreen(screen)
        fclose(streams.output)
        fclose(streams.input)
    }

    // MARK: Leaving and entering

    package func leave() {
        guard isEntered else { return }
        isEntered = false
        removeImage()
        send(modesOff)
        curs_set(1)
        endwin()
        tcsetattr(output, TCSADRAIN, &modes)
        TerminalSignals.shared.pointee.isTaken = false
        StandardErrorKeeper.end()
        TerminalSignals.setStopping(true)
        shown = nil
        isCursorShown = nil
    }

    package func enter() {
        guard !isEntered, !isClosed else { return }
        isEntered = true
        // A shell may have changed them since: they are what is to be given back next time.
        tcgetattr(output, &modes)
        TerminalSignals.shared.pointee.modes = modes
        TerminalSignals.shared.pointee.isTaken = true
        StandardErrorKeeper.begin()
        TerminalSignals.setStopping(false)
        // What the keyboard sent meanwhile was for the other program.
        for signal in readSignals() where signal == SIGTERM || signal == SIGHUP { kill(getpid(), signal) }
        reset_prog_mode()
        measureAgain()
        // Empty: the next frame is drawn in full, and what was there before would only flash up.
        werase(turnstone_ncurses_screen())
        clearok(turnstone_ncurses_screen(), true)
        wnoutrefresh(turnstone_ncurses_screen())
        doupdate()
        send(modesOn)
    }

    package func suspend() {
        leave()
        TerminalSignals.stop()
        enter()
    }

    package func copyToClipboard(_ text: String) -> Bool {
        if Clipboard.copy(text, by: copyCommands) { return true }
        send(Array("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}".utf8))
        return false
    }

    /// The signals that have arrived since, in order.
    func readSignals() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(signals, &bytes, bytes.count)
        return count > 0 ? bytes[..<count].map(Int32.init) : []
    }

    var signalDescriptor: Int32 { signals }

    /// - Returns: whether the size has changed.
    @discardableResult
    func measureAgain() -> Bool {
        let new = NcursesTerminal.measure(output, [:])
        guard new != size else { return false }
        size = new
        resizeterm(Int32(new.rows), Int32(new.columns))
        shown = nil
        return true
    }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                var wait = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }
}

extension NcursesTerminal {
    package func draw(_ frame: Frame) {
        guard isEntered else { return }
        let window = turnstone_ncurses_screen()
        if shown?.size != frame.size {
            shown = nil
            removeImage()
            werase(window)
            clearok(window, true)
        }
        var row = -1
        for run in FrameDiff(from: shown, to: frame).runs where run.row < size.rows && run.column < size.columns {
            // Row by row: of several changed rows at a time ncurses would move some by scrolling a part of the screen, which
            // many terminals do wrong or not at all. It can't be told not to.
            if row != run.row, row >= 0 { update() }
            row = run.row
            var cells = painter.cells(run.cells, room: size.columns - run.column)
            wmove(window, Int32(run.row), Int32(run.column))
            // Unlike adding one character after the other, this never scrolls at the last cell.
            wadd_wchnstr(window, &cells, Int32(cells.count))
        }
        shown = frame
        placeCursor(frame.cursor)
        update()
        if let bytes = images?.show(frame.image), !bytes.isEmpty { send(bytes) }
    }

    /// Before the cells below it are cleared, or belong to another program.
    func removeImage() {
        if let bytes = images?.clear(), !bytes.isEmpty { send(bytes) }
    }

    private func update() {
        wnoutrefresh(turnstone_ncurses_screen())
        doupdate()
    }

    package func invalidate() {
        shown = nil
        removeImage()
    }

    private func placeCursor(_ cursor: Point?) {
        if let cursor, cursor.row < size.rows, cursor.column < size.columns {
            wmove(turnstone_ncurses_screen(), Int32(cursor.row), Int32(cursor.column))
        }
        let isVisible = cursor != nil
        if isCursorShown != isVisible { curs_set(isVisible ? 1 : 0) }
        isCursorShown = isVisible
    }
}
