import NetworkLayer
import Synchronization
import Testing

@testable import NetworkMonitor

@Suite struct LazyNetworkMonitorTests {
    private struct Cable: NetworkConditionsSource {
        let current = NetworkConditions(reachability: .local, interfaces: [.init(name: "eth0", kind: .wired)])

        var changes: AsyncStream<NetworkConditions> {
            AsyncStream { continuation in
                continuation.yield(current)
                continuation.finish()
            }
        }
    }

    @Test func `COM-1 nothing is opened before somebody asks, and then once`() async {
        let count = Atomic(0)
        let monitor = LazyNetworkMonitor {
            count.add(1, ordering: .relaxed)
            return Cable()
        }
        #expect(!monitor.isOpen)
        #expect(monitor.current == Cable().current)
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next() == Cable().current)
        #expect(monitor.isOpen)
        #expect(count.load(ordering: .relaxed) == 1)
    }
}
