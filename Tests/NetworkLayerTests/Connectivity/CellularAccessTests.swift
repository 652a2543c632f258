import NetworkLayer
import NetworkLayerTesting
import Testing

@Suite(.watchesEvents) struct CellularAccessTests {
    private let time = ManualTimeSource()
    private static let modem = NetworkConditions(
        reachability: .cellular, interfaces: [.init(name: "tun0", kind: .vpn), .init(name: "wwan0", kind: .cellular)])

    private func run(
        _ conditions: NetworkConditions?, allows: Bool
    ) async throws -> (response: Response, transfers: Int) {
        let transport = ScriptedTransport(time: time) { _ in .respond() }
        let client = NetworkClient(transport: transport, time: time, conditions: conditions.map(StandingConditions.init)).watched()
        var configuration = RequestConfiguration()
        configuration.transport.allowsCellularAccess = allows
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        return (await queue.enqueue(.get("http://a.test/"), configuration: configuration).response, transport.transfers.count)
    }

    @Test func `COM-1 a request that doesn't allow cellular isn't sent over a modem, and the error names it`() async throws {
        let (response, transfers) = try await run(Self.modem, allows: false)
        #expect(transfers == 0)
        #expect(response.error?.code == .cellularNotAllowed)
        #expect(
            response.error?.message
                == "GET a.test wasn't sent: the only way out is cellular, wwan0, and the request doesn't allow that (allowsCellularAccess). Connect by cable or wifi, or allow it."
        )
        #expect(response.metrics.attempts.map(\.network) == [Self.modem])
    }

    @Test func `COM-5 conditions gate nothing that doesn't ask for it`() async throws {
        let offline = NetworkConditions(reachability: .notReachable)
        let cable = NetworkConditions(reachability: .local, interfaces: [.init(name: "eth0", kind: .wired)])
        let captive = NetworkConditions(reachability: .local, captivePortal: .captive)
        for (conditions, allows) in [
            (Self.modem, true), (offline, false), (offline, true), (cable, false), (captive, true), (nil, false),
        ] {
            let (response, transfers) = try await run(conditions, allows: allows)
            #expect(response.error == nil)
            #expect(transfers == 1)
        }
    }
}

private struct StandingConditions: NetworkConditionsSource {
    let current: NetworkConditions

    var changes: AsyncStream<NetworkConditions> { AsyncStream { $0.yield(current) } }
}
