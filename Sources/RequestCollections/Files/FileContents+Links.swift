import Base
import CFiles
import NetworkLayer

extension FileContents {
    /// Opens a file to be read when neither it nor a directory on the way to it is a link: whoever judged a path without links gets
    /// what was judged, also when somebody has put a link there since. A pipe is opened without waiting for its writer.
    ///
    /// - Parameter path: from the root on.
    /// - Returns: a descriptor, or -1 with `errno` set.
    static func openWithoutLinks(_ path: String) -> Int32 {
        var here = open("/", through)
        let names = path.pieces(at: "/").filter { !$0.isEmpty }
        for (index, name) in names.enumerated() where here >= 0 {
            let isLast = index == names.count - 1
            let next = openat(here, String(name), (isLast ? O_RDONLY | O_NONBLOCK : through) | O_NOFOLLOW | O_CLOEXEC)
            let problem = errno
            close(here)
            errno = problem
            here = next
        }
        return here
    }

    /// A directory that is gone through needn't be one that can be listed.
    #if os(Linux)
        private static let through = Int32(TURNSTONE_O_PATH) | O_DIRECTORY | O_CLOEXEC
    #else
        private static let through = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    #endif
}
