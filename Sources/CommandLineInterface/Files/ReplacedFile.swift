import Base

/// A file that gets all of its bytes in one step: until then, and when that fails, what was there before stays.
///
/// What isn't a file of its own (a pipe, a device), and a file in a directory that takes no others, is written as it is.
struct ReplacedFile {
    private let path: String
    private let isPrivate: Bool
    /// Whether it is a file of its own, or will be.
    private let isReplaced: Bool

    /// Looks whether it can be written, and changes nothing.
    ///
    /// - Parameter isPrivate: one that is made is for its owner only.
    init(path: String, isPrivate: Bool = false) throws(OutputFailure) {
        self.path = path
        self.isPrivate = isPrivate
        isReplaced = !FilePaths.exists(path) || FilePaths.isRegularFile(path)
        if FilePaths.isDirectory(path) { throw OutputFailure(name: path, errno: EISDIR) }
        let directory = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
        let isWritable = FilePaths.exists(path) ? access(path, W_OK) == 0 : access(directory, W_OK | X_OK) == 0
        guard isWritable else { throw OutputFailure(name: path, errno: errno) }
    }

    func write(_ bytes: Data) throws {
        try write { try $0.write(bytes) }
    }

    /// - Parameter fill: writes all of the bytes, in as many pieces as it likes.
    func write(_ fill: (any ByteOutput) throws -> Void) throws {
        guard isReplaced else { return try fill(FileOutput(path: path, isPrivate: isPrivate)) }
        let file: AtomicFile
        do throws(SystemCallError) {
            file = try AtomicFile(at: path, mode: isPrivate ? 0o600 : 0o666)
        } catch {
            // A directory in which nothing new may be made; on a full disk, what is there stays.
            guard [EPERM, EACCES, EROFS].contains(error.number) else { throw OutputFailure(name: path, errno: error.number) }
            return try fill(FileOutput(path: path, isPrivate: isPrivate))
        }
        try fill(FileOutput(descriptor: file.descriptor, name: path, closes: false))
        do throws(SystemCallError) {
            try file.finish()
        } catch {
            throw OutputFailure(name: path, errno: error.number)
        }
    }
}
