/// Checks JSON and finds where the lines of its indented form start, in one pass.
///
/// It stops and goes on between lines, so all it knows is here: the place, what may come next, and for each open container
/// one bit that says whether it is an object. 100,000 nested arrays cost 12 KB.
struct JSONIndexer: LineIndexer {
    private(set) var position: Int
    private(set) var failure: FormatFailure?
    private var expected = Expected.value
    private var containers = BitStack()
    private var rest: TextIndexer?
    private let ends: LineEndCache
    /// Whether behind a value there may be another one.
    private let isSequence: Bool
    /// Whether more is to come: an end inside of something is none.
    private let isPartial: Bool

    private enum Expected: UInt8 {
        case value, key, colon, separator, end
    }

    init(start: Int, ends: LineEndCache, isSequence: Bool = false, isPartial: Bool = false) {
        position = start
        self.ends = ends
        self.isSequence = isSequence
        self.isPartial = isPartial
    }

    mutating func advance(_ buffer: UnsafeBufferPointer<UInt8>, until stop: Int, into sink: inout CheckpointSink) -> Bool {
        if failure != nil { return advanceRest(buffer, until: stop, into: &sink) }
        guard let bytes = buffer.baseAddress else { return true }
        let end = buffer.count
        var position = self.position
        var depth = containers.count
        var fault = 0
        defer { self.position = max(self.position, position) }

        while true {
            position = JSONScanner.skipSpace(bytes, position, end)
            guard position < end else {
                if isPartial || expected == .end || (expected == .value && sink.count == 0) { return true }
                return fail(at: end, restart: end, unexpectedEnd(), buffer, until: stop, into: &sink)
            }
            let byte = bytes[position]
            switch expected {
            case .value:
                // Behind a colon the value stands on the line of its key.
                let startsLine = depth == 0 || !containers.top
                if startsLine, position >= stop { return false }
                if byte == 0x7B || byte == 0x5B {
                    if startsLine { sink.add(LineStart(offset: position, depth: Int32(truncatingIfNeeded: depth))) }
                    let inside = JSONScanner.skipSpace(bytes, position &+ 1, end)
                    if inside < end, bytes[inside] == byte &+ 2 {
                        position = inside &+ 1
                        expected = depth == 0 ? .end : .separator
                    } else {
                        containers.push(byte == 0x7B)
                        depth &+= 1
                        expected = byte == 0x7B ? .key : .value
                        position &+= 1
                    }
                    continue
                }
                let next: Int?
                if byte == 0x22 {
                    next = JSONScanner.checkedEndOfString(bytes, position, end, fault: &fault)
                } else if byte == 0x2D || JSONScanner.isDigit(byte) {
                    next = JSONScanner.checkedEndOfNumber(bytes, position, end, fault: &fault)
                } else {
                    next = JSONScanner.checkedEndOfWord(bytes, position, end, fault: &fault)
                }
                guard let next else {
                    if isPartial, fault + 1 >= end || JSONScanner.isBegunWord(bytes, position, end) { return true }
                    return fail(at: fault, restart: position, reason(value: byte, fault, buffer), buffer, until: stop, into: &sink)
                }
                if startsLine { sink.add(LineStart(offset: position, depth: Int32(truncatingIfNeeded: depth))) }
                if next &- position > LineEndCache.reach { ends.note(position..<next) }
                position = next
                expected = depth == 0 ? .end : .separator

            case .key:
                if position >= stop { return false }
                guard byte == 0x22 else {
                    let reason = "expected a key in quotes, found \(shown(position, buffer))"
                    return fail(at: position, restart: position, reason, buffer, until: stop, into: &sink)
                }
                guard let next = JSONScanner.checkedEndOfString(bytes, position, end, fault: &fault) else {
                    if isPartial, fault + 1 >= end { return true }
                    return fail(at: fault, restart: position, reason(value: byte, fault, buffer), buffer, until: stop, into: &sink)
                }
                sink.add(LineStart(offset: position, depth: Int32(truncatingIfNeeded: depth)))
                position = next
                expected = .colon

            case .colon:
                guard byte == 0x3A else {
                    let reason = "expected a colon behind the key, found \(shown(position, buffer))"
                    return fail(at: position, restart: position, reason, buffer, until: stop, into: &sink)
                }
                position &+= 1
                expected = .value

            case .separator:
                if byte == 0x2C {
                    position &+= 1
                    expected = containers.top ? .key : .value
                } else if byte == (containers.top ? 0x7D : 0x5D) {
                    if position >= stop { return false }
                    containers.pop()
                    depth &-= 1
                    sink.add(LineStart(offset: position, depth: Int32(truncatingIfNeeded: depth)))
                    position &+= 1
                    expected = depth == 0 ? .end : .separator
                } else {
                    let reason = "expected , or \(containers.top ? "}" : "]"), found \(shown(position, buffer))"
                    return fail(at: position, restart: position, reason, buffer, until: stop, into: &sink)
                }

            case .end where isSequence:
                expected = .value

            case .end:
                let reason = "expected the end, found \(shown(position, buffer))"
                return fail(at: position, restart: position, reason, buffer, until: stop, into: &sink)
            }
        }
    }

    // MARK: What is not JSON

    private mutating func fail(
        at offset: Int, restart: Int, _ reason: String, _ buffer: UnsafeBufferPointer<UInt8>, until stop: Int,
        into sink: inout CheckpointSink
    ) -> Bool {
        failure = FormatFailure(offset: offset, restart: restart, reason: reason)
        rest = TextIndexer(start: restart, state: JSONFormat.State.raw)
        sink.add(LineStart(offset: restart, state: JSONFormat.State.note))
        return advanceRest(buffer, until: stop, into: &sink)
    }

    private mutating func advanceRest(
        _ buffer: UnsafeBufferPointer<UInt8>, until stop: Int, into sink: inout CheckpointSink
    ) -> Bool {
        let isDone = rest!.advance(buffer, until: stop, into: &sink)
        position = rest!.position
        return isDone
    }

    private func unexpectedEnd() -> String {
        switch containers.count {
        case 0: "it ends too early"
        case 1: "it ends inside of \(containers.top ? "an object" : "an array")"
        case let count: "it ends inside of \(containers.top ? "an object" : "an array"), \(count) levels deep"
        }
    }

    private func reason(value first: UInt8, _ fault: Int, _ buffer: UnsafeBufferPointer<UInt8>) -> String {
        switch first {
        case 0x22:
            guard fault < buffer.count else { return "a string has no closing quote" }
            return buffer[fault] < 0x20
                ? "a string contains \(shown(fault, buffer)), which must be escaped" : "a string contains a wrong escape"
        case 0x2D, 0x30...0x39: return "a number goes on with \(shown(fault, buffer))"
        default: return "expected a value, found \(shown(fault, buffer))"
        }
    }

    private func shown(_ offset: Int, _ buffer: UnsafeBufferPointer<UInt8>) -> String {
        guard offset < buffer.count else { return "the end" }
        let byte = buffer[offset]
        if byte > 0x20, byte < 0x7F { return "\(Character(Unicode.Scalar(byte)))" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x" + (digits.count < 2 ? "0" : "") + digits
    }
}

/// A stack of booleans in the bits of words.
struct BitStack: Sendable {
    private var words: [UInt64] = []
    private var current: UInt64 = 0
    private(set) var count = 0

    /// `false` when empty.
    @inline(__always)
    var top: Bool { current & 1 != 0 }

    @inline(__always)
    mutating func push(_ bit: Bool) {
        if count & 63 == 0, count > 0 { words.append(current) }
        current = current &<< 1 | (bit ? 1 : 0)
        count &+= 1
    }

    @inline(__always)
    mutating func pop() {
        count &-= 1
        current = current &>> 1
        if count & 63 == 0 { current = words.popLast() ?? 0 }
    }
}
