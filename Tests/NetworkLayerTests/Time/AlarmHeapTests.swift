import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct AlarmHeapTests {
    final class Element: AlarmHeapElement {
        let deadline: MonotonicTime
        var heapIndex: Int?
        init(_ nanoseconds: Int64) { deadline = MonotonicTime(nanoseconds: nanoseconds) }
    }

    @Test(arguments: 0..<20)
    func `the earliest comes first, whatever was taken out before`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var heap = AlarmHeap<Element>()
        var elements = (0..<200).map { _ in Element(Int64.random(in: 0..<50, using: &random)) }
        for element in elements { heap.insert(element) }
        elements.shuffle(using: &random)
        for element in elements.prefix(100) {
            heap.remove(element)
            heap.remove(element)
            #expect(element.heapIndex == nil)
        }
        var order: [MonotonicTime] = []
        while let first = heap.first {
            order.append(first.deadline)
            heap.remove(first)
        }
        #expect(order == elements.dropFirst(100).map(\.deadline).sorted())
    }
}
