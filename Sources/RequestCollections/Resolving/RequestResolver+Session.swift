package import Base
package import NetworkLayer

extension URL {
    /// With `ws` or `wss` in place of `http` or `https`, as people write the URL of a WebSocket.
    package var writtenForWebSocket: String { "ws\(absoluteString.dropFirst("http".count))" }
}

/// The session of a WebSocket with everything filled in that is known before it opens.
package struct ResolvedSession: Sendable {
    package var subprotocols: [String] = []
    package var settings = SessionSettings()
    package var steps: [ResolvedStep] = []
    /// Whether it speaks graphql-transport-ws.
    package var isSubscription = false
    /// Whether the file says what is sent and received; else it listens until the session ends.
    package var hasOwnSteps = false
}

/// A step of a session; its expectations and the rest are filled in.
package struct ResolvedStep: Sendable {
    /// `nil`: it can't be made of placeholders.
    package var action: Action?
    /// Whether it takes what an earlier step captures, and is filled in when its turn comes.
    package var isDeferred: Bool
    /// As it stands in the file.
    package var written: SessionStep

    package var location: SourceLocation { written.location }

    package enum Action: Hashable, Sendable {
        case send(Message)
        case receive(SessionStep.Receive)
        case wait(Duration)
        case close(code: Int, reason: String)
    }

    package enum Message: Hashable, Sendable {
        case text(String)
        case binary(Data)
    }
}

extension ResolvedStep: CustomStringConvertible {
    /// `send hello`, `receive .type is ready within 2s`
    package var description: String {
        let step: SessionStep.Action =
            switch action {
            case .send(.text(let text)): .send(.text(text))
            case .send(.binary(let data)): .send(.binary(data.base64EncodedString()))
            case .receive(let receive): .receive(receive)
            case .wait(let duration): .wait(duration)
            case .close(let code, let reason): .close(code: code, reason: reason.isEmpty ? nil : reason)
            case nil: written.action
            }
        return "\(SessionStep(step, location: location))"
    }
}

extension RequestResolver {
    mutating func session() throws(ResolutionError) -> ResolvedSession? {
        guard definition.isWebSocket else { return nil }
        var session = ResolvedSession(settings: definition.session ?? SessionSettings())
        for subprotocol in definition.offeredSubprotocols {
            let text = try scope.text(subprotocol, at: definition.location)
            guard isToken(text.text) || text.text.contains("‹") else {
                throw ResolutionError(
                    .header, "the subprotocol `\(text.shown)` can't be offered; it takes letters, digits and !#$%&'*+-.^_`|~",
                    at: definition.location)
            }
            session.subprotocols.append(text.text)
        }
        defer { scope.pending = [] }
        session.isSubscription = definition.subscribes
        session.hasOwnSteps = !definition.messages.isEmpty
        for step in definition.steps {
            session.steps.append(try self.step(step))
            scope.pending.formUnion(step.receive?.captures.map(\.name) ?? [])
        }
        return session
    }

    /// With placeholders for what earlier steps capture.
    mutating func step(_ step: SessionStep) throws(ResolutionError) -> ResolvedStep {
        scope.readsPending = false
        do throws(ResolutionError) {
            let action = try action(of: step)
            return ResolvedStep(action: action, isDeferred: scope.readsPending, written: step)
        } catch {
            // A placeholder is neither a number nor base64.
            guard scope.readsPending else { throw error }
            for text in step.texts { secrets.note(scope.labels(of: Template.expressions(in: text)), in: .body) }
            return ResolvedStep(action: nil, isDeferred: true, written: step)
        }
    }

    private mutating func action(of step: SessionStep) throws(ResolutionError) -> ResolvedStep.Action {
        switch step.action {
        case .send(let message): return .send(try content(of: message, at: step.location))
        case .receive(var receive):
            receive.conditions = try filledIn(receive.conditions, of: "receive")
            return .receive(receive)
        case .wait(let duration): return .wait(duration)
        case .close(let code, let reason):
            let reason = try sent(reason ?? "", at: step.location)
            guard reason.utf8.count <= SessionStep.longestReason || scope.sources.showsPlaceholders else {
                throw ResolutionError(
                    .body, "`reason` takes at most \(SessionStep.longestReason) bytes, and this one has \(reason.utf8.count)",
                    at: step.location)
            }
            return .close(code: code, reason: reason)
        }
    }

    private mutating func content(
        of message: SessionStep.Message, at place: SourceLocation
    ) throws(ResolutionError) -> ResolvedStep.Message {
        switch message {
        case .text(let template): return .text(try sent(template, at: place))
        case .json(let template):
            let text = try scope.json(template, at: place)
            secrets.note(text.labels, in: .body)
            return .text(text.text)
        case .binary(let template):
            let text = try sent(template, at: place)
            if let data = Data(base64Encoded: text) { return .binary(data) }
            guard !scope.sources.showsPlaceholders else { return .text(text) }
            throw ResolutionError(.body, "`binary` takes bytes in base64, and these aren't", at: place)
        case .file(let template):
            let path = try filePath(template, at: place)
            guard let file = scope.file(path, for: "messages", at: place) else { return .text(scope.placeholder(forFile: path)) }
            do throws(CollectionFileError) {
                let bytes = try file.read(limit: TemplateEnvironment.mostFileBytes)
                return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .binary(Data(bytes))
            } catch {
                throw ResolutionError(.file, "the message's file \(error)", at: place)
            }
        }
    }

    private mutating func sent(_ template: String, at place: SourceLocation) throws(ResolutionError) -> String {
        let text = try scope.text(template, at: place)
        secrets.note(text.labels, in: .body)
        return text.text
    }
}

extension RequestCollection {
    /// A step of a session that is open, with what earlier steps have captured.
    ///
    /// - Parameters:
    ///   - number: from 0.
    ///   - url: where the session is, which a redirect may have led to.
    /// - Returns: the step, and the texts that nobody may see because of it.
    package func resolve(
        step number: Int, of definition: RequestDefinition, to url: URL, environment: String?, variables: [String: JSONValue] = [:],
        secretVariables: [String: [OriginPattern]] = [:], with sources: TemplateEnvironment
    ) throws(ResolutionError) -> (step: ResolvedStep, secrets: Set<String>) {
        try resolving(
            definition, environment: environment, variables: variables, secretVariables: secretVariables, with: sources
        ) { (resolver) throws(ResolutionError) in
            let step = try resolver.step(definition.steps[number])
            let uses = try resolver.secretUses(of: Request(url: url))
            resolver.note(uses, try resolver.configuration().complete)
            return (step, resolver.scope.secretTexts)
        }
    }
}
