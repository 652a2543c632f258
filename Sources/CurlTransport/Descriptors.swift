import Base
import NetworkLayer

/// How many files and sockets the process may have open at once, and what is left of it.
///
/// The system hands out the lowest number that is free, so a new descriptor's number tells how many are taken, at no cost.
struct Descriptors {
    /// One more than the highest number.
    let limit: Int

    init(limit: Int = Self.systemLimit) {
        self.limit = limit
    }

    /// Kept for what isn't a connection: files of bodies, pipes, a database.
    var reserve: Int { max(4, min(limit / 8, 32)) }

    /// What a look-up of a name takes at most: libcurl's pair of sockets, and those of the system's resolver.
    static let lookup = 4

    /// - Parameter lowest: the lowest number that is free.
    func hasRoom(for count: Int, from lowest: Int32) -> Bool {
        lowest >= 0 && Int(lowest) + count <= limit - reserve
    }

    /// The lowest number that is free; -1 when none is.
    static var lowestFree: Int32 {
        let descriptor = SystemCall.socket(AF_UNIX, SystemCall.datagrams, 0)
        if descriptor >= 0 { close(descriptor) }
        return descriptor
    }

    /// Whether a number of the system's says that there are no more descriptors.
    static func areExhausted(_ number: Int32) -> Bool { number == EMFILE || number == ENFILE }

    static var systemLimit: Int {
        SystemCall.descriptorLimit.map { Int(clamping: $0) } ?? 1024
    }
}
