import Base
import Dispatch
import NetworkLayer
import Synchronization

/// Tells when the files of a collection change on the disk, no matter which program changes them.
///
/// Where the system says so (inotify), it costs nothing while nothing happens. Elsewhere, and when the system has no more watches to give,
/// it looks twice a second at what the files' sizes and times are.
///
/// All of it is done on one thread, which is there from the first ``watch(_:)`` to ``stop()``.
final class CollectionWatcher: Sendable {
    private let changed: @Sendable (_ path: String) -> Void
    private let usesEvents: Bool
    private let orders = Mutex(Orders())
    /// A byte in it wakes the thread. -1: there was no pipe left.
    private let waker: (reader: Int32, writer: Int32)
    private let thread = DispatchGroup()

    /// What the thread is to do.
    private struct Orders {
        var paths: [String] = []
        /// Who waits until all paths are watched.
        var waits: [DispatchGroup] = []
        var hasThread = false
        var isStopped = false
    }

    /// - Parameters:
    ///   - usesEvents: `false` makes it look at the files regularly in any case.
    ///   - changed: a collection is to be read again; called on the watcher's thread.
    init(usesEvents: Bool = true, changed: @escaping @Sendable (_ path: String) -> Void) {
        self.usesEvents = usesEvents
        self.changed = changed
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        waker = (ends[0], ends[1])
    }

    deinit { for end in [waker.reader, waker.writer] where end >= 0 { close(end) } }

    /// Watches a collection's files, including those that have been added since the last call.
    func watch(_ path: String) {
        order { $0.paths.append(path) }
    }

    /// Waits until everything that was asked for is being watched; not to be called by the handler.
    func wait() {
        let reached = DispatchGroup()
        let isOrdered = order { orders in
            reached.enter()
            orders.waits.append(reached)
        }
        if isOrdered { reached.wait() }
    }

    /// Once it returns, the handler isn't called any more, which must not call it.
    func stop() {
        orders.withLock { $0.isStopped = true }
        wake()
        thread.wait()
    }

    /// - Returns: whether the thread will do it: not after ``stop()``.
    @discardableResult
    private func order(_ add: (inout Orders) -> Void) -> Bool {
        let (isDone, needsThread) = orders.withLock { orders in
            guard !orders.isStopped else { return (false, false) }
            add(&orders)
            defer { orders.hasThread = true }
            if !orders.hasThread { thread.enter() }
            return (true, !orders.hasThread)
        }
        if needsThread { SystemThread.run { self.run() } }
        wake()
        return isDone
    }

    private func wake() {
        var byte: UInt8 = 0
        _ = write(waker.writer, &byte, 1)
    }

    // MARK: The thread

    private func run() {
        var watch = Watch(usesEvents: usesEvents)
        while let orders = nextOrders() {
            for path in orders.paths { watch.start(path) }
            for wait in orders.waits { wait.leave() }
            for path in watch.nextChanges(beside: waker.reader) { changed(path) }
        }
        watch.end()
        thread.leave()
    }

    /// - Returns: `nil` when it is to end.
    private func nextOrders() -> Orders? {
        orders.withLock { orders in
            let taken = orders
            orders.paths = []
            orders.waits = []
            guard taken.isStopped else { return taken }
            for wait in taken.waits { wait.leave() }
            return nil
        }
    }
}

/// What the thread of a ``CollectionWatcher`` keeps.
private struct Watch {
    private let usesEvents: Bool
    private var collections: [String: Watched] = [:]
    /// When it looks at files next; `nil` while the system tells of all changes.
    private var nextLook: ContinuousClock.Instant?
    #if os(Linux)
        private var events: DirectoryEvents?
    #endif

    private struct Watched {
        var files: WatchedFiles
        var delay = ReloadDelay()
        /// What the last look found; `nil` while the system tells of changes.
        var stamp: [String: WatchedFiles.Stamp]?
    }

    private static let pause = Duration.milliseconds(500)

    init(usesEvents: Bool) {
        self.usesEvents = usesEvents
    }

    mutating func start(_ path: String) {
        let files = WatchedFiles(path)
        var watched = collections[path] ?? Watched(files: files)
        watched.files = files
        let isTold = watched.stamp == nil && tell(files.directories)
        if !isTold, watched.stamp == nil {
            watched.stamp = files.stamp()
            if nextLook == nil { nextLook = .now + Self.pause }
        }
        collections[path] = watched
    }

    func end() {
        #if os(Linux)
            if let events { close(events.descriptor) }
        #endif
    }

    /// Sleeps until something is to be done, or somebody wakes it.
    ///
    /// - Returns: the collections that are to be read again.
    mutating func nextChanges(beside waker: Int32) -> [String] {
        var polled = [waker, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Without a waker it looks from time to time whether it is called.
        let wait = [timeToSleep, waker < 0 ? Self.pause : nil].compactMap { $0 }.min()
        let milliseconds = wait.map { Int32(clamping: $0.wholeNanoseconds / 1_000_000 + 1) } ?? -1
        if poll(&polled, nfds_t(polled.count), milliseconds) > 0 {
            var bytes: UInt64 = 0
            if polled[0].revents != 0 { _ = read(waker, &bytes, MemoryLayout.size(ofValue: bytes)) }
            #if os(Linux)
                if polled[1].revents != 0 { handleEvents() }
            #endif
        }
        if let next = nextLook, next <= .now {
            look()
            nextLook = .now + Self.pause
        }
        let quiet = collections.filter { $0.value.delay.wait(at: .now) == .zero }.map(\.key)
        for path in quiet {
            collections[path]?.delay.read()
            // A new folder has to be watched, too, and before it is read, so that no change is missed in between.
            start(path)
        }
        return quiet
    }

    private var timeToSleep: Duration? {
        let now = ContinuousClock.now
        let waits = collections.values.compactMap { $0.delay.wait(at: now) }
        return (waits + [nextLook.map { max(.zero, now.duration(to: $0)) }].compactMap { $0 }).min()
    }

    private var descriptor: Int32 {
        #if os(Linux)
            events?.descriptor ?? -1
        #else
            -1
        #endif
    }

    /// - Returns: whether the system tells of changes in all of the directories.
    private mutating func tell(_ directories: [String]) -> Bool {
        #if os(Linux)
            guard usesEvents else { return false }
            if events == nil { events = DirectoryEvents() }
            return directories.allSatisfy { events?.watch($0) ?? false }
        #else
            return false
        #endif
    }

    #if os(Linux)
        private mutating func handleEvents() {
            for change in events?.drain() ?? [] {
                for (path, watched) in collections {
                    guard let directory = change.directory else {
                        mark(path)
                        continue
                    }
                    if watched.files.has(change.name, in: directory) { mark(path) }
                }
            }
        }
    #endif

    private mutating func look() {
        for (path, watched) in collections {
            guard let stamp = watched.stamp else { continue }
            let now = watched.files.stamp()
            guard now != stamp else { continue }
            collections[path]?.stamp = now
            mark(path)
        }
    }

    private mutating func mark(_ path: String) {
        _ = collections[path]?.delay.changed(at: .now)
    }
}

/// What a ``CollectionWatcher`` tells of some collections or files, as long as it lives.
package final class CollectionChanges: Sendable {
    private let watcher: CollectionWatcher

    package init(of paths: [String], tell: @escaping @Sendable (_ path: String) -> Void) {
        watcher = CollectionWatcher(changed: tell)
        for path in paths { watcher.watch(path) }
        watcher.wait()
    }

    deinit { watcher.stop() }
}

/// When to read a collection again: once it has been quiet for a moment, because programs write in several steps, and at the latest some
/// time after the first change. A value: times in, decisions out.
struct ReloadDelay: Hashable, Sendable {
    static let quiet: Duration = .milliseconds(60)
    static let patience: Duration = .milliseconds(400)

    private var first: ContinuousClock.Instant?
    private var last: ContinuousClock.Instant?

    /// - Returns: whether this is the first change since the files were last read.
    mutating func changed(at now: ContinuousClock.Instant) -> Bool {
        last = now
        guard first == nil else { return false }
        first = now
        return true
    }

    /// How long until it is time; zero: now. `nil`: nothing has changed.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard let first, let last else { return nil }
        return max(.zero, min(now.duration(to: last + Self.quiet), now.duration(to: first + Self.patience)))
    }

    mutating func read() {
        first = nil
        last = nil
    }
}
