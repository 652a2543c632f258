import Base
import Synchronization

/// Which value of a JSON text a line is about: where it is in the whole, and what it is.
package struct JSONPlace: Sendable, Hashable {
    /// As jq writes it: `.items[2].name`, `.["x y"]`, `.` for the whole.
    package var path: String
    package var kind: Kind
    /// The line only has the bracket that closes it.
    package var isEnd: Bool
    /// The byte that it begins at.
    fileprivate var start: Int

    package enum Kind: Sendable, Hashable {
        case string, number, boolean, null, object, array

        /// Finds out the kind of a value from its first byte.
        init(_ first: UInt8) {
            switch first {
            case UInt8(ascii: "\""): self = .string
            case UInt8(ascii: "{"): self = .object
            case UInt8(ascii: "["): self = .array
            case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
            case UInt8(ascii: "n"): self = .null
            default: self = .number
            }
        }
    }
}

extension BodyDocument {
    /// No key waits longer than it takes to go over so many bytes: 1 MiB takes about 2 ms.
    private static let longestWalk = 1 << 20
    /// From one noted place to the next.
    private static let placeSpacing = 1 << 18
    /// What is nested more deeply isn't noted.
    private static let deepestPlace = 1 << 10

    /// Notes places for about 1 MiB more, for lines further from the start than a key may wait for. Any thread.
    ///
    /// - Returns: whether there is more to do.
    package func extendPlaces() -> Bool {
        guard kind == .json, mode == .pretty, bytes.count > Self.longestWalk, failure == nil else { return false }
        let from = places.withLock { $0.last?.position ?? 0 }
        let target = min(from + Self.longestWalk, bytes.count)
        _ = walk(to: [target])
        bytes.forget(from..<target)
        return places.withLock { $0.last?.position ?? 0 } > from && target < bytes.count
    }

    /// The value that a line begins or ends. `nil` where the body isn't one JSON value or isn't laid out, and in a long one as long as
    /// its places are still to be noted.
    package func jsonPlace(ofLine line: Int) -> JSONPlace? { jsonPlaces(ofLines: [line])[0] }

    /// The same for several lines, in their order.
    package func jsonPlaces(ofLines lines: [Int]) -> [JSONPlace?] {
        let none = lines.map { _ in JSONPlace?.none }
        guard kind == .json, mode == .pretty else { return none }
        if bytes.count <= Self.longestWalk { extendIndexToEnd() }
        let offsets = lines.map { bytes(ofLine: $0)?.lowerBound }
        guard failure == nil else { return none }
        var found = walk(to: offsets.compactMap(\.self))[...]
        return offsets.map { $0 == nil ? nil : found.removeFirst() }
    }

    /// What begins or ends at bytes, in their order; walks on from the last noted place before each.
    private func walk(to offsets: [Int]) -> [JSONPlace?] {
        bytes.withBytes { buffer in
            guard let bytes = buffer.baseAddress else { return offsets.map { _ in nil } }
            var walk = JSONWalk()
            return offsets.map { offset in
                let noted = places.withLock { places in places.last { $0.position <= offset } } ?? JSONWalk()
                if noted.position > walk.position || walk.position > offset { walk = noted }
                guard offset - walk.position <= Self.longestWalk else { return nil }
                var next = min(buffer.count, walk.position + Self.placeSpacing)
                while next < offset {
                    let before = walk
                    guard walk.value(at: next, bytes, buffer.count) != nil else { return nil }
                    defer { if walk.position > offset { walk = before } }
                    if walk.depth <= Self.deepestPlace {
                        places.withLock { if $0.last?.position ?? 0 < walk.position { $0.append(walk) } }
                    }
                    next = max(next, walk.position) + Self.placeSpacing
                }
                guard let start = walk.value(at: offset, bytes, buffer.count) else { return nil }
                return JSONPlace(path: walk.path(bytes), kind: .init(bytes[start]), isEnd: start < offset, start: start)
            }
        }
    }

    /// What a value says, as it was sent; without its quotes and escapes when it is a string. `nil`: it is longer than `limit` bytes.
    package func value(of place: JSONPlace, limit: Int = .max) -> String? {
        bytes.withBytes { buffer in
            guard let bytes = buffer.baseAddress, place.start < buffer.count else { return nil }
            let end = limit < buffer.count - place.start ? place.start + limit : buffer.count
            guard let valueEnd = JSONWalk.end(of: place.start, bytes, end) else { return nil }
            let value = Data(buffer[place.start..<valueEnd])
            if place.kind == .string, let string = try? JSONDecoder().decode(String.self, from: value) { return string }
            return String(decoding: value, as: UTF8.self)
        }
    }
}

/// Goes over a JSON text that was checked before, and keeps where it is.
struct JSONWalk: Sendable {
    /// Of the next token.
    private(set) var position = 0
    private var open: [Container] = []

    private struct Container {
        let start: Int
        let isObject: Bool
        /// Quotes included; `nil` before the first member.
        var key: Range<Int>?
        var index = 0
    }

    var depth: Int { open.count }

    /// The start of the value that begins at a byte, or at the key there, or ends with the bracket there, or is the next one; afterwards
    /// ``path(_:)`` leads to it. The walk goes on from there to later bytes.
    mutating func value(at offset: Int, _ bytes: UnsafePointer<UInt8>, _ end: Int) -> Int? {
        while true {
            position = JSONScanner.skipSpace(bytes, position, end)
            guard position < end else { return nil }
            switch bytes[position] {
            case 0x7B, 0x5B:
                if position >= offset { return position }
                open.append(Container(start: position, isObject: bytes[position] == 0x7B))
                position += 1
            case 0x7D, 0x5D:
                guard let closed = open.popLast() else { return nil }
                position += 1
                if position > offset { return closed.start }
            case 0x2C:
                if let last = open.indices.last {
                    open[last].key = nil
                    open[last].index += 1
                }
                position += 1
            case 0x3A: position += 1
            case 0x22:
                let isKey = open.last.map { $0.isObject && $0.key == nil } ?? false
                if !isKey, position >= offset { return position }
                let stringEnd = JSONScanner.endOfString(bytes, position, end)
                if isKey { open[open.count - 1].key = position..<stringEnd }
                position = stringEnd
            case 0xEF where position == 0: position = min(3, end)
            default:
                if position >= offset { return position }
                position = JSONScanner.endOfScalar(bytes, position, end)
            }
        }
    }

    /// Behind the value that begins at a byte; `nil`: it goes on behind `end`.
    static func end(of start: Int, _ bytes: UnsafePointer<UInt8>, _ end: Int) -> Int? {
        var depth = 0
        var position = start
        while position < end {
            switch bytes[position] {
            case 0x22:
                guard case .end(let found) = JSONScanner.endOfString(bytes, inside: position + 1, end) else { return nil }
                position = found
            case 0x7B, 0x5B:
                depth += 1
                position += 1
            case 0x7D, 0x5D:
                depth -= 1
                position += 1
            case _ where depth == 0: position = JSONScanner.endOfScalar(bytes, position, end)
            default: position += 1
            }
            if depth == 0 { return position }
        }
        return nil
    }

    func path(_ bytes: UnsafePointer<UInt8>) -> String {
        func text(_ range: Range<Int>) -> String {
            String(decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count), as: UTF8.self)
        }
        func isIdentifier(_ range: Range<Int>) -> Bool {
            guard let first = range.first, !JSONScanner.isDigit(bytes[first]) else { return false }
            return range.allSatisfy { index in
                let byte = bytes[index]
                return byte == 0x5F || JSONScanner.isDigit(byte) || (byte | 0x20) &- 0x61 < 26
            }
        }
        var path = "."
        for container in open {
            guard container.isObject else {
                path += "[\(container.index)]"
                continue
            }
            guard let key = container.key else { continue }
            let name = key.lowerBound + 1..<max(key.lowerBound + 1, key.upperBound - 1)
            // What JSON escapes jq escapes the same way.
            path += isIdentifier(name) ? (path == "." ? "" : ".") + text(name) : "[\(text(key))]"
        }
        return path
    }
}
