import Base
import Dispatch
import NetworkLayer
import Synchronization

/// Tells when the files of a collection change on the disk, no matter which program changes them (inotify).
///
/// One thread waits for the system, from the first ``watch(_:)`` to ``stop()``. A collection is told of once its files have been quiet
/// for a moment, because programs write in several steps, and at the latest some time after the first change. Where the system gives no
/// watches, nothing is told.
final class CollectionWatcher: Sendable {
    private let changed: @Sendable (_ path: String) -> Void
    /// -1: the system has no inotify.
    private let events: Int32
    /// What is written to it ends the thread.
    private let end: (reader: Int32, writer: Int32)
    private let state = Mutex(State())
    private let thread = DispatchGroup()

    private struct State {
        var collections: [String: WatchedFiles] = [:]
        var directories: [Int32: String] = [:]
        var hasThread = false
        var isStopped = false
    }

    private static let quiet = Duration.milliseconds(60)
    private static let patience = Duration.milliseconds(400)

    /// - Parameter changed: a collection is to be read again; called on the watcher's thread.
    init(changed: @escaping @Sendable (_ path: String) -> Void) {
        self.changed = changed
        events = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        end = (ends[0], ends[1])
    }

    deinit { for file in [events, end.reader, end.writer] where file >= 0 { close(file) } }

    /// Watches a collection's files, including those that have been added since the last call. Once it returns, no change is missed.
    func watch(_ path: String) {
        guard events >= 0, end.reader >= 0 else { return }
        let files = WatchedFiles(path)
        let directories = files.directories
        let startsThread = state.withLock { state in
            guard !state.isStopped else { return false }
            state.collections[path] = files
            let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ONLYDIR)
            for directory in directories {
                let watch = inotify_add_watch(events, directory, mask)
                if watch >= 0 { state.directories[watch] = directory }
            }
            if !state.hasThread { thread.enter() }
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if startsThread { SystemThread.run { self.run() } }
    }

    /// Once it returns, the handler isn't called any more, which must not call it.
    func stop() {
        state.withLock { $0.isStopped = true }
        var byte: UInt8 = 0
        _ = write(end.writer, &byte, 1)
        thread.wait()
    }

    // MARK: The thread

    private func run() {
        defer { thread.leave() }
        var dirty: Set<String> = []
        var due: ContinuousClock.Instant?
        while true {
            let left = due.map { max(.zero, min(Self.quiet, ContinuousClock.now.duration(to: $0))) }
            var polled = [events, end.reader].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = poll(&polled, 2, left.map { Int32(clamping: $0.wholeNanoseconds / 1_000_000 + 1) } ?? -1)
            if polled[1].revents != 0 { return }
            if count > 0 { dirty.formUnion(drain()) }
            if dirty.isEmpty { continue }
            let latest = due ?? .now + Self.patience
            due = latest
            if count > 0, ContinuousClock.now < latest { continue }
            // A new folder has to be watched, too, and before it is read.
            for path in dirty.sorted() {
                watch(path)
                changed(path)
            }
            (dirty, due) = ([], nil)
        }
    }

    /// The collections of which something has changed since the last call.
    private func drain() -> Set<String> {
        var found: Set<String> = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(events, &buffer, buffer.count)
            guard count > 0 else { return found }
            var offset = 0
            // Before the name: `wd`, `mask`, `cookie` and `len`.
            while offset + 16 <= count {
                let (watch, mask, length) = buffer.withUnsafeBytes { bytes in
                    (
                        bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self),
                        bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
                        Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                    )
                }
                let name = String(decoding: buffer[(offset + 16)..<(offset + 16 + length)].prefix { $0 != 0 }, as: UTF8.self)
                offset += 16 + length
                state.withLock { state in
                    if mask & UInt32(IN_Q_OVERFLOW) != 0 {
                        found.formUnion(state.collections.keys)
                    } else if mask & UInt32(IN_IGNORED) != 0 {
                        state.directories[watch] = nil
                    } else if let directory = state.directories[watch] {
                        found.formUnion(state.collections.filter { $0.value.has(name, in: directory) }.keys)
                    }
                }
            }
        }
    }
}

/// What a ``CollectionWatcher`` tells of some collections or files, as long as it lives.
package final class CollectionChanges: Sendable {
    private let watcher: CollectionWatcher

    package init(of paths: [String], tell: @escaping @Sendable (_ path: String) -> Void) {
        watcher = CollectionWatcher(changed: tell)
        for path in paths { watcher.watch(path) }
    }

    deinit { watcher.stop() }
}

/// Where the files of a collection are. Directories are watched, not files: a file that an editor replaces is another file.
struct WatchedFiles: Hashable, Sendable {
    private let path: String
    /// The file's name in each directory to watch, its target's when it is a link; `nil`: all files in them are the collection's.
    private let names: [String: Set<String>]?

    init(_ path: String) {
        self.path = path
        guard !Self.isDirectory(path) else {
            names = nil
            return
        }
        var names: [String: Set<String>] = [:]
        for file in [path, Self.target(of: path)].compactMap(\.self) {
            let name = file.split(separator: "/").last.map(String.init) ?? file
            let directory = file.hasSuffix("/" + name) ? String(file.dropLast(name.count + 1)) : "."
            names[directory.isEmpty ? "/" : directory, default: []].insert(name)
        }
        self.names = names
    }

    var directories: [String] { names.map { $0.keys.sorted() } ?? Self.directories(in: path, depth: 0) }

    /// Whether the collection is another one when an entry of a directory is.
    func has(_ name: String, in directory: String) -> Bool {
        if let names { return names[directory]?.contains(name) ?? false }
        return (directory == path || directory.hasPrefix(path + "/")) && !name.hasPrefix(".")
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

    private static func target(of path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}
