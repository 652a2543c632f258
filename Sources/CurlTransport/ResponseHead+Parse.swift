import Base
import HTTPTypes
import NetworkLayer

extension ResponseHead {
    /// Reads a whole head: a status line, fields, an empty line, as libcurl hands them out.
    ///
    /// Lines that aren't fields are left out of `headers`, and so is what is beyond `HTTPFields.limit`; `raw` has them. A folded line
    /// continues the value before it (RFC 9112, section 5.2).
    init(parsing bytes: UnsafeRawBufferPointer, names: FieldNameCache) {
        var lines = HeaderLines(bytes)
        var version = "HTTP/1.1"
        var status = HTTPResponse.Status(code: 0)
        if let line = lines.next() {
            let parts = UnsafeRawBufferPointer(rebasing: line)
            let space = parts.firstIndex(of: HeaderLines.space) ?? parts.count
            version = String(decoding: parts[..<space], as: UTF8.self)
            let rest = parts[space...].drop { $0 == HeaderLines.space }
            let digits = rest.prefix { (0x30...0x39).contains($0) }.prefix(3)
            let reason = rest.dropFirst(digits.count).drop { $0 == HeaderLines.space }
            let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            status = HTTPResponse.Status(code: code, reasonPhrase: String(decoding: reason, as: UTF8.self))
        }
        var headers = HTTPFields()
        headers.reserveCapacity(12)
        // The last field, once a folded line has continued it: put together at its end, since there may be many such lines.
        var folded: [UInt8] = []
        func endFolding() {
            guard !folded.isEmpty, let last = headers.last else { return }
            headers[headers.index(before: headers.endIndex)] = HTTPField(name: last.name, lenientValue: folded)
            folded.removeAll()
        }
        while let line = lines.next() {
            if line.first == HeaderLines.space || line.first == HeaderLines.tab {
                guard let last = headers.last else { continue }
                // Blanks at the end of a value are none of it.
                let rest = HeaderLines.trim(line)
                guard !rest.isEmpty else { continue }
                if folded.isEmpty { folded += last.value.utf8 }
                if !folded.isEmpty { folded.append(HeaderLines.space) }
                folded += HeaderLines.text(rest).utf8
            } else if let field = HeaderLines.split(line), let name = names.name(UnsafeRawBufferPointer(rebasing: field.name)) {
                endFolding()
                guard headers.count < HTTPFields.limit else { break }
                // The next request asks for the very bytes of a Location.
                if name == .location || HeaderLines.isUTF8(field.value) {
                    headers.append(HTTPField(name: name, lenientValue: UnsafeRawBufferPointer(rebasing: field.value)))
                } else {
                    headers.append(HTTPField(name: name, lenientValue: Array(HeaderLines.text(field.value).utf8)))
                }
            }
        }
        endFolding()
        self.init(status: status, version: version, headers: headers, raw: Data(bytes))
    }
}

struct HeaderLines: IteratorProtocol {
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")

    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes[...]
    }

    mutating func next() -> Slice<UnsafeRawBufferPointer>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        var line = rest[..<end]
        rest = end < rest.endIndex ? rest[(end + 1)...] : rest[end...]
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        return line.isEmpty ? next() : line
    }

    /// The name and the value around the first colon, spaces around the value dropped.
    static func split(
        _ line: Slice<UnsafeRawBufferPointer>
    ) -> (name: Slice<UnsafeRawBufferPointer>, value: Slice<UnsafeRawBufferPointer>)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return nil }
        return (line[..<colon], trim(line[(colon + 1)...]))
    }

    static func isUTF8(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
    }

    /// The text of a value: UTF-8, or else ISO 8859-1, as fields were once written (RFC 9110, section 5.5).
    static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        if isUTF8(bytes) { return String(decoding: bytes, as: UTF8.self) }
        return String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }

    static func trim(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var bytes = bytes
        while let first = bytes.first, first == space || first == tab { bytes = bytes.dropFirst() }
        while let last = bytes.last, last == space || last == tab { bytes = bytes.dropLast() }
        return bytes
    }
}

/// The lines of a head while they come in. It stays with its handle, so that a request allocates nothing for it.
struct HeadBuffer: ~Copyable {
    private var start: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    init() {}

    deinit {
        free(start)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        if capacity - count < bytes.count {
            capacity = max(1024, 2 * (count + bytes.count))
            start = realloc(start, capacity)
        }
        guard let start else { preconditionFailure("no memory for a response's head") }
        memcpy(start + count, source, bytes.count)
        count += bytes.count
    }

    mutating func removeAll() {
        count = 0
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
}

/// Names of header fields by their bytes: servers send the same few again and again, and checking one anew costs more than
/// finding it here.
///
/// Used on the loop's thread only. A server can't make it grow without limit.
final class FieldNameCache {
    private static let limit = 512
    private var names: [UInt64: HTTPField.Name] = [:]

    /// The name as it was received, or `nil` when it isn't one.
    func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        // Two names may share a hash.
        if let name = names[hash], name.rawName.utf8.elementsEqual(bytes) { return name }
        guard let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) else { return nil }
        if names.count < Self.limit { names[hash] = name }
        return name
    }
}
