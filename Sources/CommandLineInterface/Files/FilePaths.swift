import Base

/// What the command line asks of the file system before it starts anything.
enum FilePaths {
    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    static func isReadable(_ path: String) -> Bool {
        access(path, R_OK) == 0
    }

    static func isExecutable(_ path: String) -> Bool {
        access(path, X_OK) == 0 && !isDirectory(path)
    }

    static func isDirectory(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    /// Whether it is a regular file, not a pipe or a device, which can be read only once.
    static func isRegularFile(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
    }

    /// Whether it is a device that takes one sign after another, as a terminal does, also behind a link such as /dev/stdout.
    static func isDevice(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFCHR } ?? false
    }

    /// Bytes.
    static func size(_ path: String) -> Int64? {
        status(path).map { Int64($0.st_size) }
    }

    static func modificationDate(_ path: String) -> Date? {
        status(path).map { Date(timeIntervalSince1970: Double($0.st_mtim.tv_sec)) }
    }

    static func setModificationDate(_ date: Date, of path: String) {
        let time = timespec(tv_sec: Int(date.timeIntervalSince1970.rounded(.down)), tv_nsec: 0)
        // A file that has the bytes is worth more than one with the right time.
        _ = utimensat(AT_FDCWD, path, [time, time], 0)
    }

    /// Takes a regular file away, and nothing else.
    static func removeFile(_ path: String) {
        guard let status = status(path), status.st_mode & S_IFMT == S_IFREG else { return }
        unlink(path)
    }

    /// Makes a directory and those above it.
    static func makeDirectory(_ path: String) throws(OutputFailure) {
        do throws(SystemCallError) {
            try AtomicFile.makeDirectory(path)
        } catch {
            throw OutputFailure(name: path, errno: error.number)
        }
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}
