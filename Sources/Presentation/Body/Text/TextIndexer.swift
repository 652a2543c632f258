import Base

/// Finds lines as they were sent: each ends behind its LF. Stops within a line too, where it is long.
struct TextIndexer: LineIndexer {
    private(set) var position: Int
    private let state: UInt8
    private var isAtStart = true

    init(start: Int, state: UInt8 = 0) {
        position = start
        self.state = state
    }

    mutating func advance(_ buffer: UnsafeBufferPointer<UInt8>, until stop: Int, into sink: inout CheckpointSink) -> Bool {
        guard let bytes = buffer.baseAddress else { return true }
        let end = min(buffer.count, stop)
        while position < end {
            if isAtStart { sink.add(LineStart(offset: position, state: state)) }
            position = Self.endOfLine(bytes, position, end)
            isAtStart = bytes[position - 1] == 0x0A
        }
        return position >= buffer.count
    }

    /// Behind the next LF; `end` if there is none.
    @inline(__always)
    static func endOfLine(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        guard let found = memchr(bytes + start, 0x0A, end &- start) else { return end }
        return UnsafeRawPointer(bytes).distance(to: UnsafeRawPointer(found)) &+ 1
    }
}
