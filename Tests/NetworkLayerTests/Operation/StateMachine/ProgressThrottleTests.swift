import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct ProgressThrottleTests {
    @Test func `at most one report in 10 ms, and the last one`() {
        var throttle = ProgressThrottle()
        func shown(_ bytes: Int64, at milliseconds: Int64) -> Int64? {
            throttle.receive(TransferProgress(bytes: bytes), at: MonotonicTime(nanoseconds: milliseconds * 1_000_000))?.bytes
        }
        #expect([shown(1, at: 0), shown(2, at: 5), shown(3, at: 9), shown(4, at: 10), shown(5, at: 19)] == [1, nil, nil, 4, nil])
        #expect(throttle.flush()?.bytes == 5)
        #expect(throttle.flush() == nil)
    }

    @Test func `PRG-1 what goes on for a day is told once a second`() {
        var throttle = ProgressThrottle()
        var reports: [Int] = []
        for count in stride(from: 0, to: 2_000_000, by: 10) {
            let time = MonotonicTime(nanoseconds: Int64(count) * 1_000_000)
            if throttle.receive(TransferProgress(bytes: Int64(count)), at: time) != nil { reports.append(count) }
        }
        let seconds = Dictionary(grouping: reports) { $0 / 1000 }
        #expect([0, 9, 100, 1001, 1999].map { seconds[$0]?.count } == [100, 100, 9, 1, 1])
        #expect(reports.count < 7_000)
    }

    @Test func `an attempt reports each direction on its own, and the last of each before it ends`() {
        var machine = Machine(.post("http://a.test/"))
        machine.start()
        for bytes in 1...100 {
            machine.wait(.milliseconds(1))
            machine.transport(.uploadProgress(TransferProgress(bytes: Int64(bytes), expected: 100)))
        }
        machine.transport(.requestSent)
        machine.head()
        for bytes in 1...100 {
            machine.wait(.milliseconds(1))
            machine.body(1, received: Int64(bytes), expected: 100)
        }
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        let uploads = machine.events.compactMap { event -> Int64? in
            if case .uploadProgress(let progress) = event.kind { progress.bytes } else { nil }
        }
        let downloads = machine.events.compactMap { event -> Int64? in
            if case .downloadProgress(let progress) = event.kind { progress.bytes } else { nil }
        }
        #expect(uploads == [1, 11, 21, 31, 41, 51, 61, 71, 81, 91, 100])
        #expect(downloads == uploads)
        machine.expectGood()
    }

    @Test func `what came last is told soon after, though nothing follows`() {
        var machine = Machine(.get("http://a.test/"))
        machine.start()
        machine.head()
        for bytes in 1...5 {
            machine.wait(.milliseconds(1))
            machine.body(1, received: Int64(bytes), expected: 100)
        }
        var reports: [Int64] {
            machine.events.compactMap { if case .downloadProgress(let progress) = $0.kind { progress.bytes } else { nil } }
        }
        machine.wait(.milliseconds(90))
        machine.send(.alarm)
        #expect(reports == [1])
        machine.wait(.milliseconds(10))
        machine.send(.alarm)
        #expect(reports == [1, 5])
        machine.wait(.seconds(1))
        machine.body(1, received: 6, expected: 100)
        #expect(reports == [1, 5, 6])
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        machine.expectGood()
    }
}
