package import Base
package import NetworkLayer
import RequestCollections

/// Takes a body apart into records while it comes: only the new part is gone through, and only whole records are taken.
package struct StreamReader: Sendable {
    private let isEvents: Bool
    /// When the session opened whose transcript the body is; `nil`: the body is no transcript.
    private let opened: MonotonicTime?
    /// Bytes of the body up to the first line that isn't whole.
    private var offset = 0
    private var count = 0
    private var parser = ServerSentEventParser()
    private var arrival = 0
    /// Bytes of the lines of an event that has no empty line behind it yet: without one it is none.
    package private(set) var unended = 0

    package init(_ kind: BodyKind, sessionOpened opened: MonotonicTime? = nil) {
        isEvents = kind == .eventStream
        self.opened = opened
    }

    /// The records of the next lines of a transcript; lines between these and those read before may have been dropped.
    ///
    /// - Parameter number: of the first.
    package mutating func read(next lines: Data, from number: Int, redact: (String) -> String) -> [StreamRecord] {
        (offset, count) = (0, number - 1)
        return read(BodyBytes(lines), arrivals: [], isWhole: true, limit: .max, redact: redact)
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
            if offset == 0, !isEvents { offset = Self.endOfByteOrderMark(buffer) }
            var records: [StreamRecord] = []
            var lines = Lines(endsAtReturns: isEvents, isWhole: isWhole, count: buffer.count)
            while records.count < limit, let line = lines.next(bytes, from: offset) {
                offset = line.next
                guard isEvents else {
                    if !line.range.allSatisfy({ JSONScanner.isSpace(bytes[$0]) }) {
                        let text = Self.text(line.range, bytes)
                        if let opened {
                            count += 1
                            records.append(StreamRecord(count, of: text, since: opened, redact))
                        } else {
                            add(kind: nil, id: nil, redact(text), endingAt: offset, arrivals, to: &records)
                        }
                    }
                    continue
                }
                if line.range.isEmpty {
                    unended = 0
                } else if bytes[line.range.lowerBound] != UInt8(ascii: ":") {
                    unended += line.range.count
                }
                if let event = parser.read(Self.text(line.range, bytes)) {
                    add(kind: event.event, id: event.id, redact(event.data), endingAt: offset, arrivals, to: &records)
                }
            }
            return records
        }
    }

    /// A mark at the beginning says only that it is UTF-8.
    private static func endOfByteOrderMark(_ buffer: UnsafeBufferPointer<UInt8>) -> Int {
        buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
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

    private static func text(_ range: Range<Int>, _ bytes: UnsafePointer<UInt8>) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count), as: UTF8.self)
    }
}

/// Takes a body apart at its line ends: of events `\n`, `\r\n` and `\r`, of JSON the first two.
private struct Lines {
    let endsAtReturns: Bool
    /// Whether the stream is complete, so that the last record needs no terminator.
    let isWhole: Bool
    let count: Int
    /// Behind the next `\n`: looked for once, though many lines may end before it.
    private var feed = 0

    init(endsAtReturns: Bool, isWhole: Bool, count: Int) {
        self.endsAtReturns = endsAtReturns
        self.isWhole = isWhole
        self.count = count
    }

    /// The next record without its terminator; `nil`: it isn't complete yet.
    mutating func next(_ bytes: UnsafePointer<UInt8>, from start: Int) -> (range: Range<Int>, next: Int)? {
        var first = start
        // The second half of an end whose first half was the last byte that had come.
        if endsAtReturns, first > 0, first < count, bytes[first - 1] == 0x0D, bytes[first] == 0x0A { first += 1 }
        guard first < count else { return nil }
        if feed <= first { feed = TextIndexer.endOfLine(bytes, first, count) }
        if endsAtReturns, let found = memchr(bytes + first, 0x0D, feed - first) {
            let end = UnsafeRawPointer(bytes).distance(to: UnsafeRawPointer(found))
            return (first..<end, end + 1 < feed && bytes[end + 1] == 0x0A ? end + 2 : end + 1)
        }
        var last = feed
        if bytes[last - 1] == 0x0A {
            last -= 1
        } else if !isWhole {
            return nil
        }
        // RFC 7464 begins each text with this sign.
        if !endsAtReturns, last > first, bytes[first] == 0x1E { first += 1 }
        if last > first, bytes[last - 1] == 0x0D { last -= 1 }
        return (first..<last, feed)
    }
}

/// One event of a stream, or one of its lines of JSON.
package struct StreamRecord: Sendable, Hashable, Identifiable {
    /// From 1, in the order in which they came.
    package var number: Int
    /// When its last byte came; `nil`: that isn't known, of a run of a former session say.
    package var arrived: MonotonicTime?
    /// What the server calls it: `message` unless it says otherwise. `nil`: lines of JSON have no kinds.
    package var kind: String?
    /// The id that the server gave the record.
    package var id: String?
    package var data: String
    /// Of what went through a session: whether we sent it, and its bytes.
    package var passage: Passage?

    package struct Passage: Sendable, Hashable {
        package var isSent: Bool
        package var size: Int

        package init(isSent: Bool, size: Int) {
            self.isSent = isSent
            self.size = size
        }
    }

    package init(_ number: Int, arrived: MonotonicTime? = nil, kind: String? = nil, id: String? = nil, data: String) {
        self.number = number
        self.arrived = arrived
        self.kind = kind
        self.id = id
        self.data = data
    }

    /// A line of the transcript of a session. Bytes are shown in hex.
    fileprivate init(_ number: Int, of line: String, since opened: MonotonicTime, _ redact: (String) -> String) {
        guard let entry = JSONParser.parse(line), let kind = entry["kind"]?.string else {
            self.init(number, data: redact(line))
            return
        }
        var data = redact(entry["text"]?.string ?? "")
        if let code = entry["code"]?.integer {
            data = code == 1005 ? "without a code" : data.isEmpty ? "\(code)" : "\(code) \(data)"
        } else if let count = entry["count"]?.integer {
            data = "\(count) entries aren't kept"
        } else if let bytes = entry["base64"]?.string.flatMap({ Data(base64Encoded: $0) }), !bytes.isEmpty {
            // What nobody may see isn't shown in another form either.
            let text = String(decoding: bytes, as: UTF8.self)
            let isSafe = redact(text) == text
            data =
                isSafe
                ? bytes.prefix(1024).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ") : redact(text)
        }
        self.init(number, kind: kind, data: data)
        guard let direction = entry["direction"]?.string, let size = entry["size"]?.integer else { return }
        passage = Passage(isSent: direction == "sent", size: size)
        arrived = entry["time"]?.scalar.flatMap(Double.init).map { opened + .seconds(min(max(0, $0), 1e9)) }
    }

    /// What it takes in memory, about: bytes.
    package var cost: Int { data.utf8.count + (kind?.utf8.count ?? 0) + 120 }

    /// The data laid out, a member a line.
    package var document: BodyDocument {
        let document = BodyDocument(BodyBytes(Data(data.utf8)))
        document.extendIndexToEnd()
        return document
    }

    /// Whether a text is in it; smart case, as everywhere.
    package func matches(_ pattern: BodyPattern) -> Bool {
        if let kind, pattern.isFound(in: kind) { return true }
        return pattern.isFound(in: data)
    }
}

extension BodyPattern {
    fileprivate func isFound(in text: String) -> Bool {
        var text = text
        return text.withUTF8 { $0.isEmpty ? false : first(in: 0..<$0.count, of: $0) != nil }
    }
}

extension BodyKind {
    /// Whether its parts come one after another, and each is something by itself.
    package var isStream: Bool { self == .eventStream || self == .jsonLines }

    /// The kind of stream of a declared type; `nil`: it is no stream.
    package static func stream(contentType: String?) -> BodyKind? {
        contentType.flatMap { BodyKind(mediaType: ContentType($0).essence) }.flatMap { $0.isStream ? $0 : nil }
    }
}
