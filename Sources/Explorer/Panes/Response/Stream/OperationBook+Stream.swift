import NetworkLayer
import OrderedCollections
import Presentation

/// What comes of a stream, whether it is on the screen or not.
extension OperationBook {
    mutating func readStream(of id: OperationID, _ kind: BodyKind, attempt: Int, isWhole: Bool) -> [ExplorerEffect] {
        if self[id]?.stream?.attempt != attempt { self[id]?.stream = StreamTable(kind, attempt: attempt) }
        guard self[id]?.stream?.isPending == false, self[id]?.stream?.isComplete == false else { return [] }
        self[id]?.stream?.isPending = true
        self[id]?.stream?.isWholeAsked = isWhole
        return [.readStream(id, kind, attempt: attempt, isWhole: isWhole)]
    }

    /// - Returns: whether there are more records to filter.
    mutating func arrived(_ records: [StreamRecord], of id: OperationID, attempt: Int, isLast: Bool) -> Bool {
        guard self[id]?.stream?.attempt == attempt, self[id]?.isReleased == false else { return false }
        self[id]?.stream?.append(records)
        if isLast {
            self[id]?.stream?.isPending = false
            // What was asked for before the end has left out what came with it: that is asked for next.
            let isWhole = self[id]?.stream?.isWholeAsked == true
            self[id]?.stream?.isComplete = isWhole
        }
        return true
    }

    /// Begins, goes on with, or ends the filter of a table.
    mutating func filterStream(of id: OperationID, by text: String) -> [ExplorerEffect] {
        if text.isEmpty {
            if self[id]?.stream?.filter != nil { self[id]?.stream?.filter = nil }
            return []
        }
        if self[id]?.stream?.filter?.text != text { self[id]?.stream?.filter = StreamFilter(text) }
        guard let table = self[id]?.stream, let next = table.filter?.next(of: table.numbers) else { return [] }
        self[id]?.stream?.filter?.isPending = true
        let first = table.numbers.lowerBound
        // A copy of the part: who held on to the whole would make each new record copy all of them.
        return [.filterStream(id, filter: text, Array(table.records[next.lowerBound - first..<next.upperBound - first]))]
    }

    /// - Returns: whether there are more records to filter.
    mutating func filtered(
        _ id: OperationID, by text: String, _ numbers: [Int], of looked: Range<Int>, _ failure: String?
    ) -> Bool {
        guard self[id]?.stream?.filter?.text == text else { return false }
        self[id]?.stream?.filter?.merge(numbers, of: looked)
        self[id]?.stream?.filter?.failure = failure
        if let first = self[id]?.stream?.numbers.lowerBound { self[id]?.stream?.filter?.forget(before: first) }
        return true
    }
}
