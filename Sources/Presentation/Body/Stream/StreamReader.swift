package import NetworkLayer

/// Takes a body apart into records while it comes: only the new part is gone through, and only whole records are taken.
package struct StreamReader: Sendable {
    private let isEvents: Bool
    /// Bytes of the body before the first record that isn't whole.
    private var offset = 0
    private var count = 0
    private var parser = ServerSentEventParser()
    private var arrival = 0

    package init(_ kind: BodyKind) {
        isEvents = kind == .eventStream
    }

    /// The records that are whole by now.
    ///
    /// - Parameters:
    ///   - body: all that has come so far.
    ///   - arrivals: when which part of it came; may be empty.
    ///   - isWhole: no more comes, so the last line counts, too. An event still needs its empty line (WHATWG HTML, section 9.2.6).
    ///   - limit: of records; there may be more then.
    ///   - redact: what nobody may see of a text is masked.
    package mutating func read(
        _ body: BodyBytes, arrivals: [BodyArrival], isWhole: Bool, limit: Int, redact: (String) -> String
    ) -> [StreamRecord] {
        body.withBytes { buffer in
            guard let bytes = buffer.baseAddress, offset < buffer.count else { return [] }
            var records: [StreamRecord] = []
            var reading = parser
            var position = offset
            while records.count < limit, let line = nextLine(bytes, from: position, buffer.count, isWhole: isWhole) {
                position = line.next
                let text = Self.text(line.range, bytes)
                if isEvents {
                    guard let event = reading.read(text) else {
                        // Behind an empty line nothing is open: comments are gone through once.
                        if text.isEmpty { (offset, parser) = (position, reading) }
                        continue
                    }
                    add(kind: event.event, id: event.id, redact(event.data), endingAt: position, arrivals, to: &records)
                    parser = reading
                } else if !line.range.isEmpty {
                    add(kind: nil, id: nil, redact(text), endingAt: position, arrivals, to: &records)
                }
                offset = position
            }
            return records
        }
    }

    private mutating func add(
        kind: String?, id: String?, _ data: String, endingAt end: Int, _ arrivals: [BodyArrival], to records: inout [StreamRecord]
    ) {
        // The older half of many may have been forgotten since.
        if arrival >= arrivals.count || arrival > 0 && arrivals[arrival - 1].end >= end { arrival = 0 }
        while arrival < arrivals.count, arrivals[arrival].end < end { arrival += 1 }
        count += 1
        let time = arrival < arrivals.count ? arrivals[arrival].time : nil
        records.append(StreamRecord(count, arrived: time, kind: kind, id: id, data: data))
    }

    /// Without its end; `nil`: it isn't whole.
    private func nextLine(
        _ bytes: UnsafePointer<UInt8>, from start: Int, _ end: Int, isWhole: Bool
    ) -> (range: Range<Int>, next: Int)? {
        guard start < end else { return nil }
        // RFC 7464 begins each text with this sign.
        let first = !isEvents && bytes[start] == 0x1E ? start + 1 : start
        let next = TextIndexer.endOfLine(bytes, start, end)
        var last = next
        if last > first, bytes[last - 1] == 0x0A {
            last -= 1
        } else if !isWhole {
            return nil
        }
        if last > first, bytes[last - 1] == 0x0D { last -= 1 }
        return (first..<max(first, last), next)
    }

    private static func text(_ range: Range<Int>, _ bytes: UnsafePointer<UInt8>) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count), as: UTF8.self)
    }
}
