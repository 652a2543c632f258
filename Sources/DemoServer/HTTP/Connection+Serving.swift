import FlyingSocks
import FoundationEssentials

extension Connection {
    /// Answers one request after another until a side wants to close.
    func serve(port: UInt16, router: Router, memory: ServerMemory) async {
        let peer = self.peer
        do {
            var goesOn = true
            while goesOn {
                guard let bytes = try await read(through: Array("\r\n\r\n".utf8), limit: RequestHead.limit) else { break }
                let head = try RequestHead(parsing: bytes)
                let body = try RequestBody(head: head, connection: self)
                let request = try DemoRequest(head: head, body: body, connection: self, peer: peer, port: port, memory: memory)
                let reply = await router.reply(to: request)
                goesOn = try await send(reply, to: request)
            }
            if isOpen { await closeGently() }
        } catch let error as ProtocolError {
            _ = try? await send(error.reply, method: "GET", version: "1.1", keepsAlive: false)
            await closeGently()
        } catch {
            // The client is gone, or the server is being stopped.
            close()
        }
    }

    /// - Returns: whether another request may follow on this connection.
    private func send(_ reply: Reply, to request: DemoRequest) async throws -> Bool {
        if case .takeover(let act) = reply.body {
            try await act(self)
            return false
        }
        var keepsAlive = request.head.keepsAlive
        if request.body.isUnwanted {
            keepsAlive = false
        } else if !request.body.hasEnded, (request.body.expectedCount ?? 0) > 1 << 20 {
            keepsAlive = false
        }
        keepsAlive = try await send(reply, method: request.head.method, version: request.head.version, keepsAlive: keepsAlive)
        guard keepsAlive else { return false }
        switch reply.afterwards {
        case .asAsked:
            return try await request.body.drain()
        case .closedSilently:
            return false
        case .closedOnNextRequest:
            _ = try await read(through: Array("\r\n\r\n".utf8), limit: RequestHead.limit)
            close()
            return false
        }
    }

    private func send(_ reply: Reply, method: String, version: String, keepsAlive: Bool) async throws -> Bool {
        for response in reply.informational where version == "1.1" {
            try await write(Self.head(response.status, response.fields))
        }
        var keepsAlive = keepsAlive
        var fields = [Field("Date", HTTPDate.text(Date())), Field("Server", "turnstone-demo")] + reply.fields
        var whole: [UInt8] = []
        let framing: BodyWriter.Framing
        let hasBody = reply.status >= 200 && reply.status != 204 && reply.status != 304
        switch reply.body {
        case .none, .takeover:
            framing = .length(0)
            if hasBody { fields.append(Field("Content-Length", "0")) }
        case .bytes(let bytes):
            framing = .length(bytes.count)
            if hasBody {
                fields.append(Field("Content-Length", String(bytes.count)))
                whole = bytes
            }
        case .stream(let length?, _):
            framing = .length(length)
            fields.append(Field("Content-Length", String(length)))
        case .stream(nil, _) where version == "1.1":
            framing = .chunked
            fields.append(Field("Transfer-Encoding", "chunked"))
        case .stream(nil, _):
            framing = .untilClose
            keepsAlive = false
        }
        if !keepsAlive {
            fields.append(Field("Connection", "close"))
        } else if version == "1.0" {
            fields.append(Field("Connection", "keep-alive"))
        }
        let head = Self.head(reply.status, fields)
        if method == "HEAD" {
            try await write(head)
            return keepsAlive
        }
        try await write(head + whole)
        if case .stream(_, let write) = reply.body {
            let writer = BodyWriter(connection: self, framing: framing)
            try await write(writer)
            try await writer.finish()
        }
        return keepsAlive
    }

    /// The bytes of a response's head, empty line included.
    static func head(_ status: Int, _ fields: [Field]) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(StatusText.reason(status))\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}
