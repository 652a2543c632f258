package import HTTPTypes
package import NetworkLayer

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The events of a transfer, in order.
package struct Script: Sendable, ExpressibleByArrayLiteral {
    package var steps: [TransportEvent.Kind]

    package init(_ steps: [TransportEvent.Kind]) {
        self.steps = steps
    }

    package init(arrayLiteral steps: TransportEvent.Kind...) {
        self.steps = steps
    }

    package static let nothing = Script([])

    /// A whole exchange over a connection that was there.
    package static func respond(
        status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: Data = Data()
    ) -> Script {
        var steps: [TransportEvent.Kind] = [
            .connectionAcquired(.loopback), .requestHeadSent(Data("GET / HTTP/1.1\r\n\r\n".utf8)), .requestSent,
            .head(ResponseHead(status: status, headers: headers)),
        ]
        if !body.isEmpty { steps.append(.body(body, received: Int64(body.count), expected: Int64(body.count))) }
        steps.append(.finished(TransferResult()))
        return Script(steps)
    }

    /// A redirect without a body.
    package static func redirect(_ status: HTTPResponse.Status = .found, to location: String) -> Script {
        respond(status: status, headers: [.location: location])
    }

    package static func fail(_ error: NetworkError) -> Script {
        [.finished(TransferResult(error: error))]
    }
}

extension ConnectionInfo {
    /// A connection to port 80 of this machine, as scripts use it.
    package static let loopback = ConnectionInfo(
        id: 1, isReused: true, localAddress: "127.0.0.1:50000", remoteAddress: "127.0.0.1:80", httpVersion: "HTTP/1.1")
}
