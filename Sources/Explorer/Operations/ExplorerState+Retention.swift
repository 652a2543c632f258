import NetworkLayer
import OrderedCollections

/// How much of what ended is kept until the explorer is left. What goes first is the oldest; a run that is looked at stays.
struct Retention: Hashable, Sendable {
    /// Runs whose bodies and events are kept.
    var runs = 200
    /// The bytes of bodies, in memory and in temporary files.
    var bytes = 256 << 20
}

extension OperationBook {
    /// Lets go of the bodies and events of old runs. Their attempts, times and errors stay.
    mutating func releaseOld(except shown: Set<OperationID>) -> [ExplorerEffect] {
        var runs = 0
        var bytes = 0
        var released: [OperationID] = []
        for entry in entries.values.reversed() where entry.state.isFinal && !entry.isReleased {
            runs += 1
            bytes += entry.response?.info?.body.count ?? 0
            guard runs > retention.runs || bytes > retention.bytes, !shown.contains(entry.id) else { continue }
            bytes -= entry.response?.info?.body.count ?? 0
            released.append(entry.id)
        }
        for id in released { self[id]?.release() }
        return released.isEmpty ? [] : [.release(released)]
    }
}

extension OperationEntry {
    fileprivate mutating func release() {
        isReleased = true
        events = []
        body = .none
        filtered = nil
        stream = nil
        picture = nil
        response?.info?.body = .none
    }
}
