import Base
import NetworkLayer
import RequestCollections
import WebSockets

/// What goes through a session, as far as it is kept: the first and the last entries, a MiB in all.
struct SessionRecord {
    private var head: [WebSocket.Entry] = []
    private var tail: [WebSocket.Entry] = []
    private(set) var omitted = 0
    private var bytes = (head: 0, tail: 0)
    let opened: MonotonicTime

    /// Of each end.
    static let most = (entries: 500, bytes: 512 << 10)

    init(opened: MonotonicTime) { self.opened = opened }

    mutating func add(_ entry: WebSocket.Entry) {
        if tail.isEmpty, head.count < Self.most.entries, bytes.head + entry.bytes <= Self.most.bytes {
            head.append(entry)
            bytes.head += entry.bytes
            return
        }
        tail.append(entry)
        bytes.tail += entry.bytes
        while tail.count > Self.most.entries || bytes.tail > Self.most.bytes && tail.count > 1 {
            bytes.tail -= tail.removeFirst().bytes
            omitted += 1
        }
    }

    /// The messages that came, in their order.
    var received: [WebSocket.Message] { (head + tail).compactMap { $0.direction == .received ? $0.message : nil } }

    /// A line of JSON for each entry; in the midst one about what was left out.
    var lines: Data {
        var lines = Data()
        func add(_ members: [(String, JSONValue)]) {
            let object = JSONValue.object(members.map { .init(name: $0.0, value: $0.1) })
            lines.append(contentsOf: Data((object.text(pretty: false) + "\n").utf8))
        }
        for entry in head { add(members(of: entry)) }
        if omitted > 0 { add([("kind", .string("omitted")), ("count", .number("\(omitted)"))]) }
        for entry in tail { add(members(of: entry)) }
        return lines
    }

    private func members(of entry: WebSocket.Entry) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [("direction", .string(entry.direction.rawValue))]
        func add(_ kind: String, _ name: String, _ value: String, isCut: Bool = false) {
            members += [
                ("kind", .string(kind)), ("time", .number(Self.seconds(entry.time - opened))), ("size", .number("\(entry.bytes)")),
                (name, .string(value)),
            ]
            if isCut { members.append(("cut", .boolean(true))) }
        }
        switch entry.content {
        case .message(.text(let text)):
            let isCut = entry.bytes > Self.most.bytes
            add("text", "text", isCut ? String(decoding: text.utf8.prefix(Self.most.bytes), as: UTF8.self) : text, isCut: isCut)
        case .message(.binary(let data)):
            add("binary", "base64", data.prefix(Self.most.bytes).base64EncodedString(), isCut: entry.bytes > Self.most.bytes)
        case .ping(let data): add("ping", "base64", data.base64EncodedString())
        case .pong(let data): add("pong", "base64", data.base64EncodedString())
        case .close(let code, let reason):
            add("close", "text", reason)
            members.append(("code", .number("\(code)")))
        }
        return members
    }

    /// `1.234`; what came with the opening is no time before it.
    private static func seconds(_ duration: Duration) -> String {
        "\((max(.zero, duration) / .milliseconds(1)).rounded() / 1000)"
    }
}
