import CAllocationCount
import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import Synchronization

/// What the network layer itself adds to a request: from making an operation to reading its response, over a transport that
/// answers at once on the thread that asks. No socket, no other thread; everything counts.
struct OverheadBenchmark {
    var options: Options

    /// Tells what a short answer over a kept connection tells.
    private struct InstantTransport: Transport {
        static let head = ResponseHead(
            status: .ok, version: "HTTP/1.1",
            headers: [.server: "nginx", .contentType: "text/plain", .contentLength: "1024", .connection: "keep-alive"],
            raw: Data("HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/plain\r\nContent-Length: 1024\r\n\r\n".utf8))
        static let connection = ConnectionInfo(
            id: 1, isReused: true, localAddress: "127.0.0.1:40000", remoteAddress: "127.0.0.1:80")
        static let body = Data(repeating: 0x61, count: 1024)
        static let sent = Data("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n".utf8)

        struct Nothing: Transfer {
            func cancel() {}
            func pauseReceiving() {}
            func resumeReceiving() {}
        }

        func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
            let time = SystemTimeSource().now
            let kinds: [TransportEvent.Kind] = [
                .connectionAcquired(Self.connection), .requestHeadSent(Self.sent), .requestSent,
                .head(Self.head), .body(Self.body, received: 1024, expected: 1024), .finished(TransferResult()),
            ]
            for kind in kinds { receive(TransportEvent(time: time, kind: kind)) }
            return Nothing()
        }
    }

    private final class EventCounter: NetworkObserver {
        let count = Atomic<Int>(0)

        func observe(_ event: NetworkEvent, of operation: RequestOperation) {
            count.wrappingAdd(1, ordering: .relaxed)
        }
    }

    func run() async throws -> Report {
        let client = NetworkClient(transport: InstantTransport())
        let queue = try RequestOperationQueue(identifier: "overhead", client: client)
        let counter = EventCounter()
        let observed = NetworkClient(transport: InstantTransport())
        let observedQueue = try RequestOperationQueue(identifier: "overhead", client: observed)
        observed.addObserver(counter)
        let silent = try await measure(queue)
        let told = try await measure(observedQueue)
        var report = Report(
            title: "The layer itself, per operation: medians of \(options.rounds) rounds, a transport that answers at once")
        report.note("without an observer", Report.text(silent.nanoseconds) + " ns")
        report.note("with an observer of every event", Report.text(told.nanoseconds) + " ns")
        report.note("allocations", Report.text(silent.allocations))
        report.note("allocations, with an observer", Report.text(told.allocations))
        report.note("size of an operation's metrics for each attempt", "\(MemoryLayout<AttemptMetrics>.size) bytes")
        report.note("size of an event", "\(MemoryLayout<NetworkEvent>.size) bytes")
        report.printAll()
        return report
    }

    private func measure(_ queue: RequestOperationQueue) async throws -> (nanoseconds: Double, allocations: Double) {
        let request = Request(url: URL(string: "http://127.0.0.1/small")!)
        var times = Measurements()
        var allocations = Measurements()
        for round in 0...options.rounds {
            let count = 20_000
            let before = allocation_count()
            let start = ContinuousClock.now
            for _ in 0..<count {
                guard queue.enqueue(request).finalResponse?.info != nil else {
                    throw BenchmarkError("an operation isn't over at once")
                }
            }
            let duration = (.now - start).seconds
            guard round > 0 else { continue }
            times.append(duration * 1e9 / Double(count))
            allocations.append(Double(allocation_count() - before) / Double(count))
        }
        return (times.median, allocations.median)
    }
}
