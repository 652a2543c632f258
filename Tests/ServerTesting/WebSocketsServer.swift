import Foundation

/// A server by Python's package `websockets`, on loopback: its paths are in the script below.
package final class WebSocketsServer: Sendable {
    package let port: UInt16
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    /// A Python that has the package; `nil`: none has it.
    package static let python: String? = ["python3", "/usr/bin/python3"].lazy.compactMap { name in
        guard let path = name.hasPrefix("/") ? name : try? ChildProcess.find(name, package: name) else { return nil }
        return (try? ChildProcess.run(path, ["-c", "import websockets"])) == nil ? nil : path
    }.first

    /// - Parameter deflate: parameters of permessage-deflate, as Python writes arguments; `nil`: the package's own.
    package init(certificate: TestCertificates.Pair? = nil, deflate: String? = nil) throws {
        guard let python = Self.python else { throw ServerError("no Python has websockets: apt-get install python3-websockets") }
        directory = try TemporaryDirectory()
        let script = try directory.write("server.py", Self.script(deflate))
        let log = directory.file("log")
        let files = certificate.map { [$0.certificate, $0.key] } ?? []
        (port, process) = try Readiness.start("websockets", log: log) { [directory] port in
            try ChildProcess(python, [script, String(port)] + files, directory: directory, log: log)
        }
    }

    deinit { process.stop() }

    private static func script(_ deflate: String?) -> String {
        """
        import asyncio, json, random, ssl, sys
        import websockets
        from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

        def source(kind):
            numbers = random.Random(1)
            if kind == 'json':
                return json.dumps([{'id': number, 'price': numbers.random(), 'name': 'M\\u00fcller'} for number in range(4000)])
            if kind == 'html':
                return ''.join('<p class="row">%d &auml; \\u00e4</p>' % numbers.randrange(1 << 20) for _ in range(8000))
            if kind == 'letters':
                return ''.join(numbers.choice('etaoin shrdlu\\u00fc') for _ in range(200000)).encode()
            if kind == 'bitmap':
                return bytes((x * y >> 8) & 255 for y in range(512) for x in range(512))
            return numbers.randbytes(1 << 18)

        async def serve(socket, path=None):
            path = socket.path if hasattr(socket, 'path') else socket.request.path
            name, _, argument = path.strip('/').partition('/')
            if name == 'echo':
                async for message in socket:
                    await socket.send(message)
            elif name == 'flood':
                for number in range(int(argument)):
                    await socket.send('message %d' % number)
            elif name == 'compressed':
                kind, size, count, fragment = argument.split('/')
                size, fragment, data, start = int(size), int(fragment), source(kind), 0
                for _ in range(int(count)):
                    message = (data + data)[start:start + size]
                    start = (start + size) % len(data)
                    pieces = [message[at:at + fragment] for at in range(0, size, fragment)] if fragment else message
                    await socket.send(pieces)
                    if await socket.recv() != message:
                        return await socket.close(4000, 'another message')
            elif name == 'abort':
                await socket.send('last words')
                socket.transport.abort()

        async def main():
            context = None
            if len(sys.argv) > 2:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(sys.argv[2], sys.argv[3])
            async with websockets.serve(
                serve, '127.0.0.1', int(sys.argv[1]), ssl=context, subprotocols=['v2', 'v1'], max_size=1 << 24, ping_interval=None,
                \(deflate.map { "extensions=[ServerPerMessageDeflateFactory(\($0))]," } ?? "")
            ):
                await asyncio.Future()

        asyncio.run(main())
        """
    }
}
