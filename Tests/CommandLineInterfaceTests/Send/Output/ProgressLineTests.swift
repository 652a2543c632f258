import Foundation
import NetworkLayer
import Testing

@testable import CommandLineInterface

@Suite struct ProgressLineTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func event(_ kind: NetworkEvent.Kind, at milliseconds: Int64) -> NetworkEvent {
        NetworkEvent(operation: OperationID(rawValue: 1), sequence: 0, time: start + .milliseconds(milliseconds), kind: kind)
    }

    private func attempt() -> NetworkEvent.Kind {
        .attemptStarted(.initial, Request(url: URL(string: "http://h/")!))
    }

    @Test func `a short transfer never sees it`() {
        var line = ProgressLine(columns: 80)
        #expect(line.text(for: event(attempt(), at: 0)) == nil)
        #expect(line.text(for: event(.downloadProgress(.init(bytes: 10, expected: 100)), at: 400)) == nil)
        #expect(line.text(for: event(.completed(.succeeded, nil), at: 450)) == nil)
    }

    @Test func `a long one is drawn ten times a second, and cleared at its end`() {
        var line = ProgressLine(columns: 80)
        _ = line.text(for: event(attempt(), at: 0))
        #expect(line.text(for: event(.downloadProgress(.init(bytes: 500_000, expected: 1_000_000)), at: 1000)) != nil)
        #expect(line.text(for: event(.downloadProgress(.init(bytes: 510_000, expected: 1_000_000)), at: 1050)) == nil)
        #expect(line.text(for: event(.downloadProgress(.init(bytes: 600_000, expected: 1_000_000)), at: 1100)) != nil)
        #expect(line.text(for: event(.completed(.succeeded, nil), at: 1200)) == "\r\u{1B}[K")
    }

    @Test func `it says how much, how fast and how long still, in the width there is`() {
        let half = TransferProgress(bytes: 5_000_000, expected: 10_000_000)
        let line = ProgressLine.line(half, elapsed: .seconds(2), columns: 80)
        #expect(line.hasPrefix(" 50 %  ███"))
        #expect(line.hasSuffix("   5.0 MB of 10.0 MB  2.5 MB/s  2 s left"))
        #expect(line.count < 80)
        #expect(ProgressLine.line(half, elapsed: .seconds(2), columns: 44) == " 50 %  5.0 MB of 10.0 MB  2.5 MB/s  2 s left")
        #expect(ProgressLine.line(.init(bytes: 1500), "up", elapsed: .seconds(1), columns: 80) == "1.5 kB  1.5 kB/s up")
    }
}
