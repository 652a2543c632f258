import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// PRG-1.
@Suite struct ProgressTests {
    func machine(_ request: Request = .post("http://a.test/")) -> Machine {
        var machine = Machine(request)
        machine.start()
        return machine
    }

    func reports(_ machine: Machine) -> [TransferProgress] {
        machine.machine.log.compactMap { event in
            switch event.kind {
            case .uploadProgress(let progress), .downloadProgress(let progress): progress
            default: nil
            }
        }
    }

    @Test func `PRG-1 the upload is 1 from the first response on, whatever was sent`() throws {
        var machine = machine()
        #expect(machine.machine.metrics.attempts[0].uploadFraction == 0)
        machine.transport(.uploadProgress(TransferProgress(bytes: 1, expected: 4)))
        #expect(machine.machine.metrics.attempts[0].uploadFraction == 0.25)
        machine.head()
        #expect(machine.machine.metrics.attempts[0].uploadFraction == 1)
    }

    @Test func `PRG-1 the download stays 0 while its length is unknown, and is 1 on success`() {
        var machine = machine()
        machine.transport(.head(ResponseHead(status: .ok)))
        machine.transport(.body(Data(count: 3), received: 3, expected: nil))
        #expect(machine.machine.metrics.attempts[0].downloadFraction == 0)
        machine.transport(.finished(TransferResult()))
        _ = machine.send(.bodyClosed(attempt: 1))
        #expect(machine.machine.metrics.attempts[0].downloadFraction == 1)
    }

    @Test func `PRG-1 a failed download doesn't become 1`() {
        var machine = machine()
        machine.transport(.head(ResponseHead(status: .ok)))
        machine.transport(.body(Data(count: 3), received: 3, expected: 6))
        machine.transport(.finished(TransferResult(error: .reset)))
        #expect(machine.machine.metrics.attempts[0].downloadFraction == 0.5)
    }

    @Test func `PRG-1 the next attempt begins at 0`() {
        var machine = machine(.get("http://a.test/"))
        machine.head(.found, [.location: "/next"])
        _ = machine.finish()
        #expect(machine.machine.metrics.attempts.map(\.uploadFraction) == [1, 0])
        #expect(machine.machine.metrics.attempts.map(\.downloadFraction) == [0, 0])
    }

    @Test func `PRG-1 what didn't change isn't told again`() {
        var machine = machine()
        for _ in 1...3 { machine.transport(.uploadProgress(TransferProgress(bytes: 4, expected: 4))) }
        machine.head()
        #expect(reports(machine) == [TransferProgress(bytes: 4, expected: 4)])
    }

    @Test func `PRG-1 bytes and rate are told too`() {
        let running = EventScript.downloading(at: 600).metrics.attempts[0]
        #expect(running.download == TransferProgress(bytes: 10_000_000, expected: 100_000_000))
        #expect(running.downloadRate(at: EventScript.time(600)) == 20_000_000)
        #expect(running.uploadRate(at: EventScript.time(600)) == nil, "there was nothing to send, in no time")
        let sending = EventScript.uploading(at: 1_030).metrics.attempts[0]
        #expect(sending.upload.bytes == 4_000_000)
        #expect(sending.uploadRate(at: EventScript.time(2_030)).map { $0 < 4_000_000 } == true)
        #expect(sending.downloadRate(at: EventScript.time(2_030)) == nil)
    }
}
