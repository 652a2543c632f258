import Synchronization

/// Keeps what is given to it, in order.
package final class Recorder<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    package init() {}

    package func append(_ element: Element) { elements.withLock { $0.append(element) } }

    package var all: [Element] { elements.withLock { $0 } }
}
