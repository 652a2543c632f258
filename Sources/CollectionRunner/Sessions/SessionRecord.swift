import Base
import NetworkLayer
import RequestCollections
import WebSockets

/// What goes through a session, as far as it is kept: the first and the last entries, a MiB in all, and the first and the last message
/// received however long they are.
struct SessionRecord {
    private var head: [WebSocket.Entry] = []
    private var tail: [WebSocket.Entry] = []
    private(set) var omitted = 0
    private var bytes = (head: 0, tail: 0)
    /// Messages that came.
    private var first: WebSocket.Entry?
    private var last: WebSocket.Entry?
    let opened: MonotonicTime

    /// Of each end.
    static let most = (entries: 500, bytes: 512 << 10)

    init(opened: MonotonicTime) { self.opened = opened }

    mutating func add(_ entry: WebSocket.Entry) {
        if entry.isReceivedMessage {
            first = first ?? entry
            last = entry
        }
        // A session has two at most.
        if entry.isClose {
            if tail.isEmpty { head.append(entry) } else { tail.append(entry) }
            return
        }
        if tail.isEmpty, head.count < Self.most.entries, bytes.head + entry.bytes <= Self.most.bytes {
            head.append(entry)
            bytes.head += entry.bytes
            return
        }
        tail.append(entry)
        bytes.tail += entry.bytes
        while tail.count > Self.most.entries || bytes.tail > Self.most.bytes && tail.count > 1 {
            // Pings take no message's place.
            guard let index = tail.firstIndex(where: \.isPing) ?? tail.firstIndex(where: { !$0.isClose }) else { return }
            bytes.tail -= tail.remove(at: index).bytes
            omitted += 1
        }
    }

    /// The messages that came, in their order; the first and the last one are among them.
    var received: [WebSocket.Message] {
        var kept = (head + tail).filter(\.isReceivedMessage)
        if let first, kept.first?.number != first.number { kept.insert(first, at: 0) }
        if let last, kept.last?.number != last.number { kept.append(last) }
        return kept.compactMap(\.message)
    }

    /// A line of JSON for each entry; in the midst one about what was left out.
    ///
    /// - Parameter redactor: hides what a cut would leave the beginning of.
    func lines(hiding redactor: Redactor) -> Data {
        var lines = Data()
        for entry in head { lines += Self.line(of: entry, since: opened, hiding: redactor) }
        if omitted > 0 { lines += Self.line([("kind", .string("omitted")), ("count", .number("\(omitted)"))]) }
        for entry in tail { lines += Self.line(of: entry, since: opened, hiding: redactor) }
        return lines
    }

    private static func line(_ members: [(String, JSONValue)]) -> Data {
        let object = JSONValue.object(members.map { .init(name: $0.0, value: $0.1) })
        return Data((object.text(pretty: false) + "\n").utf8)
    }

    static func line(of entry: WebSocket.Entry, since opened: MonotonicTime, hiding redactor: Redactor) -> Data {
        var members: [(String, JSONValue)] = [("direction", .string(entry.direction.rawValue))]
        func add(_ kind: String, _ name: String, _ value: String, isCut: Bool = false) {
            members += [
                ("kind", .string(kind)), (name, .string(value)), ("time", .number(seconds(entry.time - opened))),
                ("size", .number("\(entry.bytes)")),
            ]
            if isCut { members.append(("cut", .boolean(true))) }
        }
        switch entry.content {
        case .message(.text(let text)):
            let isCut = entry.bytes > most.bytes
            let shown = isCut ? String(decoding: redactor.text(text).utf8.prefix(most.bytes), as: UTF8.self) : text
            add("text", "text", shown, isCut: isCut)
        case .message(.binary(let data)):
            add("binary", "base64", data.prefix(most.bytes).base64EncodedString(), isCut: entry.bytes > most.bytes)
        case .ping(let data): add("ping", "base64", data.base64EncodedString())
        case .pong(let data): add("pong", "base64", data.base64EncodedString())
        case .close(let code, let reason):
            add("close", "text", reason)
            members.append(("code", .number("\(code)")))
        }
        return line(members)
    }

    /// `1.234`; what came with the opening is no time before it.
    private static func seconds(_ duration: Duration) -> String {
        "\((max(.zero, duration) / .milliseconds(1)).rounded() / 1000)"
    }
}

extension WebSocket.Entry {
    fileprivate var isReceivedMessage: Bool { direction == .received && message != nil }
    fileprivate var isClose: Bool { if case .close = content { true } else { false } }
    fileprivate var isPing: Bool { message == nil && !isClose }
}
