import NetworkLayer
import Presentation
import TerminalUI

/// Which events of the log are shown: those whose line has all words of a text, in any case.
struct EventFilter: Hashable, Sendable {
    private(set) var text = ""
    /// Indices into the events of the operation.
    private(set) var matches: [Int] = []
    private var words: [String] = []
    private var operation: OperationID?
    /// So many events were looked at: a log only grows.
    private var scanned = 0

    var isOn: Bool { !words.isEmpty }

    mutating func set(_ text: String) {
        guard text != self.text else { return }
        self.text = text
        words = text.lowercased().split(separator: " ").map(String.init)
        restart(for: operation)
    }

    /// Looks at what has come since.
    mutating func look(at events: [NetworkEvent], of operation: OperationID) {
        guard isOn else { return }
        if operation != self.operation || events.count < scanned { restart(for: operation) }
        guard let start = events.first?.time else { return }
        for index in scanned..<events.count {
            let line = EventLog.line(events[index], since: start).text.lowercased()
            if words.allSatisfy(line.contains) { matches.append(index) }
        }
        scanned = events.count
    }

    private mutating func restart(for operation: OperationID?) {
        self.operation = operation
        matches = []
        scanned = 0
    }
}
