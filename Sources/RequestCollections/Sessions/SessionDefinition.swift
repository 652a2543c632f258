import NetworkLayer

/// One step of the session of a WebSocket: `- send: hello`, `- receive: { .type: ready }`.
package struct SessionStep: Hashable, Sendable, Codable {
    package var action: Action
    package var location: SourceLocation

    package init(_ action: Action, location: SourceLocation) {
        self.action = action
        self.location = location
    }

    package enum Action: Hashable, Sendable, Codable {
        case send(Message)
        case receive(Receive)
        case wait(Duration)
        case close(code: Int, reason: String?)
    }

    /// What is sent, with templates.
    package enum Message: Hashable, Sendable, Codable {
        case text(String)
        /// As ``BodyDefinition/json(_:)``.
        case json(String)
        /// A path; what is UTF-8 goes as text.
        case file(String)
        /// In base64.
        case binary(String)
    }

    /// Waits for the next message that meets the conditions; messages that don't are kept for later steps.
    package struct Receive: Hashable, Sendable, Codable {
        /// Each is about the text of the message, or about what a filter finds in it.
        package var conditions: [ExpectationDefinition]
        /// `nil`: ``standardLimit``.
        package var within: Duration?
        package var captures: [CaptureDefinition] = []

        package static let standardLimit = Duration.seconds(10)

        package init(_ conditions: [ExpectationDefinition], within: Duration? = nil, captures: [CaptureDefinition] = []) {
            self.conditions = conditions
            self.within = within
            self.captures = captures
        }

        package var limit: Duration { within ?? Self.standardLimit }
    }

    /// Bytes: a close frame holds 125, with the code (RFC 6455, section 5.5).
    static let longestReason = 123

    package var receive: Receive? { if case .receive(let receive) = action { receive } else { nil } }
}

/// How a session is kept; `nil`: as the library does it.
package struct SessionSettings: Hashable, Sendable, Codable {
    package var ping: RequestSettings.Limit?
    package var close: Duration?
    package var compression: Bool?
    /// Bytes of one message.
    package var limit: Int?

    package init() {}

    static let fields: [MapField<SessionSettings>] = [
        MapField("ping", \.ping, .timeout, "How often the peer is pinged; `20s` unless given. Two pings without an answer end it."),
        MapField("close", \.close, .duration, "How long the peer may take to answer our close; `5s` unless given."),
        MapField("compression", \.compression, .flag, "Whether permessage-deflate is offered, so that the peer may compress."),
        MapField("limit", \.limit, .byteCount, "The most bytes of one message; `16MiB` unless given."),
    ]
}

extension RequestDefinition {
    /// What `websocket: URL` stands for in place of a method.
    package static let webSocketMethod = "WEBSOCKET"

    /// Whether it opens a session.
    package var isWebSocket: Bool { method == Self.webSocketMethod }

    /// All captures, those of a session's steps included.
    package var allCaptures: [CaptureDefinition] { captures + messages.flatMap { $0.receive?.captures ?? [] } }

    package var hasSessionKeys: Bool { !messages.isEmpty || !subprotocols.isEmpty || session != nil }
}

extension SessionStep {
    /// Changes every text: each of them may have templates.
    package func mapTexts(_ change: (BodyPart, inout String) -> Void) -> SessionStep {
        var step = self
        func changed(_ part: BodyPart, _ text: String) -> String {
            var text = text
            change(part, &text)
            return text
        }
        switch action {
        case .send(.text(let text)): step.action = .send(.text(changed(.text, text)))
        case .send(.json(let text)): step.action = .send(.json(changed(.json, text)))
        case .send(.file(let path)): step.action = .send(.file(changed(.file, path)))
        case .send(.binary(let text)): step.action = .send(.binary(changed(.text, text)))
        case .close(let code, let reason?): step.action = .close(code: code, reason: changed(.text, reason))
        case .receive(var receive):
            for index in receive.conditions.indices {
                receive.conditions[index].matcher = receive.conditions[index].matcher.mapTexts(names: false) { changed(.text, $0) }
            }
            step.action = .receive(receive)
        case .wait, .close: break
        }
        return step
    }

    /// The texts that are filled in.
    var texts: [String] {
        var texts: [String] = []
        _ = mapTexts { texts.append($1) }
        return texts
    }

    func mappingLocations(_ change: (SourceLocation) -> SourceLocation?) -> SessionStep {
        var step = self
        step.location = change(location) ?? .none
        if case .receive(var receive) = action {
            for index in receive.conditions.indices {
                receive.conditions[index].location = change(receive.conditions[index].location) ?? .none
            }
            for index in receive.captures.indices {
                receive.captures[index].location = change(receive.captures[index].location) ?? .none
            }
            step.action = .receive(receive)
        }
        return step
    }
}

extension SessionStep: CustomStringConvertible {
    /// `send {"type":"subscribe"}`, `receive .type is ready within 2s`
    package var description: String {
        switch action {
        case .send(.text(let text)), .send(.json(let text)): "send \(text)"
        case .send(.file(let path)): "send the file \(path)"
        case .send(.binary(let text)): "send the bytes \(text)"
        case .receive(let receive):
            "receive \(receive.conditions.map(\.sentence).joined(separator: " and ")) within \(DurationText.format(receive.limit))"
        case .wait(let duration): "wait \(DurationText.format(duration))"
        case .close(let code, let reason): "close \(code)" + (reason.map { " “\($0)”" } ?? "")
        }
    }
}
