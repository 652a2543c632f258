import Base

/// A file that a person asked for: never one that is there, and all of it or nothing.
enum NewFile {
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
    static func write(_ contents: Data, to path: String, progress: (Int) -> Void = { _ in }) throws(SystemCallError) {
        let target = path.hasPrefix("~/") ? FileManager.default.homeDirectoryForCurrentUser.path() + path.dropFirst(2) : path
        if access(target, F_OK) == 0 { throw .exists }
        let file = try AtomicFile(at: target)
        var written = 0
        while written < contents.count {
            let start = contents.startIndex + written
            let part = contents[start..<min(contents.endIndex, start + 1 << 20)]
            try file.write(part)
            written += part.count
            progress(written)
        }
        try file.finish(if: .isNew)
    }
}
