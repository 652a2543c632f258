import TerminalUI

/// Finds the lines of markup as they were sent, and what goes on across their ends.
struct MarkupIndexer: LineIndexer {
    private(set) var position: Int
    private let isHTML: Bool
    private var state = MarkupScanner.State.text

    init(start: Int, isHTML: Bool) {
        position = start
        self.isHTML = isHTML
    }

    mutating func advance(_ buffer: UnsafeBufferPointer<UInt8>, until stop: Int, into sink: inout CheckpointSink) -> Bool {
        guard let bytes = buffer.baseAddress else { return true }
        while position < buffer.count {
            if position >= stop { return false }
            sink.add(LineStart(offset: position, state: state))
            let next = TextIndexer.endOfLine(bytes, position, buffer.count)
            state = MarkupFormat.state(behind: position..<next, from: state, bytes, isHTML: isHTML)
            position = next
        }
        return true
    }
}

/// Lays out markup as it was sent, coloured.
struct MarkupFormat: LineFormat {
    var isHTML: Bool
    let ends: LongEnds

    func layout(
        _ start: LineStart, in buffer: UnsafeBufferPointer<UInt8>, failure: FormatFailure?, into layout: inout LineLayout
    ) -> LineStart? {
        guard let bytes = buffer.baseAddress, start.offset < buffer.count else { return nil }
        let next = ends.endOfLine(start.offset, bytes, buffer.count)
        let end = TextFormat.withoutLineEnd(start.offset, next, bytes)
        if next - start.offset > TextFormat.longestColoured {
            layout.append(start.offset..<end, .text)
        } else {
            _ = MarkupScanner.scan(start.offset..<end, bytes, from: start.state, isHTML: isHTML) { layout.append($0, $1) }
        }
        guard next < buffer.count else { return nil }
        return LineStart(offset: next, state: Self.state(behind: start.offset..<next, from: start.state, bytes, isHTML: isHTML))
    }

    /// Behind a line too long to be coloured everything begins anew: its state would have to be found each time it is drawn.
    static func state(behind line: Range<Int>, from state: UInt8, _ bytes: UnsafePointer<UInt8>, isHTML: Bool) -> UInt8 {
        if line.count > TextFormat.longestColoured { return MarkupScanner.State.text }
        return MarkupScanner.scan(line, bytes, from: state, isHTML: isHTML) { _, _ in }
    }
}
