import Base
import TerminalUI

/// A pipe that becomes readable when someone wakes; any number of wakes are one.
final class Waker: TerminalWaker {
    let descriptor: Int32
    private let end: Int32

    init() {
        (descriptor, end) = makePipe()
    }

    deinit {
        close(descriptor)
        close(end)
    }

    func wake() {
        var byte: UInt8 = 0
        // Full: it is readable already.
        write(end, &byte, 1)
    }

    func clear() {
        var bytes = [UInt8](repeating: 0, count: 1 << 10)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}

/// A pipe that never blocks and that no child inherits.
func makePipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
}
