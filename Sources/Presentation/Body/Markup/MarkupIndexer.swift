/// Finds the lines of indented XML or HTML by laying each out.
struct MarkupIndexer<Format: LineFormat>: LineIndexer {
    private(set) var position: Int
    private let format: Format
    private var next: LineStart?
    private var layout = LineLayout()

    init(_ format: Format, start: Int, in buffer: UnsafeBufferPointer<UInt8>) {
        self.format = format
        position = start
        if let bytes = buffer.baseAddress {
            let first = JSONScanner.skipSpace(bytes, start, buffer.count)
            if first < buffer.count { next = LineStart(offset: first) }
        }
    }

    mutating func advance(_ buffer: UnsafeBufferPointer<UInt8>, until stop: Int, into sink: inout CheckpointSink) -> Bool {
        while let start = next {
            position = start.offset
            if position >= stop { return false }
            sink.add(start)
            layout.reset()
            next = format.layout(start, in: buffer, failure: nil, into: &layout)
        }
        position = buffer.count
        return true
    }
}
