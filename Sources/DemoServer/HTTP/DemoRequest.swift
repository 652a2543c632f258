import Base

/// A request as a route sees it.
struct DemoRequest {
    var head: RequestHead
    var body: RequestBody
    var connection: Connection
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

/// The query of a URL or a form, in order, repetitions kept.
struct QueryItems: Hashable {
    var items: [Field]

    /// Reads `a=1&b=2`; `+` is a space, as in forms.
    init(parsing text: some StringProtocol) {
        items = text.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Field(
                PercentEncoding.decode(parts[0], plusIsSpace: true),
                parts.count > 1 ? PercentEncoding.decode(parts[1], plusIsSpace: true) : "")
        }
    }

    subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }
}

/// Percent-encoding (RFC 3986, section 2.1).
enum PercentEncoding {
    /// A `%` without two digits stays as it is.
    static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Sizes and times as they stand in a query.
enum Units {
    /// `1000`, `64KiB`, `10MB`: k, M and G are powers of 1000, Ki, Mi and Gi of 1024.
    static func byteCount(_ text: String) -> Int? {
        let factors = [
            "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000, "gb": 1_000_000_000,
            "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
        ]
        guard let (number, unit) = split(text), let factor = factors[unit], number * Double(factor) < 1e15 else { return nil }
        return Int(number * Double(factor))
    }

    /// `500ms`, `2s`, `1m`, or seconds: `1.5`.
    static func duration(_ text: String) -> Duration? {
        let factors = ["us": 0.000_001, "ms": 0.001, "": 1, "s": 1, "m": 60, "h": 3600]
        guard let (number, unit) = split(text), let factor = factors[unit], number < 1e9 else { return nil }
        return .seconds(number * factor)
    }

    /// The number, not negative, and what follows it in small letters.
    private static func split(_ text: String) -> (Double, String)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let number = Double(digits) else { return nil }
        return (number, text.dropFirst(digits.count).lowercased().trimmed)
    }
}
