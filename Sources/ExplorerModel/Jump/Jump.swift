package import NetworkLayer
package import TerminalUI

/// Letters over every pane, tab and row that is seen: typing them goes there. Nothing moves meanwhile.
package struct Jump: Hashable, Sendable {
    package internal(set) var targets: [Target]
    /// The first letter of two.
    package internal(set) var typed = ""

    package struct Target: Hashable, Sendable {
        package var label: String
        /// The place of its first cell.
        package var point: Point
        package var place: Place
    }

    package enum Place: Hashable, Sendable {
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
    package var open: [(rest: Substring, point: Point)] {
        targets.filter { $0.label.hasPrefix(typed) }.map { ($0.label.dropFirst(typed.count), $0.point) }
    }
}
