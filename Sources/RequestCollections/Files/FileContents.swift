import Base
import NetworkLayer

/// Reads whole files and lists directories with the fewest system calls: a collection may have 10,000 of them.
enum FileContents {
    /// The bytes of a file.
    ///
    /// - Parameter limit: a file with more bytes is refused before it is read.
    static func read(_ path: String, limit: Int) throws(CollectionFileError) -> [UInt8] {
        // Opening a pipe would wait until another process writes to it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw CollectionFileError(path: path, message: "can't be read: \(lastError())") }
        defer { close(descriptor) }
        return try read(descriptor, path, limit: limit)
    }

    /// - Parameter path: of the descriptor's file, for errors.
    static func read(_ descriptor: Int32, _ path: String, limit: Int) throws(CollectionFileError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw CollectionFileError(path: path, message: "can't be read: \(lastError())")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw CollectionFileError(path: path, message: "is not a file") }
        guard status.st_size <= limit else {
            throw CollectionFileError(
                path: path, message: "has \(status.st_size) bytes; a file of a collection has at most \(limit)")
        }
        var contents: [UInt8] = []
        while contents.count < Int(status.st_size) {
            let (bytes, failure) = Self.bytes(descriptor, Int(status.st_size) - contents.count)
            if let failure { throw CollectionFileError(path: path, message: "can't be read: \(describe(failure))") }
            if bytes.isEmpty { break }
            // Nearly always the first piece is everything.
            if contents.isEmpty { contents = bytes } else { contents += bytes }
        }
        return contents
    }

    /// What one call reads, and the error's number when it fails. No bytes: the end.
    private static func bytes(_ descriptor: Int32, _ limit: Int) -> ([UInt8], failure: Int32?) {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let result = SystemCall.read(descriptor, buffer.baseAddress, limit)
            if result < 0 { failure = errno }
            count = max(0, result)
        }
        return (bytes, failure)
    }

    struct Entry {
        var name: String
        var isDirectory: Bool
        /// A symbolic link, to whatever it is, unless it is known to be none.
        var mayBeLink = false
    }

    /// What is in a directory, hidden entries left out, by name.
    static func list(_ path: String) throws(CollectionFileError) -> [Entry] {
        guard let directory = opendir(path) else {
            throw CollectionFileError(path: path, message: "can't be read: \(lastError())")
        }
        defer { closedir(directory) }
        var entries: [Entry] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            let type = Int32(entry.pointee.d_type)
            let isDirectory =
                switch type {
                case 4: true
                case 8: false
                default: self.isDirectory("\(path)/\(name)")
                }
            entries.append(Entry(name: name, isDirectory: isDirectory, mayBeLink: type != 4 && type != 8))
        }
        return entries.sorted { $0.name < $1.name }
    }

    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Without links; `nil` for what isn't there.
    static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// What the system says about the last call that failed, as the end of a sentence.
    static func lastError() -> String { describe(errno) }

    static func describe(_ number: Int32) -> String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

/// `path`, from `directory` unless it is absolute.
func joined(_ directory: String, _ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") || directory.isEmpty { return path }
    return directory.utf8.last == UInt8(ascii: "/") ? directory + path : "\(directory)/\(path)"
}

/// The directory of a file's path; `""` for the current one.
func directory(of path: String) -> String {
    guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
