import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Testing

@testable import Explorer

@Suite struct `The throughput of a transfer` {
    private func events(_ bytes: [(milliseconds: Int64, bytes: Int64)]) -> [NetworkEvent] {
        let head = ResponseHead(status: .ok)
        return [NetworkEvent(operation: .init(rawValue: 1), attempt: 1, sequence: 0, time: .zero, kind: .head(head))]
            + bytes.enumerated().map { index, sample in
                NetworkEvent(
                    operation: .init(rawValue: 1), attempt: 1, sequence: index + 1,
                    time: MonotonicTime(nanoseconds: sample.milliseconds * 1_000_000),
                    kind: .downloadProgress(TransferProgress(bytes: sample.bytes, expected: nil)))
            }
    }

    @Test func `is the bytes of each span, and a stall is a gap`() throws {
        let now = MonotonicTime(nanoseconds: 400_000_000)
        let throughput = try #require(
            Throughput(.download, in: events([(50, 1_000), (150, 3_000), (350, 4_000)]), at: now, count: 4))
        #expect(throughput.rates == [10_000, 20_000, 0, 10_000])
        #expect(throughput.peak == 20_000)
        #expect(throughput.heights(rows: 1) == [4, 8, 0, 4])
        #expect(throughput.heights(rows: 2) == [8, 16, 0, 8])
    }

    @Test func `is unknown before there is a span of it`() {
        #expect(Throughput(.download, in: events([(1, 10)]), at: MonotonicTime(nanoseconds: 50_000_000), count: 4) == nil)
        #expect(Throughput(.download, in: [], at: MonotonicTime(nanoseconds: 500_000_000), count: 4) == nil)
    }
}
