import Synchronization

/// Remembers at which byte which column starts, within the few very long pieces looked at last, so that paging sideways
/// through a line of 100 MB doesn't begin at its start each time.
final class ColumnAnchors: Sendable {
    /// Bytes from one to the next.
    static let spacing = 1 << 16
    private static let pieces = 8

    private let known = Mutex<[Piece]>([])
    private let bytes: BodyBytes

    init(_ bytes: BodyBytes) {
        self.bytes = bytes
    }

    private struct Piece {
        var start: Int
        var offsets: [Int]
        var columns: [Int]
    }

    /// The last noted place in `range` whose column is at or left of `column`.
    ///
    /// - Parameter first: the column at which the piece starts. It is always the same for the same piece.
    func last(before column: Int, in range: Range<Int>, from first: Int) -> (offset: Int, column: Int)? {
        last(in: range, from: first) { $0.columns.partition(at: column) }
    }

    /// The last noted place in `range` at or before a byte.
    func last(beforeByte offset: Int, in range: Range<Int>, from first: Int) -> (offset: Int, column: Int)? {
        last(in: range, from: first) { $0.offsets.partition(at: offset) }
    }

    private func last(in range: Range<Int>, from first: Int, _ index: (Piece) -> Int) -> (offset: Int, column: Int)? {
        known.withLock { pieces in
            guard let piece = pieces.first(where: { $0.start == range.lowerBound }), piece.columns.first == first else {
                return nil
            }
            let behind = index(piece)
            return behind > 0 ? (piece.offsets[behind - 1], piece.columns[behind - 1]) : nil
        }
    }

    func note(_ offset: Int, _ column: Int, in range: Range<Int>) {
        guard range.count > Self.spacing else { return }
        known.withLock { pieces in
            if let index = pieces.firstIndex(where: { $0.start == range.lowerBound }) {
                let last = pieces[index].offsets.last!
                guard offset >= last + Self.spacing else { return }
                bytes.forget(last..<offset)
                pieces[index].offsets.append(offset)
                pieces[index].columns.append(column)
            } else if offset == range.lowerBound {
                if pieces.count == Self.pieces { pieces.removeFirst() }
                pieces.append(Piece(start: offset, offsets: [offset], columns: [column]))
            }
        }
    }
}

extension [Int] {
    /// The number of elements, in order, that are at most `value`.
    fileprivate func partition(at value: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
