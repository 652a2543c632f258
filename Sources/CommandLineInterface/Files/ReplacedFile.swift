import Base

/// A file that gets all of its bytes in one step: until then, and when that fails, what was there before stays.
///
/// What isn't a file of its own (a pipe, a device), and a file in a directory that takes no others, is written as it is.
struct ReplacedFile {
    private let path: String
    private let isPrivate: Bool
    /// The path without symbolic links; `nil`: the file is written in place.
    private let target: String?

    /// Looks whether it can be written, and changes nothing.
    ///
    /// - Parameter isPrivate: one that is made is for its owner only.
    init(path: String, isPrivate: Bool = false) throws(OutputFailure) {
        self.path = path
        self.isPrivate = isPrivate
        var status = stat()
        let isThere = stat(path, &status) == 0
        if isThere, access(path, W_OK) != 0 { throw OutputFailure(name: path, errno: errno) }
        if isThere, status.st_mode & S_IFMT == S_IFDIR { throw OutputFailure(name: path, errno: EISDIR) }
        guard !isThere || status.st_mode & S_IFMT == S_IFREG else {
            target = nil
            return
        }
        let target = isThere ? Self.realPath(path) ?? path : path
        let directory = target.unicodeScalars.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
        if access(directory, W_OK | X_OK) == 0 {
            self.target = target
        } else if isThere {
            self.target = nil
        } else {
            throw OutputFailure(name: path, errno: errno)
        }
    }

    func write(_ bytes: Data) throws {
        try write { try $0.write(bytes) }
    }

    /// - Parameter fill: writes all of the bytes, in as many pieces as it likes.
    func write(_ fill: (any ByteOutput) throws -> Void) throws {
        guard let target else { return try fill(FileOutput(path: path, isPrivate: isPrivate)) }
        var temporary: String
        var output: FileOutput
        repeat {
            temporary = "\(target).\(String(UInt32.random(in: .min ... .max), radix: 36))"
            do throws(OutputFailure) {
                output = try FileOutput(path: temporary, isNew: true, isPrivate: isPrivate)
                break
            } catch {
                guard error.errno == EEXIST else { throw OutputFailure(name: path, errno: error.errno) }
            }
        } while true
        do {
            try fill(output)
            try output.sync()
        } catch {
            unlink(temporary)
            throw (error as? OutputFailure).map { OutputFailure(name: path, errno: $0.errno) } ?? error
        }
        var status = stat()
        if stat(target, &status) == 0 { _ = chmod(temporary, status.st_mode & 0o7777) }
        guard rename(temporary, target) == 0 else {
            let failure = OutputFailure(name: path, errno: errno)
            unlink(temporary)
            throw failure
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
