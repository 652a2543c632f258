import FlyingSocks

/// The small HTTP server that ships with the program: for the demo collection and for tests.
///
/// It listens on the loopback interface only, on two ports, so that there are two origins to redirect between, and on more that speak TLS:
/// see ``TLSFace``. All serve the same routes: see ``RouteTable``, or `GET /`. It is HTTP/1.1 of its own over FlyingSocks' socket pool: FlyingFox's
/// server keeps header fields in a dictionary, while an echo has to show them as they were sent, and a server that is to
/// misbehave needs the socket itself. It shares no code with what it is the other end of: one mistake in both would be seen by nobody.
///
/// Calls are served from `init` on until ``stop()``, or until the last reference goes away.
package final class DemoServer: Sendable {
    package let port: UInt16
    package let secondPort: UInt16
    /// Those that speak TLS.
    package let tlsPorts: [TLSFace: UInt16]

    private let serving: Task<Void, Never>
    private let polling: Task<Void, Never>

    /// Binds the ports and starts serving.
    ///
    /// - Parameter port: 0 lets the kernel choose the ports. Otherwise the others are those behind it, or the kernel's choice where
    ///   these are taken.
    /// - Throws: ``DemoServerError`` when `port` can't be bound.
    package init(port: UInt16 = 0) async throws {
        let first = try ListeningSocket.pair(port: port)
        let second = try ListeningSocket.next(1, after: port)
        var faces: [(face: TLSFace, port: ListeningSocket.Port)] = []
        for (step, face) in TLSFace.allCases.enumerated() {
            guard let identity = face.identity else { continue }
            faces.append((face, try ListeningSocket.next(UInt16(2 + step), after: port, identity: identity)))
        }
        let pool = SocketPool.make(maxEvents: 64)
        try await pool.prepare()

        self.port = first.port
        self.secondPort = second.port
        tlsPorts = Dictionary(uniqueKeysWithValues: faces.map { ($0.face, $0.port.port) })
        let memory = ServerMemory(port: first.port, secondPort: second.port, tlsPorts: Set(faces.map { $0.port.port }))
        let router = Router(RouteTable.all)
        polling = Task { try? await pool.run() }
        serving = Task {
            await withDiscardingTaskGroup { group in
                for socket in first.sockets + second.sockets + faces.flatMap(\.port.sockets) {
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

    /// `https://127.0.0.1:8082`; `nil`: OpenSSL doesn't take the certificate.
    package func url(_ face: TLSFace) -> String? { tlsPorts[face].map { "https://127.0.0.1:\($0)" } }

    /// The variables of the demo collection that say where the server is.
    package var variables: [String: String] {
        var variables = ["host": baseURL, "other": secondURL, "not-tls": "https://127.0.0.1:\(port)"]
        for face in TLSFace.allCases { variables[face.rawValue] = url(face) }
        return variables
    }

    /// Closes every socket; returns when they are closed.
    package func stop() async {
        serving.cancel()
        await serving.value
        polling.cancel()
        await polling.value
    }
}

/// Why the demo server could not start.
package struct DemoServerError: Error, Hashable, CustomStringConvertible {
    package var description: String

    package init(description: String) {
        self.description = description
    }
}

/// How a port of the demo server speaks TLS. The raw value is the demo collection's variable for it; ports follow in this order.
package enum TLSFace: String, Sendable, Hashable, CaseIterable {
    /// Its certificate has expired.
    case expired
    case good
    /// Nobody vouches for its certificate.
    case selfSigned = "self-signed"
    /// Its certificate is of another host.
    case otherHost = "wrong-host"
    /// It speaks TLS 1.2, and nothing newer.
    case old = "old-tls"
    /// It wants a certificate of the client.
    case demanding = "client-cert"

    var identity: TLSIdentity? {
        switch self {
        case .expired: .expired
        case .good: .good
        case .selfSigned: .selfSigned
        case .otherHost: .otherHost
        case .old: .old
        case .demanding: .demanding
        }
    }
}
