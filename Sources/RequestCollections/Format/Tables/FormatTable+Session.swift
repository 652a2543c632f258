import NetworkLayer

/// What a WebSocket sends and waits for, and what is expected of its session.
extension FormatTable {
    static let session = FormatTable("a session", SessionSettings.fields.map { FormatKey($0) })

    static let sessionStep = FormatTable(
        "a step", SessionStep.fields.map { FormatKey($0) }, .exactlyOne(of: SessionStep.actions))

    static let messageContent = FormatTable(
        "a message",
        [
            FormatKey("json", .anything, "Any value, or a text in JSON."),
            FormatKey("file", .text, "A file with it, relative to this file: as text where it is UTF-8."),
            FormatKey("binary", .text, "Bytes, in base64."),
        ], .exactlyOne(of: ["json", "file", "binary"]))

    static let messageFacts = FormatTable(
        "messages",
        [
            FormatKey("count", .matcher(.number), "How many came."),
            FormatKey("any", .bodyMatcher, "What one of them is."),
            FormatKey("first", .bodyMatcher, "What the first one is."),
            FormatKey("last", .bodyMatcher, "What the last one is."),
        ], .notEmpty)
}

extension SessionStep {
    /// The keys of which a step has one.
    static let actions = ["send", "receive", "wait", "close"]

    static let fields: [MapField<SessionStep?>] = [
        MapField(
            "send", .either([.text, .keys(FormatTable.messageContent)]),
            read: { reader, node, step in
                step = reader.message(node).map { SessionStep(.send($0), location: reader.location(node)) }
            },
            write: { step in if case .send(let message)? = step?.action { message.written } else { nil } },
            "A message: a text, or `json`, a `file` or `binary`."),
        MapField(
            "receive", .bodyMatcher,
            read: { reader, node, step in
                let conditions = reader.body(YAMLPair(key: node, value: node))
                step = SessionStep(.receive(Receive(conditions)), location: reader.location(node))
            },
            write: { step in step?.receive.flatMap { ExpectationWriter.value($0.conditions)["body"] } },
            "Waits for the next message whose text, or values by filter, are these. Messages that don't match are kept for later steps."
        ),
        MapField(
            "wait", .duration,
            read: { reader, node, step in
                step = node.text.flatMap(DurationText.parse).map { SessionStep(.wait($0), location: reader.location(node)) }
            },
            write: { step in
                if case .wait(let duration)? = step?.action { .scalar(DurationText.format(duration), .text) } else { nil }
            }, "Waits for so long, and reads meanwhile."),
        MapField(
            "close", .count(1000...4999),
            read: { reader, node, step in
                step = node.text.flatMap { Int($0) }.map {
                    SessionStep(.close(code: $0, reason: nil), location: reader.location(node))
                }
            },
            write: { step in if case .close(let code, _)? = step?.action { .scalar("\(code)", .literal) } else { nil } },
            "Closes the session with this code. Without such a step it is closed with 1000 after the last one."),
        MapField(
            "within", .duration,
            read: { _, node, step in
                guard var receive = step?.receive else { return }
                receive.within = node.text.flatMap(DurationText.parse)
                step?.action = .receive(receive)
            }, write: { $0?.receive?.within.map { .scalar(DurationText.format($0), .text) } },
            "How long to wait for what `receive` names; `10s` unless given."),
        MapField(
            "capture", .variables(.either([.captureSource, .keys(FormatTable.capture)])),
            read: { reader, node, step in
                guard var receive = step?.receive else { return }
                // Their problems are reported by the reader of the steps.
                var reported: [CollectionProblem] = []
                receive.captures = reader.captures(node, problems: &reported)
                step?.action = .receive(receive)
            },
            write: { step in step?.receive.flatMap { $0.captures.isEmpty ? nil : RequestWriter.captures($0.captures) } },
            "Variables from the message that `receive` got, for later steps and for other requests."),
        MapField(
            "reason", .text,
            read: { _, node, step in
                if case .close(let code, _)? = step?.action { step?.action = .close(code: code, reason: node.text) }
            },
            write: { step in if case .close(_, let reason?)? = step?.action { .scalar(reason, .text) } else { nil } },
            "Words for `close`, at most 123 bytes."),
    ]

    /// Which of them the others belong to.
    fileprivate static let owners = ["within": "receive", "capture": "receive", "reason": "close"]
}

extension SessionStep.Message {
    fileprivate var written: DesiredValue {
        switch self {
        case .text(let text): .scalar(text, .text)
        case .json(let text): .map([("json", RequestWriter.json(text))])
        case .file(let path): .map([("file", .scalar(path, .text))])
        case .binary(let text): .map([("binary", .scalar(text, .text))])
        }
    }
}

extension RequestKey {
    static let subprotocols = RequestKey(
        "subprotocols", \.subprotocols, .list(.text), read: { _, pair, _ in pair.value.items?.compactMap(\.text) ?? [] },
        write: { $1.isEmpty ? nil : .texts($1) }, "What a `websocket` offers to the server, which may choose one.")

    static let session = RequestKey(
        "session", \.session, .keys(FormatTable.session),
        read: { reader, pair, problems in
            var session = SessionSettings()
            SessionSettings.fields.read(pair.value, with: reader, into: &session, problems: &problems)
            return session
        },
        write: { $1.map { .map(SessionSettings.fields.written($0)) } }, "How the session of a `websocket` is kept.")

    package static let messages = RequestKey(
        "messages", \.messages, .list(.keys(FormatTable.sessionStep)), place: { $0.key },
        read: { $0.steps($1.value, problems: &$2) },
        write: { _, steps in
            steps.isEmpty
                ? nil
                : .list(
                    steps.map { DesiredEntry(source: nil, key: "", value: .map(SessionStep.fields.written($0), layout: .block)) },
                    .block)
        },
        "What a `websocket` sends and waits for, step by step; without it, it listens until the session ends.")
}

extension RequestReader {
    /// What has the wrong form was reported by the table's check.
    func steps(_ node: YAMLNode, problems: inout [CollectionProblem]) -> [SessionStep] {
        var isClosed = false
        return (node.items ?? []).compactMap { item in
            guard let pairs = item.pairs else { return nil }
            let names = pairs.compactMap(\.key.text)
            let actions = SessionStep.actions.filter(names.contains)
            guard actions.count == 1 else {
                if FormatTable.sessionStep.knowsAllKeys(of: item) {
                    problems.append(
                        problem(item, "a step has one of `send`, `receive`, `wait` and `close`, and this one has \(actions.count)"))
                }
                return nil
            }
            if isClosed { problems.append(problem(item, "this step can't follow `close`, which ends the session")) }
            isClosed = isClosed || actions[0] == "close"
            for pair in pairs {
                guard let name = pair.key.text, let owner = SessionStep.owners[name], owner != actions[0] else { continue }
                problems.append(problem(pair.key, "`\(name)` belongs to `\(owner)`, and can't stand beside `\(actions[0])`"))
            }
            var step: SessionStep?
            SessionStep.fields.read(item, with: self, into: &step, problems: &problems)
            step?.location = location(item)
            if case .close(let code, _)? = step?.action, (1004...1006).contains(code) || (1015..<3000).contains(code),
                let node = item["close"]
            {
                problems.append(problem(node, "`close` can't be \(code), which nobody sends; our own codes are 3000 to 4999"))
            }
            if let node = item["reason"], let text = node.text, !Template.isIn(text), text.utf8.count > SessionStep.longestReason {
                problems.append(
                    problem(node, "`reason` takes at most \(SessionStep.longestReason) bytes, and this one has \(text.utf8.count)"))
            }
            if let node = item["capture"] { _ = captures(node, problems: &problems) }
            if case .send? = step?.action, let content = item["send"], let pairs = content.pairs, pairs.count != 1 {
                problems.append(
                    problem(content, "a message has one of `json`, `file` and `binary`, and this one has \(pairs.count)"))
            }
            return step
        }
    }

    fileprivate func message(_ node: YAMLNode) -> SessionStep.Message? {
        guard node.pairs != nil else { return node.text.map { .text($0) } }
        // What can't be JSON was reported by the table's check.
        var reported: [CollectionProblem] = []
        if let json = node["json"] { return .json(self.json(json, problems: &reported)) }
        if let file = node["file"]?.text { return .file(file) }
        return node["binary"]?.text.map { .binary($0) }
    }

    /// `count`, and what the messages at some places are.
    func messages(_ pair: YAMLPair) -> [ExpectationDefinition] {
        (pair.value.pairs ?? []).flatMap { pair -> [ExpectationDefinition] in
            guard let name = pair.key.text else { return [] }
            guard let place = MessagePlace(rawValue: name) else { return name == "count" ? expectations(.messageCount, pair) : [] }
            return body(pair).map { expectation in
                var expectation = expectation
                let filter: String? = if case .filter(let filter) = expectation.subject { filter } else { nil }
                expectation.subject = .message(place, filter)
                return expectation
            }
        }
    }

    /// What only the whole request shows.
    func checkSession(of request: inout RequestDefinition) {
        func report(_ key: String, _ message: String) {
            request.problems.append(CollectionProblem(location: request.places[key] ?? request.location, message: message))
        }
        guard request.isWebSocket else {
            if request.hasSessionKeys {
                report("messages", "`messages`, `session` and `subprotocols` belong to `websocket: URL`, and this request is none")
            }
            return
        }
        if let body = request.body, body != .none, body.kind != .graphql {
            report("body", "a `websocket` has no `body` but `graphql`; what it sends are its `messages`")
        }
        if let mock = request.mock {
            request.problems.append(
                CollectionProblem(location: mock.location, message: "a `mock` can't play the peer of a `websocket`"))
        }
    }
}
