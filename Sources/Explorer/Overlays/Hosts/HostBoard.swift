import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

/// What goes on at one host.
struct HostRow: Hashable, Sendable {
    var host: String
    var running = 0
    var waiting = 0
    /// How many runs of this session ended, and how many of them well.
    var ended = 0
    var good = 0
    /// `503`, or why there was no answer.
    var last: String?
    var isLastGood = true
    /// When the next retry begins.
    var retry: MonotonicTime?
    /// Until when nothing goes to it: it asked for a pause.
    var pause: MonotonicTime?
}

/// The hosts of this session.
struct HostBoard: Hashable, Sendable {
    /// The one that keys are about, by its name: rows change places while one looks.
    var host: String?

    /// The index of the selected host among these rows; that of the first if the host is gone.
    func selected(of rows: [HostRow]) -> Int { rows.firstIndex { $0.host == host } ?? 0 }
}

extension ExplorerState {
    var hostBoard: Opening {
        hostRows.first.map { .overlay(.hosts(HostBoard(host: $0.host))) } ?? .notice("nothing was sent yet")
    }

    /// The hosts to which something is being sent, then the others, each sorted by name.
    var hostRows: [HostRow] {
        var rows: [String: HostRow] = [:]
        for entry in operations.entries.values where entry.id.pastRun == nil && !entry.isStopped {
            guard let attempt = entry.metrics.attempts.last, let host = attempt.request.url.host()?.lowercased() else { continue }
            var row = rows[host] ?? HostRow(host: host)
            if entry.state == .waitingToRetry {
                row.waiting += 1
                row.retry = [row.retry, entry.metrics.retryDue].compactMap(\.self).min()
            } else if entry.state.isFinal {
                row.ended += 1
                if entry.verdict?.isGood == true { row.good += 1 }
            } else if entry.state.isUnderWay {
                row.running += 1
            } else {
                row.waiting += 1
            }
            if let result = StatusText.result(attempt) {
                row.last = result.text
                row.isLastGood = (attempt.head?.status.code ?? 999) < 400
            }
            rows[host] = row
        }
        for (host, end) in operations.hostPauses where end > now { rows[host, default: HostRow(host: host)].pause = end }
        func isBusy(_ row: HostRow) -> Bool { row.running + row.waiting > 0 || row.pause != nil }
        return rows.values.sorted { left, right in
            isBusy(left) != isBusy(right) ? isBusy(left) : left.host < right.host
        }
    }
}

extension HostBoard: OverlayContent {
    var overlay: Overlay { .hosts(self) }
    var title: String { "Hosts of this session" }

    func area(in screen: Rect) -> Rect { screen.centered(Size(columns: 110, rows: 16)) }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        [
            .init(key: "Space", word: "\(state.operations.keepsPauses ? "don't keep" : "keep") pauses"),
            .init(key: "x", word: "cancel what goes to it"), .init(key: "Esc", word: "back"),
        ]
    }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        let rows = state.hostRows
        let selected = selected(of: rows)
        func select(_ index: Int) { if rows.indices.contains(index) { host = rows[index].host } }
        switch key.key {
        case .escape, .character("q"): return .closes()
        case _ where state.isKey(key, of: .hosts): return .closes()
        case .up, .character("k"): select(selected - 1)
        case .down, .character("j"): select(selected + 1)
        case .character(" "):
            return .stays {
                $0.operations.keepsPauses.toggle()
                if !$0.operations.keepsPauses { $0.operations.hostPauses = [:] }
                return [.setBackoff($0.operations.keepsPauses)]
            }
        case .character("x"):
            // Another row may have come under the cursor just now.
            guard let host, rows.contains(where: { $0.host == host }) else {
                let gone = host ?? "it"
                self.host = rows.first?.host
                return .stays(saying: "nothing goes to \(gone) any more")
            }
            return .stays(
                state.operations.entries.values.filter { entry in
                    !entry.state.isFinal && entry.metrics.attempts.last?.request.url.host()?.lowercased() == host
                }.map { .cancel($0.id, "the user") })
        default: break
        }
        return .stays()
    }
}
