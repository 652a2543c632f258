import NetworkLayer
import RequestCollections
import Synchronization

/// When the first items of loops may be sent, as `delay: { before: 2s, between: 200ms }` says: none goes before that, also where several
/// go at a time.
final class LoopStarts: Sendable {
    private struct Loop: Hashable {
        var collection: String
        var environment: String?
        var request: RequestID
    }

    private let starts = Mutex<[Loop: MonotonicTime]>([:])

    /// How long a request is to wait.
    func pause(before job: RunJob, _ delay: DelaySetting, at now: MonotonicTime) -> Duration {
        guard let pause = delay.pause(isFirst: job.isFirst).map(Self.chosen) else { return .zero }
        guard delay.before != nil, delay.between != nil, !job.iterations.isEmpty else { return pause }
        let loop = Loop(collection: job.collection.path, environment: job.environment, request: job.definition.id)
        return starts.withLock { starts in
            if job.isFirst { starts[loop] = now + pause }
            return starts[loop].map { max(pause, $0 - now) } ?? pause
        }
    }

    /// A delay chosen at random, to the microsecond.
    private static func chosen(_ delay: ClosedRange<Duration>) -> Duration {
        let ends = [delay.lowerBound, delay.upperBound].map { Int64($0 / .microseconds(1)) }
        return .microseconds(Int64.random(in: ends[0]...ends[1]))
    }
}
