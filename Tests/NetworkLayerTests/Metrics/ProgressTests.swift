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

    @Test func `PRG-1 the next attempt begins at 0`() {
        var machine = machine(.get("http://a.test/"))
        machine.transport(.uploadProgress(TransferProgress(bytes: 1, expected: 4)))
        machine.head(.found, [.location: "/next"])
        _ = machine.finish()
        #expect(machine.machine.metrics.attempts.map(\.upload.bytes) == [1, 0])
        #expect(machine.machine.metrics.attempts.map(\.download.fraction) == [nil, nil])
    }

    @Test func `PRG-1 what didn't change isn't told again`() {
        var machine = machine()
        for _ in 1...3 { machine.transport(.uploadProgress(TransferProgress(bytes: 4, expected: 4))) }
        machine.head()
        #expect(reports(machine) == [TransferProgress(bytes: 4, expected: 4)])
    }
}
