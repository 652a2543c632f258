import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Tells when the files of a collection change on the disk, no matter which program changes them.
///
/// Where the system says so (inotify), it costs nothing while nothing happens. Elsewhere, and when the system has no more watches to give,
/// it looks twice a second at what the files' sizes and times are.
///
/// `@unchecked`: everything but the queue itself is touched on the queue alone.
final class CollectionWatcher: @unchecked Sendable {
    private let queue = DispatchQueue(label: "turnstone.watcher", qos: .utility)
    private let changed: @Sendable (_ path: String) -> Void
    private let usesEvents: Bool
    private var collections: [String: Watched] = [:]
    private var source: (any DispatchSourceRead)?
    private var timer: (any DispatchSourceTimer)?
    #if os(Linux)
        private var events: DirectoryEvents?
    #endif

    private struct Watched {
        var files: WatchedFiles
        var delay = ReloadDelay()
        /// What the last look found; `nil` while the system tells of changes.
        var stamp: [String: WatchedFiles.Stamp]?
    }

    /// - Parameters:
    ///   - usesEvents: `false` makes it look at the files regularly in any case.
    ///   - changed: a collection is to be read again; called on the watcher's queue.
    init(usesEvents: Bool = true, changed: @escaping @Sendable (_ path: String) -> Void) {
        self.usesEvents = usesEvents
        self.changed = changed
    }

    /// Watches a collection's files, including those that have been added since the last call.
    func watch(_ path: String) {
        queue.async { self.start(path) }
    }

    /// Waits until everything that was asked for is being watched.
    func wait() { queue.sync {} }

    /// Once it returns, the handler isn't called any more.
    func stop() {
        queue.sync {
            collections = [:]
            source?.cancel()
            source = nil
            timer?.cancel()
            timer = nil
            #if os(Linux)
                events = nil
            #endif
        }
    }

    private func start(_ path: String) {
        let files = WatchedFiles(path)
        var watched = collections[path] ?? Watched(files: files)
        watched.files = files
        let isTold = watched.stamp == nil && tell(files.directories)
        if !isTold, watched.stamp == nil {
            watched.stamp = files.stamp()
            startTimer()
        }
        collections[path] = watched
    }

    /// - Returns: whether the system tells of changes in all of the directories.
    private func tell(_ directories: [String]) -> Bool {
        #if os(Linux)
            guard usesEvents else { return false }
            if events == nil {
                guard let made = DirectoryEvents() else { return false }
                events = made
                let source = DispatchSource.makeReadSource(fileDescriptor: made.descriptor, queue: queue)
                source.setEventHandler { [weak self] in self?.handleEvents() }
                source.setCancelHandler { close(made.descriptor) }
                source.activate()
                self.source = source
            }
            return directories.allSatisfy { events?.watch($0) ?? false }
        #else
            return false
        #endif
    }

    #if os(Linux)
        private func handleEvents() {
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

    // MARK: Looking

    private func startTimer() {
        guard timer == nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(500))
        timer.setEventHandler { [weak self] in self?.look() }
        timer.activate()
        self.timer = timer
    }

    private func look() {
        for (path, watched) in collections {
            guard let stamp = watched.stamp else { continue }
            let now = watched.files.stamp()
            guard now != stamp else { continue }
            collections[path]?.stamp = now
            mark(path)
        }
    }

    // MARK: Telling

    private func mark(_ path: String) {
        if collections[path]?.delay.changed(at: .now) ?? false { tellWhenQuiet(path) }
    }

    private func tellWhenQuiet(_ path: String) {
        guard let wait = collections[path]?.delay.wait(at: .now) else { return }
        guard wait > .zero else {
            collections[path]?.delay.read()
            // A new folder has to be watched, too, and before it is read, so that no change is missed in between.
            start(path)
            changed(path)
            return
        }
        let (seconds, attoseconds) = wait.components
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))) {
            [weak self] in
            self?.tellWhenQuiet(path)
        }
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
