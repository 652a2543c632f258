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

    package init(certificate: TestCertificates.Pair? = nil) throws {
        guard let python = Self.python else { throw ServerError("no Python has websockets: apt-get install python3-websockets") }
        directory = try TemporaryDirectory()
        let script = try directory.write("server.py", Self.script)
        let log = directory.file("log")
        let files = certificate.map { [$0.certificate, $0.key] } ?? []
        (port, process) = try Readiness.start("websockets", log: log) { [directory] port in
            try ChildProcess(python, [script, String(port)] + files, directory: directory, log: log)
        }
    }

    deinit { process.stop() }

    private static let script = """
        import asyncio, ssl, sys
        import websockets

        async def serve(socket, path=None):
            path = socket.path if hasattr(socket, 'path') else socket.request.path
            name, _, argument = path.strip('/').partition('/')
            if name == 'echo':
                async for message in socket:
                    await socket.send(message)
            elif name == 'fragments':
                await socket.send(['fr', 'ag', '\\u00fc', 'ment'])
            elif name == 'flood':
                for number in range(int(argument)):
                    await socket.send('message %d' % number)
            elif name == 'close':
                await socket.close(int(argument), 'enough')
            elif name == 'abort':
                await socket.send('last words')
                socket.transport.abort()
            elif name == 'subprotocol':
                await socket.send(socket.subprotocol or '')

        async def main():
            context = None
            if len(sys.argv) > 2:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(sys.argv[2], sys.argv[3])
            async with websockets.serve(
                serve, '127.0.0.1', int(sys.argv[1]), ssl=context, subprotocols=['v2', 'v1'], max_size=1 << 24, ping_interval=None,
            ):
                await asyncio.Future()

        asyncio.run(main())
        """
}
