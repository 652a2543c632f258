import Foundation
import Glibc

/// A program in a pseudo-terminal: keys in, bytes out, each with the time at which it arrived.
///
/// Nothing is drawn here: reading what the program wrote has to cost less than what is measured.
final class PseudoTerminal {
    let process: pid_t
    private let control: Int32

    init(_ arguments: [String], columns: UInt16 = 120, rows: UInt16 = 40) throws {
        control = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var number: UInt32 = 0
        // TIOCSPTLCK and TIOCGPTN, which Glibc's module leaves out.
        guard control >= 0, ioctl(control, UInt(0x4004_5431), &locked) == 0, ioctl(control, UInt(0x8004_5430), &number) == 0 else {
            throw BenchmarkError("no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        var window = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(control, UInt(TIOCSWINSZ), &window)
        process = try Subprocess.start(
            arguments, terminal: "/dev/pts/\(number)",
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "COLORTERM": "truecolor"])
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        close(control)
    }

    func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(control, bytes, bytes.count)
    }

    /// What the program writes until it has been silent for `silence`.
    struct Burst {
        var bytes: [UInt8] = []
        /// When the last of them arrived.
        var end: ContinuousClock.Instant

        func contains(_ text: String) -> Bool {
            bytes.firstRange(of: Array(text.utf8)) != nil
        }
    }

    /// Waits until the program has written `text`, and then for the end of that frame.
    ///
    /// - Parameter silence: longer than the pauses within a frame, shorter than those between frames.
    func frame(with text: String, silence: Duration, patience: Duration = .seconds(15)) throws -> Burst {
        let deadline = ContinuousClock.now + patience
        var burst = Burst(end: .now)
        var isThere = false
        while true {
            let wait = isThere ? silence : deadline - .now
            guard let bytes = read(for: wait) else {
                if isThere { return burst }
                throw BenchmarkError(
                    "“\(text)” doesn't come; the last that came: \(String(decoding: burst.bytes.suffix(400), as: UTF8.self).debugDescription)"
                )
            }
            burst.bytes += bytes
            burst.end = .now
            isThere = isThere || burst.contains(text)
        }
    }

    /// Takes in what the program writes until it is silent.
    func settle(_ silence: Duration = .milliseconds(150), patience: Duration = .seconds(15)) {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline, read(for: silence) != nil {}
    }

    /// Takes in what the program writes for so long.
    func watch(for duration: Duration) {
        let deadline = ContinuousClock.now + duration
        while ContinuousClock.now < deadline { _ = read(for: deadline - .now) }
    }

    private func read(for duration: Duration) -> [UInt8]? {
        var poller = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
        guard poll(&poller, 1, Int32(max(0, duration.milliseconds.rounded(.up)))) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(control, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}
