import Base

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
