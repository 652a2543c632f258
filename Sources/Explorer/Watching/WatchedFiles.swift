import Base

/// Where the files of a collection are. Directories are watched, not files: a file that an editor replaces is another file.
struct WatchedFiles: Hashable, Sendable {
    /// The collection's path.
    let path: String
    /// The file's name in each directory to watch, its target's when it is a link; `nil`: all files in them are the collection's.
    let names: [String: Set<String>]?

    init(_ path: String) {
        self.path = path
        if Self.isDirectory(path) {
            names = nil
        } else {
            var names = [Self.directory(of: path): Set([Self.name(of: path)])]
            if let target = Self.target(of: path) { names[Self.directory(of: target), default: []].insert(Self.name(of: target)) }
            self.names = names
        }
    }

    var directories: [String] {
        guard let names else { return Self.directories(in: path, depth: 0) }
        return names.keys.sorted()
    }

    /// Whether the collection is another one when an entry of a directory is.
    func has(_ name: String, in directory: String) -> Bool {
        if let names { return names[directory]?.contains(name) ?? false }
        return (directory == path || directory.hasPrefix(path + "/")) && !name.hasPrefix(".")
    }

    /// What tells that nothing has changed, without reading.
    func stamp() -> [String: Stamp] {
        var stamps: [String: Stamp] = [:]
        for directory in directories {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] where has(name, in: directory) {
                stamps["\(directory)/\(name)"] = Stamp("\(directory)/\(name)")
            }
        }
        return stamps
    }

    struct Stamp: Hashable, Sendable {
        private let inode: UInt64
        private let size: Int64
        private let seconds: Int
        private let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            inode = UInt64(status.st_ino)
            // Events of a directory itself tell only what `directories` tells better.
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            size = isDirectory ? 0 : Int64(status.st_size)
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            seconds = isDirectory ? 0 : time.tv_sec
            nanoseconds = isDirectory ? 0 : time.tv_nsec
        }
    }

    private static func directories(in path: String, depth: Int) -> [String] {
        guard depth <= 64, let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [path] }
        return names.sorted().reduce(into: [path]) { found, name in
            // A file with an ending is no folder; asking the system about each of 10,000 would cost.
            guard !name.hasPrefix("."), !name.hasSuffix(".yaml"), !name.hasSuffix(".yml"), isDirectory("\(path)/\(name)") else {
                return
            }
            found += directories(in: "\(path)/\(name)", depth: depth + 1)
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    private static func target(of path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}

#if os(Linux)
    /// What inotify tells about directories: a descriptor that can be read when something in one of them has changed.
    struct DirectoryEvents {
        let descriptor: Int32
        private var directories: [Int32: String] = [:]

        struct Change: Hashable {
            /// `nil`: so much happened that it isn't known where.
            var directory: String?
            var name: String
        }

        /// `nil` where the system has no inotify, or no more of it.
        init?() {
            descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return nil }
        }

        /// - Returns: whether it is watched; `false` when the system watches too much already.
        mutating func watch(_ directory: String) -> Bool {
            let mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ONLYDIR
            let watch = inotify_add_watch(descriptor, directory, UInt32(mask))
            guard watch >= 0 else { return errno != ENOSPC }
            directories[watch] = directory
            return true
        }

        /// What has happened since the last call.
        mutating func drain() -> [Change] {
            var changes: [Change] = []
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return changes }
                var offset = 0
                while offset + Self.head <= count {
                    let (watch, mask, length) = buffer.withUnsafeBytes { bytes in
                        (
                            bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self),
                            bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
                            Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                        )
                    }
                    let name = buffer[(offset + Self.head)..<(offset + Self.head + length)].prefix { $0 != 0 }
                    offset += Self.head + length
                    if mask & UInt32(IN_Q_OVERFLOW) != 0 {
                        changes.append(Change(directory: nil, name: ""))
                    } else if mask & UInt32(IN_IGNORED) != 0 {
                        directories[watch] = nil
                    } else if let directory = directories[watch] {
                        changes.append(Change(directory: directory, name: String(decoding: name, as: UTF8.self)))
                    }
                }
            }
        }

        /// `wd`, `mask`, `cookie` and `len`, before the name.
        private static let head = 16
    }
#endif
