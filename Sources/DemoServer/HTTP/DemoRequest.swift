/// A request as a route sees it.
struct DemoRequest {
    var head: RequestHead
    var body: RequestBody
    var connection: Connection
    /// The client's address and port.
    var peer: String
    /// The port that it came to: one of those in ``memory``.
    var port: UInt16
    var memory: ServerMemory
    /// Decoded, without the empty one before the first slash.
    var segments: [String]
    var query: QueryItems
    /// What stands for `{name}` in the route's path.
    var parameters: [String: String] = [:]

    init(
        head: RequestHead, body: RequestBody, connection: Connection, peer: String, port: UInt16, memory: ServerMemory
    ) throws(ProtocolError) {
        self.head = head
        self.body = body
        self.connection = connection
        self.peer = peer
        self.port = port
        self.memory = memory
        let local = try Self.originForm(of: head.target)
        let parts = local.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        segments = parts[0].split(separator: "/").map { PercentEncoding.decode($0) }
        query = QueryItems(parsing: parts.count > 1 ? parts[1] : "")
    }

    /// The path and query of a target. A client that takes us for its proxy sends a whole URL (RFC 9112, section 3.2.2).
    private static func originForm(of target: String) throws(ProtocolError) -> Substring {
        if target.hasPrefix("/") { return target[...] }
        if target == "*" { return "/" }
        guard let scheme = target.firstRange(of: "://"), target.hasPrefix("http") else {
            throw .malformed("The target \(target) is neither a path nor a URL.")
        }
        let rest = target[scheme.upperBound...]
        guard let slash = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        return rest[slash...]
    }

    /// The scheme, and the host that the client called us by.
    var origin: String { (memory.tlsPorts.contains(port) ? "https://" : "http://") + host }

    /// The same host on the other port: another origin.
    var otherOrigin: String {
        "http://\(hostName):\(port == memory.port ? memory.secondPort : memory.port)"
    }

    var url: String { head.target.hasPrefix("/") ? origin + head.target : head.target }

    private var host: String { head["host"] ?? "127.0.0.1:\(port)" }

    private var hostName: Substring {
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host[...] }
        return host[..<colon]
    }

    // MARK: Parameters, with what a user gets told when one is wrong

    func count(_ name: String, default standard: Int, in range: ClosedRange<Int>) throws -> Int {
        guard let text = parameters[name] ?? query[name] else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw Refusal("\(name)=\(text): a number from \(range.lowerBound) to \(range.upperBound), please.")
        }
        return number
    }

    /// A size such as `10MB`, `64KiB` or `1000`.
    func size(_ name: String, default standard: Int, atMost limit: Int = 100_000_000_000) throws -> Int {
        guard let text = parameters[name] ?? query[name] else { return standard }
        guard let size = Units.byteCount(text), size <= limit else {
            throw Refusal("\(name)=\(text): a size such as 1000, 64KiB or 10MB, at most \(limit), please.")
        }
        return size
    }

    /// A time such as `2s`, `500ms` or `1.5`, at most an hour.
    func duration(_ name: String, default standard: Duration) throws -> Duration {
        guard let text = parameters[name] ?? query[name] else { return standard }
        guard let duration = Units.duration(text), duration <= .seconds(3600) else {
            throw Refusal("\(name)=\(text): a time such as 500ms, 2s or 1m, at most 60m, please.")
        }
        return duration
    }

    func flag(_ name: String, default standard: Bool) throws -> Bool {
        switch query[name]?.lowercased() {
        case nil: standard
        case "true", "yes", "1", "on", "": true
        case "false", "no", "0", "off": false
        case let text?: throw Refusal("\(name)=\(text): true or false, please.")
        }
    }

    func choice(_ name: String, of choices: [String]) throws -> String {
        guard let text = parameters[name] ?? query[name] else { return choices[0] }
        guard let choice = choices.first(where: { $0.equalsIgnoringCase(text) }) else {
            throw Refusal("\(name)=\(text): one of \(choices.joined(separator: ", ")), please.")
        }
        return choice
    }
}
