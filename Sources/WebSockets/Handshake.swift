import Base
package import HTTPTypes
import NetworkLayer

/// The opening handshake (RFC 6455, section 4).
package enum WebSocketHandshake {
    package static let key = HTTPField.Name("Sec-WebSocket-Key")!
    package static let accept = HTTPField.Name("Sec-WebSocket-Accept")!
    package static let version = HTTPField.Name("Sec-WebSocket-Version")!
    package static let subprotocol = HTTPField.Name("Sec-WebSocket-Protocol")!
    package static let extensions = HTTPField.Name("Sec-WebSocket-Extensions")!

    /// What we offer: we compress nothing ourselves, and inflate what comes.
    static let deflate = "permessage-deflate; client_no_context_takeover"

    /// What a server answers to a key (section 4.2.2).
    package static func accept(_ key: String) -> String {
        let text = FieldSyntax.trimmed(key[...]) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Data(DigestFunction.sha1.hash(Data(text.utf8))).base64EncodedString()
    }

    /// What the answer to a request agrees to.
    struct Agreement: Hashable {
        var info: SessionInfo
        var inflates = false
        /// Whether a compressed message may refer to those before it.
        var keepsContext = true
    }

    /// - Throws: in place of a session, where the answer isn't one to this request (section 4.1, from “Once the client's opening handshake
    ///   has been sent” on).
    static func check(_ head: ResponseHead, to request: Request) throws(WebSocketViolation) -> Agreement {
        guard head.headers[.upgrade]?.lowercased() == "websocket" else {
            throw WebSocketViolation(1002, "answered 101 without “Upgrade: websocket”", "RFC 6455, section 4.1")
        }
        guard tokens(head.headers[.connection]).contains(where: { $0.lowercased() == "upgrade" }) else {
            throw WebSocketViolation(1002, "answered 101 without “Connection: Upgrade”", "RFC 6455, section 4.1")
        }
        guard let given = head.headers[accept] else {
            throw WebSocketViolation(1002, "answered 101 without Sec-WebSocket-Accept", "RFC 6455, section 4.1")
        }
        guard FieldSyntax.trimmed(given[...]) == accept(request.headers[key] ?? "") else {
            throw WebSocketViolation(
                1002, "answered 101 with a Sec-WebSocket-Accept that doesn't fit our key", "RFC 6455, section 4.1")
        }
        var agreement = Agreement(info: SessionInfo())
        if let chosen = head.headers[subprotocol] {
            guard tokens(request.headers[subprotocol]).contains(chosen) else {
                throw WebSocketViolation(1002, "chose the subprotocol “\(chosen)”, which wasn't offered", "RFC 6455, section 4.1")
            }
            agreement.info.subprotocol = chosen
        }
        agreement.info.extensions = tokens(head.headers[extensions])
        for written in agreement.info.extensions { try agree(to: written, offered: request, &agreement) }
        return agreement
    }

    /// RFC 7692, section 7.1.
    private static func agree(
        to written: String, offered request: Request, _ agreement: inout Agreement
    ) throws(WebSocketViolation) {
        let parts = written.split(separator: ";").map { FieldSyntax.trimmed($0) }
        guard parts.first == "permessage-deflate",
            tokens(request.headers[extensions]).contains(where: { $0.hasPrefix("permessage-deflate") }),
            !agreement.inflates
        else { throw WebSocketViolation(1002, "chose the extension “\(written)”, which wasn't offered", "RFC 6455, section 4.1") }
        agreement.inflates = true
        var seen: Set<Substring> = []
        for parameter in parts.dropFirst() {
            let halves = parameter.split(separator: "=", maxSplits: 1).map { FieldSyntax.trimmed($0) }
            let value = halves.count == 2 ? Int(halves[1].filter { $0 != "\"" }) : nil
            let isKnown =
                switch halves[0] {
                case "server_no_context_takeover", "client_no_context_takeover": halves.count == 1
                case "server_max_window_bits": value.map { (8...15).contains($0) } ?? false
                default: false
                }
            guard isKnown, seen.insert(halves[0]).inserted else {
                throw WebSocketViolation(
                    1002, "agreed to permessage-deflate with “\(parameter)”, which wasn't offered", "RFC 7692, section 7.1")
            }
            if halves[0] == "server_no_context_takeover" { agreement.keepsContext = false }
        }
    }

    private static func tokens(_ field: String?) -> [String] {
        (field ?? "").split(separator: ",").map { String(FieldSyntax.trimmed($0)) }.filter { !$0.isEmpty }
    }
}
