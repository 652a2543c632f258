import FlyingSocks

/// The small HTTP server that ships with the program: for the demo collection and for tests.
///
/// It listens on the loopback interface only, on two ports, so that there are two origins to redirect between, and on a third one that
/// speaks TLS with a certificate that has expired. All serve the same routes: see ``RouteTable``, or `GET /`. It is HTTP/1.1 of its own over FlyingSocks' socket pool: FlyingFox's
/// server keeps header fields in a dictionary, while an echo has to show them as they were sent, and a server that is to
/// misbehave needs the socket itself. It shares no code with what it is the other end of: one mistake in both would be seen by nobody.
///
/// Calls are served from `init` on until ``stop()``, or until the last reference goes away.
package final class DemoServer: Sendable {
    package let port: UInt16
    package let secondPort: UInt16
    /// `nil`: OpenSSL doesn't take the certificate.
    package let expiredPort: UInt16?

    private let serving: Task<Void, Never>
    private let polling: Task<Void, Never>

    /// Binds the ports and starts serving.
    ///
    /// - Parameter port: 0 lets the kernel choose the ports. Otherwise the others are `port + 1` and `port + 2`, or the kernel's choice
    ///   where these are taken.
    /// - Throws: ``DemoServerError`` when `port` can't be bound.
    package init(port: UInt16 = 0) async throws {
        let first = try ListeningSocket.pair(port: port)
        let second = try ListeningSocket.next(1, after: port)
        let expired = try TLSIdentity.expired.map { try ListeningSocket.next(2, after: port, identity: $0) }
        let pool = SocketPool.make(maxEvents: 64)
        try await pool.prepare()

        self.port = first.port
        self.secondPort = second.port
        expiredPort = expired?.port
        let memory = ServerMemory(port: first.port, secondPort: second.port, expiredPort: expired?.port)
        let router = Router(RouteTable.all)
        polling = Task { try? await pool.run() }
        serving = Task {
            await withDiscardingTaskGroup { group in
                for socket in first.sockets + second.sockets + (expired?.sockets ?? []) {
                    group.addTask { await socket.serve(pool: pool, router: router, memory: memory) }
                }
            }
        }
    }

    deinit {
        serving.cancel()
        polling.cancel()
    }

    /// `http://127.0.0.1:8080`, without a slash at the end.
    package var baseURL: String { "http://127.0.0.1:\(port)" }

    /// The same for the second port.
    package var secondURL: String { "http://127.0.0.1:\(secondPort)" }

    /// `https://127.0.0.1:8082`: its certificate has expired.
    package var expiredURL: String? { expiredPort.map { "https://127.0.0.1:\($0)" } }

    /// Closes every socket; returns when they are closed.
    package func stop() async {
        serving.cancel()
        await serving.value
        polling.cancel()
        await polling.value
    }

    /// Serves until the calling task is cancelled, then stops.
    package func run() async {
        await withTaskCancellationHandler {
            await serving.value
        } onCancel: {
            serving.cancel()
        }
        await stop()
    }
}

/// Why the demo server could not start.
package struct DemoServerError: Error, Hashable, CustomStringConvertible {
    package var description: String

    package init(description: String) {
        self.description = description
    }
}
