/// A part of the screen. Its raw value is the number in its title and the key that focuses it.
package enum Pane: Int, Sendable, Hashable, CaseIterable, Comparable {
    case collection = 1, request, operation, response, queue, history

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
