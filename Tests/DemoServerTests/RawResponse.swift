/// One response, taken apart strictly: what isn't framed right is an error.
struct RawResponse: Hashable {
    var status: Int
    var reason: String
    /// Names in small letters, in order.
    var fields: [[String]]
    var body: [UInt8]
    /// The sizes of the chunks, the last one left out.
    var chunks: [Int] = []
    var trailers: [[String]] = []
    /// What follows the response.
    var rest: [UInt8]

    struct Malformed: Error {
        var what: String
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(name: String) -> String? {
        fields.first { $0[0] == name }?[1]
    }

    func all(_ name: String) -> [String] {
        fields.filter { $0[0] == name }.map { $0[1] }
    }

    /// - Parameter isHead: the answer to HEAD, which has no body whatever its fields say.
    init(parsing bytes: [UInt8], isHead: Bool = false) throws {
        var reader = Reader(bytes: bytes)
        let first = try reader.line().split(separator: " ", maxSplits: 2)
        guard first.count >= 2, first[0] == "HTTP/1.1", let status = Int(first[1]) else { throw Malformed(what: "status line") }
        self.status = status
        reason = first.count > 2 ? String(first[2]) : ""
        fields = try reader.fields()
        body = []
        rest = []
        if isHead || status < 200 || status == 204 || status == 304 {
            rest = Array(reader.bytes[reader.position...])
            return
        }
        if self["transfer-encoding"] == "chunked" {
            while let size = Int(try reader.line(), radix: 16), size > 0 {
                chunks.append(size)
                body += try reader.take(size)
                guard try reader.line().isEmpty else { throw Malformed(what: "end of a chunk") }
            }
            trailers = try reader.fields()
        } else if let length = self["content-length"].flatMap(Int.init) {
            body = try reader.take(length)
        } else {
            body = try reader.take(reader.bytes.count - reader.position)
        }
        rest = Array(reader.bytes[reader.position...])
    }

    private struct Reader {
        var bytes: [UInt8]
        var position = 0

        mutating func take(_ count: Int) throws -> [UInt8] {
            guard position + count <= bytes.count else { throw Malformed(what: "\(bytes.count - position) bytes of \(count)") }
            defer { position += count }
            return Array(bytes[position..<position + count])
        }

        mutating func line() throws -> String {
            guard let end = bytes[position...].firstIndex(of: 10), end > position, bytes[end - 1] == 13 else {
                throw Malformed(what: "line without an end at \(position)")
            }
            defer { position = end + 1 }
            return String(decoding: bytes[position..<end - 1], as: UTF8.self)
        }

        mutating func fields() throws -> [[String]] {
            var fields: [[String]] = []
            while true {
                let line = try line()
                if line.isEmpty { return fields }
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { throw Malformed(what: line) }
                fields.append([parts[0].lowercased(), String(parts[1].drop { $0 == " " })])
            }
        }
    }
}
