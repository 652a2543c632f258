import NetworkLayer
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The selection in a list of operations` {
    private func ids(_ numbers: ClosedRange<Int>) -> [OperationID] { numbers.reversed().map(OperationID.init(rawValue:)) }

    @Test func `is the first row until one is chosen`() {
        let selection = OperationSelection()
        #expect(selection.selected(in: ids(1...3)) == OperationID(rawValue: 3))
        #expect(selection.selected(in: ids(1...4)) == OperationID(rawValue: 4))
        #expect(selection.selected(in: []) == nil)
    }

    @Test func `stays with its operation when rows are added`() {
        var selection = OperationSelection()
        selection.move(.rows(1), in: ids(1...3), rows: 5)
        #expect(selection.selected(in: ids(1...3)) == OperationID(rawValue: 2))
        #expect(selection.selected(in: ids(1...9)) == OperationID(rawValue: 2))
        #expect(selection.list(of: ids(1...9), rows: 5).selected == 7)
    }

    @Test func `goes to the first row when its operation is gone`() {
        var selection = OperationSelection()
        selection.select(OperationID(rawValue: 1))
        #expect(selection.selected(in: ids(4...6)) == OperationID(rawValue: 6))
    }

    @Test func `moves by rows and pages, and to the ends`() {
        var selection = OperationSelection()
        let all = ids(1...20)
        selection.move(.pages(1), in: all, rows: 5)
        #expect(selection.list(of: all, rows: 5).selected == 4)
        selection.move(.last, in: all, rows: 5)
        #expect(selection.list(of: all, rows: 5).visible == 15..<20)
        selection.move(.rows(-2), in: all, rows: 5)
        #expect(selection.list(of: all, rows: 5).visible == 15..<20)
        selection.move(.first, in: all, rows: 5)
        #expect(selection.list(of: all, rows: 5).visible == 0..<5)
    }

    @Test func `follows a click, but not one below the list`() {
        var selection = OperationSelection()
        let hit = selection.click(row: 2, in: ids(1...3), rows: 9)
        #expect(hit)
        #expect(selection.selected(in: ids(1...3)) == OperationID(rawValue: 1))
        let miss = selection.click(row: 3, in: ids(1...3), rows: 9)
        #expect(!miss)
    }
}
