import Glibc
import NetworkLayer
import Testing

@testable import NetworkMonitor

@Suite(.timeLimit(.minutes(1))) struct NetworkMonitorTests {
    private let cable = NetworkConditions(reachability: .local, interfaces: [.init(name: "eth0", kind: .wired)])
    private let wifi = NetworkConditions(reachability: .local, interfaces: [.init(name: "wlan0", kind: .wifi)])
    private let nothing = NetworkConditions(reachability: .notReachable)

    @Test func `COM-2 TN-15 every reader gets the current conditions first, then each change, until the monitor stops`()
        async throws
    {
        let machine = try FixtureMachine()
        defer { machine.remove() }
        let pipe = try Pipe()
        let monitor = NetworkMonitor(files: machine.files, changes: pipe.reader)
        #expect(monitor.current == nothing)
        #expect(monitor.isListening)
        var early = monitor.changes.makeAsyncIterator()
        #expect(await early.next() == nothing)

        try machine.plugIn("eth0")
        try machine.route(over: "eth0")
        pipe.poke()
        #expect(await early.next() == cable)
        #expect(monitor.current == cable)
        var late = monitor.changes.makeAsyncIterator()
        #expect(await late.next() == cable)

        // A message without a change of the conditions tells nobody anything.
        pipe.poke()
        try machine.plugIn("wlan0", isWireless: true)
        try machine.route(over: "wlan0")
        pipe.poke()
        #expect(await early.next() == wifi)
        #expect(await late.next() == wifi)

        monitor.stop()
        #expect(await early.next() == nil)
        #expect(await late.next() == nil)
        #expect(monitor.current == wifi)
        #expect(!monitor.isListening)
        var afterwards = monitor.changes.makeAsyncIterator()
        #expect(await afterwards.next() == wifi)
        #expect(await afterwards.next() == nil)
    }

    @Test func `COM-2 the streams end with the last who refers to the monitor`() async throws {
        let pipe = try Pipe()
        var monitor: NetworkMonitor? = NetworkMonitor(files: SystemFiles(root: "/nowhere"), changes: pipe.reader)
        var reader = monitor?.changes.makeAsyncIterator()
        monitor = nil
        #expect(await reader?.next() == nothing)
        #expect(await reader?.next() == nil)
    }

    @Test func `COM-1 where the kernel tells nothing, the conditions are those of the start`() async throws {
        let machine = try FixtureMachine()
        defer { machine.remove() }
        try machine.plugIn("eth0")
        try machine.route(over: "eth0")
        let monitor = NetworkMonitor(files: machine.files, changes: nil)
        #expect(!monitor.isListening)
        var reader = monitor.changes.makeAsyncIterator()
        #expect(await reader.next() == cable)
    }

    @Test func `COM-2 this machine's conditions are known at once`() async {
        let monitor = NetworkMonitor()
        #expect(monitor.current.reachability != .undetermined)
        #expect(monitor.current.captivePortal == .undetermined)
        var reader = monitor.changes.makeAsyncIterator()
        #expect(await reader.next()?.reachability != .undetermined)
    }

    /// Without root nobody may make a namespace; then this doesn't run.
    @Test(.enabled(if: NetworkNamespace.isAllowed, "only root may make a network namespace"))
    func `COM-1 the kernel's message about a link makes the monitor look again`() async throws {
        let machine = try FixtureMachine()
        defer { machine.remove() }
        let root = machine
        let made = NetworkNamespace.run {
            changes -> (monitor: NetworkMonitor, stream: AsyncStream<NetworkConditions>, isUp: Bool) in
            let monitor = NetworkMonitor(files: root.files, changes: changes)
            let stream = monitor.changes
            let isPluggedIn = (try? root.plugIn("eth0")) != nil && (try? root.route(over: "eth0")) != nil
            return (monitor, stream, isPluggedIn && NetworkNamespace.switchOnLoopback())
        }
        let (monitor, stream, isUp) = try #require(made)
        try #require(isUp)
        var reader = stream.makeAsyncIterator()
        #expect(await reader.next() == nothing)
        #expect(await reader.next() == cable)
        monitor.stop()
        #expect(await reader.next() == nil)
    }
}

/// Stands for the kernel's socket; the monitor closes the reader.
private final class Pipe {
    let reader: Int32
    private let writer: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        (reader, writer) = (ends[0], ends[1])
    }

    deinit { close(writer) }

    func poke() {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }
}
