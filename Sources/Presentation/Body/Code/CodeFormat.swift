import TerminalUI

/// Finds the lines of a program or a style sheet as they were sent, and what goes on across their ends.
struct CodeIndexer: LineIndexer {
    private(set) var position: Int
    private let language: CodeScanner.Language
    private var state = CodeScanner.State.code

    init(start: Int, language: CodeScanner.Language) {
        position = start
        self.language = language
    }

    mutating func advance(_ buffer: UnsafeBufferPointer<UInt8>, until stop: Int, into sink: inout CheckpointSink) -> Bool {
        guard let bytes = buffer.baseAddress else { return true }
        while position < buffer.count {
            if position >= stop { return false }
            sink.add(LineStart(offset: position, state: state))
            let next = TextIndexer.endOfLine(bytes, position, buffer.count)
            state = CodeFormat.state(behind: position..<next, from: state, bytes, language)
            position = next
        }
        return true
    }
}

/// Lays out YAML, style sheets and JavaScript as they were sent, coloured.
struct CodeFormat: LineFormat {
    var language: CodeScanner.Language
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
            _ = CodeScanner.scan(start.offset..<end, bytes, from: start.state, language) { layout.append($0, $1) }
        }
        guard next < buffer.count else { return nil }
        return LineStart(offset: next, state: Self.state(behind: start.offset..<next, from: start.state, bytes, language))
    }

    /// Behind a line too long to be coloured everything begins anew: its state would have to be found each time it is drawn.
    static func state(
        behind line: Range<Int>, from state: UInt8, _ bytes: UnsafePointer<UInt8>, _ language: CodeScanner.Language
    ) -> UInt8 {
        if line.count > TextFormat.longestColoured { return CodeScanner.State.code }
        return CodeScanner.scan(line, bytes, from: state, language) { _, _ in }
    }
}
