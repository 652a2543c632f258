import TerminalUI

/// Tells the pieces of a line apart, and knows what goes on across its end.
protocol LineScanner: Sendable {
    /// - Parameters:
    ///   - state: what the line begins in; 0 at the start of the text.
    ///   - emit: gets the pieces in order, each once.
    /// - Returns: what the next line begins in.
    func scan(_ line: Range<Int>, _ bytes: UnsafePointer<UInt8>, from state: UInt8, emit: (Range<Int>, ThemeRole) -> Void) -> UInt8
}

extension LineScanner {
    /// Behind a line too long to be coloured everything begins anew: its state would have to be found each time it is drawn.
    fileprivate func state(behind line: Range<Int>, from state: UInt8, _ bytes: UnsafePointer<UInt8>) -> UInt8 {
        line.count > TextFormat.longestColoured ? 0 : scan(line, bytes, from: state) { _, _ in }
    }
}

/// Finds the lines of a text as they were sent, and what goes on across their ends.
struct ScannedIndexer<Scanner: LineScanner>: LineIndexer {
    private(set) var position: Int
    private let scanner: Scanner
    private var state: UInt8 = 0

    init(start: Int, _ scanner: Scanner) {
        position = start
        self.scanner = scanner
    }

    mutating func advance(_ buffer: UnsafeBufferPointer<UInt8>, until stop: Int, into sink: inout CheckpointSink) -> Bool {
        guard let bytes = buffer.baseAddress else { return true }
        while position < buffer.count {
            if position >= stop { return false }
            sink.add(LineStart(offset: position, state: state))
            let next = TextIndexer.endOfLine(bytes, position, buffer.count)
            state = scanner.state(behind: position..<next, from: state, bytes)
            position = next
        }
        return true
    }
}

/// Lays out a text as it was sent, coloured.
struct ScannedFormat<Scanner: LineScanner>: LineFormat {
    let scanner: Scanner
    let ends: LineEndCache

    func layout(
        _ start: LineStart, in buffer: UnsafeBufferPointer<UInt8>, failure: FormatFailure?, into layout: inout LineLayout
    ) -> LineStart? {
        guard let bytes = buffer.baseAddress, start.offset < buffer.count else { return nil }
        let next = ends.endOfLine(start.offset, bytes, buffer.count)
        let end = TextFormat.withoutLineEnd(start.offset, next, bytes)
        if next - start.offset > TextFormat.longestColoured {
            layout.append(start.offset..<end, .text)
        } else {
            _ = scanner.scan(start.offset..<end, bytes, from: start.state) { layout.append($0, $1) }
        }
        guard next < buffer.count else { return nil }
        return LineStart(offset: next, state: scanner.state(behind: start.offset..<next, from: start.state, bytes))
    }
}

extension CodeScanner.Language: LineScanner {
    func scan(
        _ line: Range<Int>, _ bytes: UnsafePointer<UInt8>, from state: UInt8, emit: (Range<Int>, ThemeRole) -> Void
    ) -> UInt8 { CodeScanner.scan(line, bytes, from: state, self, emit: emit) }
}

struct MarkupLines: LineScanner {
    let isHTML: Bool

    func scan(
        _ line: Range<Int>, _ bytes: UnsafePointer<UInt8>, from state: UInt8, emit: (Range<Int>, ThemeRole) -> Void
    ) -> UInt8 { MarkupScanner.scan(line, bytes, from: state, isHTML: isHTML, emit) }
}
