import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

struct `Few descriptors` {
    @Test(arguments: [(14, 4), (64, 8), (1024, 32), (1 << 20, 32)])
    func `some are kept for what is no connection`(limit: Int, reserve: Int) {
        let descriptors = Descriptors(limit: limit)
        #expect(descriptors.reserve == reserve)
        #expect(descriptors.hasRoom(for: 1, from: Int32(limit - reserve - 1)))
        #expect(!descriptors.hasRoom(for: 1, from: Int32(limit - reserve)))
        #expect(!descriptors.hasRoom(for: 1, from: -1))
    }

    /// As many at once as there is room for, the others one after the other.
    @Test(.timeLimit(.minutes(2)), arguments: ["127.0.0.1", "localhost"])
    func `more requests than there are descriptors are all answered`(host: String) async throws {
        let server = try NginxServer.shared()
        let url = try #require(URL(string: "http://\(host):\(server.port)/large"))
        let room = 24
        let limit = Int(Descriptors.lowestFree) + room
        let transport = CurlTransport(descriptors: Descriptors(limit: limit))
        let recordings = await withTaskGroup(of: Recording.self) { group in
            for _ in 1...100 {
                group.addTask { await transport.perform(TransferRequest(request: Request(url: url))) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(recordings.compactMap(\.error) == [])
        #expect(recordings.allSatisfy { $0.body.count == NginxServer.largeSize })
        #expect(Self.mostAtOnce(recordings) < room)
    }

    /// How many had a connection at the same time.
    private static func mostAtOnce(_ recordings: [Recording]) -> Int {
        var changes: [(time: MonotonicTime, change: Int)] = []
        for recording in recordings {
            let start = recording.events.last { if case .connectionAcquired = $0.kind { true } else { false } }
            guard let start, let end = recording.events.last else { continue }
            changes += [(start.time, 1), (end.time, -1)]
        }
        var (now, most) = (0, 0)
        for (_, change) in changes.sorted(by: { ($0.time, $0.change) < ($1.time, $1.change) }) {
            now += change
            most = max(most, now)
        }
        return most
    }

    @Test func `one that waits for a descriptor can be cancelled`() async throws {
        let answer = ScriptedServer.Step.send("HTTP/1.1 204 Fine\r\nConnection: close\r\n\r\n")
        let server = try ScriptedServer([[.readHead, .await, answer, .readToEnd], [.readHead, answer, .readToEnd]])
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        // Room for nothing: the first goes on all the same, the others wait for it.
        let transport = CurlTransport(descriptors: Descriptors(limit: 0))
        let recorders = (1...3).map { _ in TransferRecorder() }
        let transfers = recorders.map { transport.start(TransferRequest(request: Request(url: url)), receive: $0.record) }
        await recorders[0].first { if case .requestSent = $0 { true } else { false } }
        transfers[1].cancel()
        #expect(await recorders[1].finished().error?.code == .cancelled)
        #expect(!server.events.contains(.accepted(1)))
        server.proceed()
        #expect(await recorders[0].finished().status == 204)
        #expect(await recorders[2].finished().error == nil)
        #expect(recorders[2].recording.status == 204)
        #expect(recorders.flatMap(\.recording.violations) == [])
    }
}
