import NetworkLayer
import RequestCollections

/// The messages of another program's WebSocket, as the steps of a session.
enum ImportedSession {
    /// Those programs keep a session open until somebody closes it.
    static let listening = Duration.seconds(10)

    /// - Parameters:
    ///   - type: `json`, `text` or a media type; `nil`: what it looks like. `binary` is base64.
    ///   - translate: makes a text's templates ours.
    static func message(_ text: String, type: String?, _ translate: (String) -> TemplateText) -> SessionStep {
        if type == "binary" { return SessionStep(.send(.binary(translate(text).text)), location: .none) }
        let essence = type.map { $0.contains("/") ? $0 : $0 == "json" ? "application/json" : "text/plain" }
        switch ImportedBody.make(text, type: essence, translate) {
        case .json(let json) where JSONParser.parse(text) != nil: return SessionStep(.send(.json(json)), location: .none)
        default: return SessionStep(.send(.text(translate(text).text)), location: .none)
        }
    }

    static func isURL(_ url: String) -> Bool { ["ws://", "wss://"].contains { url.lowercased().hasPrefix($0) } }
}

extension RequestDefinition {
    /// Makes it a WebSocket that sends these messages, and then listens for a while.
    ///
    /// - Returns: what a note says of that.
    @discardableResult
    mutating func open(sending steps: [SessionStep]) -> String? {
        method = Self.webSocketMethod
        // The one way in which those programs can say it (RFC 6455, section 11.3.4).
        let isProtocols = { (header: Row) in header.isEnabled && header.name.lowercased() == "sec-websocket-protocol" }
        subprotocols += headers.filter(isProtocols).flatMap { $0.value.split(separator: ",").map { $0.trimmingSpace } }
        headers.removeAll(where: isProtocols)
        if let last = steps.last, last.receive == nil {
            let wait = SessionStep(.wait(ImportedSession.listening), location: .none)
            messages = steps + [wait]
            return "`\(wait)` follows its messages: without it the session would be closed at once"
        }
        messages = steps
        return nil
    }

    mutating func mapMessages(_ change: (BodyPart, inout String) -> Void) {
        for index in messages.indices { messages[index] = messages[index].mapTexts(change) }
    }
}
