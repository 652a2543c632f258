import Base
import FlyingSocks

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
        var keepsAlive = request.head.keepsAlive && reply.afterwards != .closed
        if request.body.isUnwanted || (request.body.expectedCount ?? 0) > RequestBody.drainLimit { keepsAlive = false }
        keepsAlive = try await send(reply, method: request.head.method, version: request.head.version, keepsAlive: keepsAlive)
        guard keepsAlive else { return false }
        switch reply.afterwards {
        case .asAsked:
            return try await request.body.drain()
        case .closed, .closedSilently:
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
        let framing = BodyWriter.Framing(of: reply, version: version)
        // A body that ends with the connection ends the connection.
        let keepsAlive = keepsAlive && framing != .untilClose
        var fields = [Field("Date", HTTPDate.string(from: Date())), Field("Server", "turnstone-demo")] + reply.fields
        switch framing {
        case .absent, .untilClose: break
        case .length(let count): fields.append(Field("Content-Length", String(count)))
        case .chunked: fields.append(Field("Transfer-Encoding", "chunked"))
        }
        if !keepsAlive {
            fields.append(Field("Connection", "close"))
        } else if version == "1.0" {
            fields.append(Field("Connection", "keep-alive"))
        }
        let head = Self.head(reply.status, fields)
        guard method != "HEAD", framing != .absent else {
            try await write(head)
            return keepsAlive
        }
        switch reply.body {
        case .none, .takeover:
            try await write(head)
        case .bytes(let bytes):
            try await write(head + bytes)
        case .stream(_, let writeBody):
            try await write(head)
            let writer = BodyWriter(connection: self, framing: framing)
            try await writeBody(writer)
            try await writer.finish()
        }
        return keepsAlive
    }

    /// The bytes of a response's head, empty line included.
    static func head(_ status: Int, _ fields: [Field]) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(reason(status))\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}
