import Base

/// Which value of a JSON text a line is about: where it is in the whole, and what it says.
package struct JSONPlace: Sendable, Hashable {
    /// As jq writes it: `.items[2].name`, `.["x y"]`, `.` for the whole.
    package var path: String
    /// As it was sent; without its quotes and escapes when it is a string.
    package var value: String
    package var kind: Kind

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
    /// A look for the place of a line goes over the body from its start: no longer than a key may wait.
    private static let longestForPlace = 1 << 20

    /// The value that a line begins or ends. `nil` where the body isn't one JSON value, isn't laid out, or is over 1 MiB.
    package func jsonPlace(ofLine line: Int) -> JSONPlace? {
        guard kind == .json, mode == .pretty, bytes.count <= Self.longestForPlace else { return nil }
        extendIndexToEnd()
        guard failure == nil, let offset = bytes(ofLine: line)?.lowerBound else { return nil }
        return bytes.withBytes { buffer in
            guard let bytes = buffer.baseAddress else { return nil }
            var walk = JSONWalk(bytes, end: buffer.count)
            guard let value = walk.value(at: offset) else { return nil }
            return JSONPlace(path: walk.path, value: Self.text(of: buffer[value]), kind: .init(buffer[value].first ?? 0))
        }
    }

    private static func text(of value: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        if value.first == 0x22, let string = try? JSONDecoder().decode(String.self, from: Data(value)) { return string }
        return String(decoding: value, as: UTF8.self)
    }
}

/// Goes over a JSON text that was checked before, and keeps where it is.
private struct JSONWalk {
    private let bytes: UnsafePointer<UInt8>
    private let end: Int
    private var open: [Container] = []

    private struct Container {
        let start: Int
        let isObject: Bool
        /// Quotes included; `nil` before the first member.
        var key: Range<Int>?
        var index = 0
    }

    init(_ bytes: UnsafePointer<UInt8>, end: Int) {
        self.bytes = bytes
        self.end = end
    }

    /// The value that begins at a byte, or at the key there, or ends with the bracket there; afterwards ``path`` leads to it.
    mutating func value(at offset: Int) -> Range<Int>? {
        var position = 0
        while true {
            position = JSONScanner.skipSpace(bytes, position, end)
            guard position < end else { return nil }
            switch bytes[position] {
            case 0x7B, 0x5B:
                if position >= offset { return position..<endOfContainer(position) }
                open.append(Container(start: position, isObject: bytes[position] == 0x7B))
                position += 1
            case 0x7D, 0x5D:
                guard let closed = open.popLast() else { return nil }
                if position >= offset { return closed.start..<position + 1 }
                position += 1
            case 0x2C:
                if let last = open.indices.last {
                    open[last].key = nil
                    open[last].index += 1
                }
                position += 1
            case 0x3A: position += 1
            case 0x22:
                let stringEnd = JSONScanner.endOfString(bytes, position, end)
                if let last = open.indices.last, open[last].isObject, open[last].key == nil {
                    open[last].key = position..<stringEnd
                } else if position >= offset {
                    return position..<stringEnd
                }
                position = stringEnd
            case 0xEF where position == 0: position = min(3, end)
            default:
                let scalarEnd = JSONScanner.endOfScalar(bytes, position, end)
                if position >= offset { return position..<scalarEnd }
                position = scalarEnd
            }
        }
    }

    private func endOfContainer(_ start: Int) -> Int {
        var depth = 0
        var position = start
        while position < end {
            switch bytes[position] {
            case 0x22:
                position = JSONScanner.endOfString(bytes, position, end)
                continue
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D:
                depth -= 1
                if depth == 0 { return position + 1 }
            default: break
            }
            position += 1
        }
        return end
    }

    var path: String {
        var path = "."
        for container in open {
            guard container.isObject else {
                path += "[\(container.index)]"
                continue
            }
            guard let key = container.key else { continue }
            let name = key.lowerBound + 1..<max(key.lowerBound + 1, key.upperBound - 1)
            if isIdentifier(name) {
                path += path == "." ? text(name) : "." + text(name)
            } else {
                // What JSON escapes jq escapes the same way.
                path += "[\(text(key))]"
            }
        }
        return path
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(start: bytes, count: end)[range]), as: UTF8.self)
    }

    private func isIdentifier(_ range: Range<Int>) -> Bool {
        guard let first = range.first, !JSONScanner.isDigit(bytes[first]) else { return false }
        return range.allSatisfy { index in
            let byte = bytes[index]
            return byte == 0x5F || JSONScanner.isDigit(byte) || (byte | 0x20) &- 0x61 < 26
        }
    }
}
