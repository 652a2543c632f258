/// The first line and the fields of a request, as they were sent: order, repetitions and capitals kept.
struct RequestHead: Hashable {
    static let limit = 1 << 20

    var method: String
    /// The request target as it stands in the first line, absolute when the client takes us for a proxy.
    var target: String
    /// `1.0` or `1.1`.
    var version: String
    var fields: [Field]

    /// The first value of a field; names are compared without case.
    subscript(name: String) -> String? {
        fields.first { $0.name.equalsIgnoringCase(name) }?.value
    }

    func values(of name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// Whether a comma-separated list such as `Connection` has this token.
    func lists(_ token: String, in name: String) -> Bool {
        values(of: name).contains { value in
            value.split(separator: ",").contains { String($0).trimmed.equalsIgnoringCase(token) }
        }
    }

    /// Whether the connection stays open after the answer (RFC 9112, section 9.3).
    var keepsAlive: Bool {
        version == "1.1" ? !lists("close", in: "connection") : lists("keep-alive", in: "connection")
    }
}

/// A header field as it was sent.
struct Field: Hashable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension RequestHead {
    /// - Parameter bytes: all up to and including the empty line.
    init(parsing bytes: ArraySlice<UInt8>) throws(ProtocolError) {
        // What isn't UTF-8 (ISO 8859-1 was allowed once) is shown with replacement characters.
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)[...]
        guard let first = lines.popFirst() else { throw .malformed("The request line is empty.") }
        let parts = first.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw .malformed("The request line is not METHOD TARGET HTTP/1.1: \(first)")
        }
        guard parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else {
            throw .malformed("This server speaks HTTP/1.1 and 1.0, not \(parts[2]).")
        }
        method = String(parts[0])
        target = String(parts[1])
        version = String(parts[2].suffix(3))
        fields = []
        for line in lines {
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line.first != " ", line.first != "\t"
            else { throw .malformed("A header field is NAME: VALUE, not: \(line)") }
            fields.append(Field(String(line[..<colon]), String(line[line.utf8.index(after: colon)...]).trimmed))
        }
    }
}

extension String {
    func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && lowercased() == other.lowercased()
    }

    /// Without spaces and tabs at both ends.
    var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let start = firstIndex(where: { !isBlank($0) }), let end = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[start...end])
    }
}

/// The `Range` field (RFC 9110, section 14.2), one range only.
enum ByteRange {
    /// - Returns: `nil` when nothing of `count` bytes is asked for, or more than one range.
    static func parse(_ text: String, of count: Int) -> Range<Int>? {
        guard text.hasPrefix("bytes="), count > 0 else { return nil }
        let bounds = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard bounds.count == 2 else { return nil }
        switch (Int(bounds[0]), Int(bounds[1])) {
        case (let first?, nil) where bounds[1].isEmpty && first < count: return first..<count
        case (let first?, let last?) where first <= last && first < count: return first..<min(count, last + 1)
        case (nil, let suffix?) where bounds[0].isEmpty && suffix > 0: return max(0, count - suffix)..<count
        default: return nil
        }
    }
}

/// What a client sent that isn't HTTP/1.1, or is more than we take in.
enum ProtocolError: Error, Hashable {
    case malformed(String)
    case tooLong(limit: Int)

    /// The answer before the connection is closed.
    var reply: Reply {
        switch self {
        case .malformed(let message): .problem(400, message)
        case .tooLong(let limit): .problem(431, "The head is longer than \(limit) bytes.")
        }
    }
}
