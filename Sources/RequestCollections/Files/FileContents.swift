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
        AtomicFile.realPath(path)
    }

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

    /// `O_PATH`, which Swift's Glibc doesn't show: a directory that is gone through needn't be one that can be listed.
    private static let through = Int32(0o10_000_000) | O_DIRECTORY | O_CLOEXEC

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// What the system says about the last call that failed, as the end of a sentence.
    static func lastError() -> String { describe(errno) }

    static func describe(_ number: Int32) -> String { SystemCallError(number).message }
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

/// Tells whether a file still holds the bytes that were read. For this process only: the hash is seeded anew in each.
package struct FileFingerprint: Hashable, Sendable {
    private let count: Int
    private let hash: Int

    package init(_ bytes: [UInt8]) {
        count = bytes.count
        hash = bytes.withUnsafeBytes { buffer in
            var hasher = Hasher()
            hasher.combine(bytes: buffer)
            return hasher.finalize()
        }
    }
}

/// The files of a collection as they are, or as they will be once the steps of a change are done.
struct CollectionFiles: Sendable {
    private var steps: [CollectionChange.Step] = []

    static let onDisk = CollectionFiles()

    init() {}

    init(after steps: [CollectionChange.Step]) { self.steps = steps }

    /// What the last step that is about a path made of it.
    private enum Fate {
        case directory
        case file([UInt8])
        case gone
        /// As it is on the disk, maybe under another path.
        case onDisk(String)
    }

    private func fate(of path: String) -> Fate {
        var path = path
        for step in steps.reversed() {
            switch step {
            case .createDirectory(path): return .directory
            case .create(path, let bytes): return .file(bytes)
            case .replace(path, _, let after): return .file(after)
            case .remove(path, _), .removeDirectory(path): return .gone
            case .move(let from, let to):
                if let rest = path.rest(below: to) {
                    path = from + rest
                } else if path.rest(below: from) != nil {
                    return .gone
                }
            default: break
            }
        }
        return .onDisk(path)
    }

    func read(_ path: String) throws(CollectionFileError) -> [UInt8] {
        switch fate(of: path) {
        case .file(let bytes): return bytes
        case .onDisk(let path): return try FileContents.read(path, limit: YAMLDocument.Limits.size)
        case .gone, .directory: throw CollectionFileError(path: path, message: "is not a file")
        }
    }

    func exists(_ path: String) -> Bool {
        switch fate(of: path) {
        case .file, .directory: true
        case .onDisk(let path): FileContents.exists(path)
        case .gone: false
        }
    }

    func isDirectory(_ path: String) -> Bool {
        switch fate(of: path) {
        case .directory: true
        case .onDisk(let path): FileContents.isDirectory(path)
        case .gone, .file: false
        }
    }

    /// What is in a directory, hidden entries left out, by name.
    func list(_ path: String) throws(CollectionFileError) -> [FileContents.Entry] {
        if steps.isEmpty { return try FileContents.list(path) }
        var names: Set<String> = []
        if case .onDisk(let original) = fate(of: path) { names.formUnion(try FileContents.list(original).map(\.name)) }
        for step in steps {
            guard let made = step.madePath, let slash = made.lastIndex(of: "/"), made[..<slash] == path else { continue }
            names.insert(String(made[made.index(after: slash)...]))
        }
        return names.sorted().compactMap { name in
            let inside = joined(path, name)
            return exists(inside) ? FileContents.Entry(name: name, isDirectory: isDirectory(inside), mayBeLink: true) : nil
        }
    }
}

extension String {
    /// What follows a path that this one is, or lies below: `""`, or `/...`.
    func rest(below path: String) -> Substring? {
        guard begins(with: path) else { return nil }
        let rest = self[utf8.index(utf8.startIndex, offsetBy: path.utf8.count)...]
        return rest.isEmpty || rest.begins(with: "/") ? rest : nil
    }
}
