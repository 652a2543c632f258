import Synchronization

/// Remembers at which byte which column starts, within the few very long pieces looked at last, so that paging sideways
/// through a line of 100 MB doesn't begin at its start each time.
final class ColumnAnchors: Sendable {
    /// Bytes from one to the next.
    static let spacing = 1 << 16
    private static let pieces = 8

    private let known = Mutex<[Piece]>([])

    private struct Piece {
        var start: Int
        var offsets: [Int]
        var columns: [Int]
    }

    /// The last noted place in `range` whose column is at or left of `column`.
    ///
    /// - Parameter first: the column at which the piece starts. It is always the same for the same piece.
    func last(before column: Int, in range: Range<Int>, from first: Int) -> (offset: Int, column: Int)? {
        known.withLock { pieces in
            guard let piece = pieces.first(where: { $0.start == range.lowerBound }), piece.columns.first == first else {
                return nil
            }
            var low = 0
            var high = piece.columns.count
            while low < high {
                let middle = (low + high) / 2
                if piece.columns[middle] <= column { low = middle + 1 } else { high = middle }
            }
            return low > 0 ? (piece.offsets[low - 1], piece.columns[low - 1]) : nil
        }
    }

    func note(_ offset: Int, _ column: Int, in range: Range<Int>) {
        guard range.count > Self.spacing else { return }
        known.withLock { pieces in
            if let index = pieces.firstIndex(where: { $0.start == range.lowerBound }) {
                guard offset >= pieces[index].offsets.last! + Self.spacing else { return }
                pieces[index].offsets.append(offset)
                pieces[index].columns.append(column)
            } else if offset == range.lowerBound {
                if pieces.count == Self.pieces { pieces.removeFirst() }
                pieces.append(Piece(start: offset, offsets: [offset], columns: [column]))
            }
        }
    }
}
