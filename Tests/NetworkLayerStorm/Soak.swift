import CStormSupport
import CurlTransport
import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization

/// Very many operations through one queue, all enqueued at once: nothing is lost, and nothing is left.
struct Soak {
    var operations: Int

    /// How much more memory than before may be in use afterwards.
    private static let tolerance = 0.05

    func run() async throws -> [String] {
        let server = try NginxServer.shared()
        let client = NetworkClient(transport: CurlTransport(), settings: .init(maxConcurrentPerHost: 64))
        let queue = try RequestOperationQueue(identifier: "soak", client: client)
        guard let url = URL(string: server.url + "/small") else { return ["The server has no URL."] }
        // Caches, threads and pools find their size.
        _ = try await send(operations, to: url, through: queue)
        let before = Memory.now
        let problems = try await send(operations, to: url, through: queue)
        let after = Memory.now
        let ratio = Double(after.inUse) / Double(before.inUse)
        let growth = (ratio * 1000 - 1000).rounded() / 10
        print("\(operations) operations: \(before) before, \(after) afterwards, \(growth) %")
        return problems + (ratio <= 1 + Self.tolerance ? [] : ["Memory grew by \(growth) %."])
    }

    private func send(_ count: Int, to url: URL, through queue: RequestOperationQueue) async throws -> [String] {
        let remaining = WeakOperations()
        let ends = Recorder<String>()
        await withDiscardingTaskGroup { group in
            for number in 0..<count {
                let operation = queue.enqueue(.get(url.appending(queryItems: [URLQueryItem(name: "n", value: "\(number)")])))
                remaining.add(operation)
                group.addTask {
                    let response = await operation.response
                    let end =
                        response.error?.message
                        ?? "status \(response.info?.head.status.code ?? 0), \(response.info?.body.count ?? 0) bytes"
                    ends.append(end)
                }
            }
        }
        await queue.drain()
        // The transport's thread lets go of what ended in one pass when the pass is over: once it has come to another request.
        _ = await queue.enqueue(.get(url)).response
        await queue.drain()
        let expected = ["status 200, 1024 bytes": count]
        let found = ends.all.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var problems = found == expected ? [] : ["Of \(count) operations ended: \(found)."]
        if !queue.operations.isEmpty { problems.append("The queue still has \(queue.operations.count) operations.") }
        if remaining.count > 0 { problems.append("\(remaining.count) operations are still there.") }
        return problems
    }
}

/// Looks whether operations go away.
private final class WeakOperations: Sendable {
    private struct Weak: Sendable {
        weak let operation: RequestOperation?
    }

    private let references = Mutex<[Weak]>([])

    func add(_ operation: RequestOperation) { references.withLock { $0.append(Weak(operation: operation)) } }

    var count: Int { references.withLock { $0.count { $0.operation != nil } } }
}

/// Of this process, in KiB.
private struct Memory: CustomStringConvertible {
    /// Asked for and not given back.
    var inUse: Int
    /// Of anonymous memory: what is in use, and what the allocator keeps for later between it, which changes from run to run.
    var resident: Int

    static var now: Memory {
        let inUse = Int(storm_heap_in_use()) >> 10
        var text = ""
        if let data = FileManager.default.contents(atPath: "/proc/self/status") { text = String(decoding: data, as: UTF8.self) }
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        let words = line?.split(whereSeparator: { " \t".contains($0) }) ?? []
        return Memory(inUse: inUse, resident: words.count > 1 ? Int(words[1]) ?? 0 : 0)
    }

    var description: String { "\(inUse) KiB (resident \(resident) KiB)" }
}
