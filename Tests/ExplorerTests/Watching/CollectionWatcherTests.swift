import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Explorer

/// Real directories: each change is awaited, none by the clock.
@Suite struct CollectionWatcherTests {
    @Test func `a file that is replaced by another of its name is told`() async throws {
        let folder = try TemporaryFolder(["shop.yaml": "turnstone: 1\n"])
        try await expectTold(of: folder.path("shop.yaml")) {
            try Data("turnstone: 1 # new\n".utf8).write(to: folder.url.appending(path: "shop.new"))
            #expect(rename(folder.path("shop.new"), folder.path("shop.yaml")) == 0)
        }
    }

    @Test func `a file that is written in place is told`() async throws {
        let folder = try TemporaryFolder(["shop/_collection.yaml": "turnstone: 1\n", "shop/f/a.yaml": "get: http://h/\n"])
        try await expectTold(of: folder.path("shop")) {
            let file = try FileHandle(forWritingTo: folder.url.appending(path: "shop/f/a.yaml"))
            try file.seekToEnd()
            try file.write(contentsOf: Data("name: A\n".utf8))
            try file.close()
        }
    }

    @Test func `so are a new folder, and then what is new in it`() async throws {
        let folder = try TemporaryFolder(["shop/_collection.yaml": "turnstone: 1\n"])
        let told = Told()
        let watcher = CollectionWatcher { told.tell($0) }
        defer { watcher.stop() }
        watcher.watch(folder.path("shop"))
        try FileManager.default.createDirectory(at: folder.url.appending(path: "shop/f"), withIntermediateDirectories: false)
        await told.next()
        try Data("get: http://h/\n".utf8).write(to: folder.url.appending(path: "shop/f/a.yaml"))
        await told.next()
        #expect(told.paths.allSatisfy { $0 == folder.path("shop") })
    }

    @Test(.timeLimit(.minutes(1)))
    func `once it has stopped it tells nothing, and its thread is gone`() async throws {
        let folder = try TemporaryFolder(["shop.yaml": "turnstone: 1\n"])
        let told = Told()
        let watcher = CollectionWatcher { told.tell($0) }
        watcher.watch(folder.path("shop.yaml"))
        try Data("turnstone: 1 # new\n".utf8).write(to: folder.url.appending(path: "shop.yaml"))
        await told.next()
        // It was told of as its file was written, and maybe once more.
        try Data("turnstone: 1 # newer\n".utf8).write(to: folder.url.appending(path: "shop.yaml"))
        watcher.stop()
        let count = told.paths.count
        let thread = try #require(told.thread)
        while FileManager.default.fileExists(atPath: thread) { await Task.yield() }
        #expect(told.paths.count == count)
        watcher.watch(folder.path("shop.yaml"))
        watcher.stop()
    }

    @Test(.timeLimit(.minutes(1))) func `stopping waits for the handler that runs`() async throws {
        let folder = try TemporaryFolder(["shop.yaml": "turnstone: 1\n"])
        let (told, stopping) = (Told(), DispatchGroup())
        stopping.enter()
        let isOver = Atomic(false)
        let watcher = CollectionWatcher { path in
            told.tell(path)
            stopping.wait()
            // Long enough for a `stop()` that doesn't wait to return.
            for _ in 0..<100 { sched_yield() }
            isOver.store(true, ordering: .releasing)
        }
        watcher.watch(folder.path("shop.yaml"))
        try Data("turnstone: 1 # new\n".utf8).write(to: folder.url.appending(path: "shop.yaml"))
        await told.next()
        stopping.leave()
        watcher.stop()
        let wasOver = isOver.load(ordering: .acquiring)
        #expect(wasOver)
    }

    @Test func `one that has nothing to watch has nothing to stop`() {
        let watcher = CollectionWatcher { _ in }
        watcher.stop()
    }

    @Test func `the target of a link is watched, too`() async throws {
        let folder = try TemporaryFolder(["real/shop.yaml": "turnstone: 1\n"])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("shop.yaml"), withDestinationPath: folder.path("real/shop.yaml"))
        try await expectTold(of: folder.path("shop.yaml")) {
            try Data("turnstone: 1 # new\n".utf8).write(to: folder.url.appending(path: "real/shop.yaml"))
        }
    }

    @Test func `another file in the directory of one is none of its`() {
        let files = WatchedFiles("/tmp/nothing-here/shop.yaml")
        #expect(files.directories == ["/tmp/nothing-here"])
        #expect(files.has("shop.yaml", in: "/tmp/nothing-here"))
        #expect(!files.has("other.yaml", in: "/tmp/nothing-here"))
        #expect(!files.has("shop.yaml", in: "/tmp"))
    }

    private func expectTold(of path: String, _ change: () throws -> Void) async throws {
        let told = Told()
        let watcher = CollectionWatcher { told.tell($0) }
        defer { watcher.stop() }
        watcher.watch(path)
        try change()
        await told.next()
        #expect(told.paths.first == path)
    }
}

/// What a watcher has told, to be awaited.
private final class Told: Sendable {
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let told = Mutex<[String]>([])
    private let tellers = Mutex<String?>(nil)

    init() { (stream, continuation) = AsyncStream.makeStream() }

    var paths: [String] { told.withLock { $0 } }

    /// The directory of the thread that has told, which is there for as long as the thread is.
    var thread: String? { tellers.withLock { $0 } }

    func tell(_ path: String) {
        tellers.withLock {
            $0 = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")).map { "/proc/\($0)" }
        }
        told.withLock { $0.append(path) }
        continuation.yield(path)
    }

    func next() async { for await _ in stream { return } }
}
