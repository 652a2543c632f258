import Base
import NetworkLayer

/// A file that a person asked for: never one that is there, and all of it or nothing.
enum NewFile {
    struct Failure: Error {
        /// What follows the path in a sentence.
        var predicate: String

        fileprivate static var now: Failure { Failure(predicate: "could not be written: \(String(cString: strerror(errno)))") }
    }

    /// A name that nothing has: `list.hgrm`, else `list-2.hgrm` and so on.
    static func freeName(like path: String) -> String {
        let dot = path.lastIndex(of: ".") ?? path.endIndex
        var (name, number) = (path, 1)
        while number < 1000, FileManager.default.fileExists(atPath: name) {
            number += 1
            name = "\(path[..<dot])-\(number)\(path[dot...])"
        }
        return name
    }

    /// - Parameters:
    ///   - path: may begin with `~/`.
    ///   - progress: told how many bytes are written, each MiB.
    static func write(_ contents: Data, to path: String, progress: (Int) -> Void = { _ in }) throws(Failure) {
        let target = path.hasPrefix("~/") ? FileManager.default.homeDirectoryForCurrentUser.path() + path.dropFirst(2) : path
        let file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw errno == EEXIST ? Failure(predicate: "exists; choose another name") : .now }
        var written = 0
        while written < contents.count {
            let start = contents.startIndex + written
            let part = contents[start..<min(contents.endIndex, start + 1 << 20)]
            let isWritten = part.withUnsafeBytes { bytes in
                bytes.baseAddress.map { TemporaryFile.writeAll($0, count: bytes.count, to: file) } ?? true
            }
            guard isWritten else {
                let failure = Failure.now
                close(file)
                // Half of a body would pass for all of it.
                unlink(target)
                throw failure
            }
            written += part.count
            progress(written)
        }
        guard close(file) == 0 else {
            let failure = Failure.now
            unlink(target)
            throw failure
        }
    }
}
