import NetworkLayer
import TerminalUI

/// Letters over every pane, tab and row that is seen: typing them goes there. Nothing moves meanwhile.
struct Jump: Hashable, Sendable {
    var targets: [Target]
    /// The first letter of two.
    var typed = ""

    struct Target: Hashable, Sendable {
        var label: String
        /// The place of its first cell.
        var point: Point
        var place: Place
    }

    enum Place: Hashable, Sendable {
        case pane(Pane)
        case requestTab(RequestPaneState.Tab)
        case responseTab(ResponsePaneState.Tab)
        case entry(RequestReference)
        case requestRow(RequestPaneRow)
        case attempt(OperationID, Int)
        case bodyLine(OperationID, Int)
        case operation(OperationID, in: Pane)
    }

    init(_ places: [(place: Place, point: Point)], letters: [Character]) {
        let labels = JumpLabels.labels(places.count, letters: letters)
        targets = zip(places, labels).map { Target(label: $1, point: $0.point, place: $0.place) }
    }

    /// The places that can still be meant, with the letters that remain to be typed.
    var open: [(rest: Substring, point: Point)] {
        targets.filter { $0.label.hasPrefix(typed) }.map { ($0.label.dropFirst(typed.count), $0.point) }
    }
}

extension Jump: OverlayContent {
    var overlay: Overlay { .jump(self) }
    var title: String { "" }
    func area(in screen: Rect) -> Rect { Rect(column: 0, row: 0, columns: 0, rows: 0) }
    func hintRow(in inner: Rect) -> Rect? { nil }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        [.init(key: "letters", word: "go there"), .init(key: "Esc", word: "back")]
    }

    /// Another key than a letter that leads somewhere ends it.
    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        guard case .character(let character) = key.key, key.modifiers.isEmpty else { return .closes() }
        typed.append(character)
        if let target = targets.first(where: { $0.label == typed }) { return .closes { $0.go(to: target.place) } }
        if targets.contains(where: { $0.label.hasPrefix(typed) }) { return .stays() }
        return .closes(saying: "nothing here is labelled \(typed)")
    }

    /// Rows may move by themselves: their letters go along, and those of what is gone go away.
    mutating func settle(in state: ExplorerState) -> Bool {
        let points = Dictionary(state.jumpPlaces.map { ($0.place, $0.point) }) { first, _ in first }
        targets = targets.compactMap { target in
            points[target.place].map { Target(label: target.label, point: $0, place: target.place) }
        }
        return !targets.isEmpty
    }
}
