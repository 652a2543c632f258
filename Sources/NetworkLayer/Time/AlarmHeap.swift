/// What an ``AlarmHeap`` orders: it remembers its own place, so that it can be taken out from the middle.
protocol AlarmHeapElement: AnyObject {
    var deadline: MonotonicTime { get }
    /// Owned by the heap; `nil` while it isn't in one.
    var heapIndex: Int? { get set }
}

/// The earliest deadline first; adding and removing anything takes O(log n).
struct AlarmHeap<Element: AlarmHeapElement> {
    private var elements: [Element] = []

    var first: Element? { elements.first }

    mutating func insert(_ element: Element) {
        elements.append(element)
        element.heapIndex = elements.count - 1
        siftUp(from: elements.count - 1)
    }

    mutating func remove(_ element: Element) {
        guard let index = element.heapIndex else { return }
        element.heapIndex = nil
        let last = elements.removeLast()
        guard last !== element else { return }
        elements[index] = last
        last.heapIndex = index
        siftUp(from: index)
        siftDown(from: last.heapIndex ?? index)
    }

    private mutating func siftUp(from start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard elements[index].deadline < elements[parent].deadline else { return }
            swap(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(from start: Int) {
        var index = start
        while true {
            var smallest = index
            for child in (2 * index + 1)...(2 * index + 2) where child < elements.count {
                if elements[child].deadline < elements[smallest].deadline { smallest = child }
            }
            guard smallest != index else { return }
            swap(index, smallest)
            index = smallest
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        elements.swapAt(left, right)
        elements[left].heapIndex = left
        elements[right].heapIndex = right
    }
}
