import Base
import NetworkLayer
import RequestCollections

extension HTTPFileExport {
    mutating func block(_ request: MergedRequest) throws(Inexpressible) -> String {
        let definition = request.definition
        plan.noteFlow(of: request, saysSession: true, in: &templates.notes)
        if definition.isWebSocket, dialect == .vscode {
            throw Inexpressible("it opens a WebSocket, which Visual Studio Code's REST Client doesn't; --dialect jetbrains does")
        }
        var foreign = ForeignRequest(request, own: ["basic", "digest"], encodesQuery: false, &templates)
        let body = try definition.isWebSocket ? messages(request) : body(request, &foreign)
        foreign.headers += definition.subprotocolRows
        if let authorization = authorization(foreign.auth) { foreign.headers.append(authorization) }
        foreign.headers.add(cookies: foreign.cookies.map { "\($0.name)=\($0.value)" })
        var head: [String] = []
        for line in (definition.description ?? "").lines.map(\.trimmingSpace) where !line.isEmpty {
            head.append(line.hasPrefix("@") ? "# - \(line)" : "# \(line)")
        }
        head += tags(request)
        head.append("\(foreign.method) \(foreign.url)\(version(request.settings))")
        for row in foreign.headers {
            head.append(row.value.isEmpty ? "\(row.name):" : "\(row.name): \(row.value)")
        }
        guard foreign.method.wholeMatch(of: /[A-Z][A-Z-]*/) != nil else {
            throw Inexpressible("its method, \(foreign.method), isn't one in capital letters")
        }
        guard !foreign.url.isEmpty, !foreign.url.contains(where: { $0.isNewline }) else {
            throw Inexpressible("it has no URL in one line")
        }
        let title =
            (plan.collection.folders(around: definition.id).map { $0.name ?? $0.id.rawValue } + [
                definition.name ?? own(definition.id)
            ])
            .joined(separator: " / ")
        try check(head, foreign, body)
        let text = ["### \(title.lines.joined(separator: " "))"] + head + (body.isEmpty ? [] : [""] + body) + scripts(definition)
        return text.joined(separator: "\n") + "\n"
    }

    private func own(_ id: RequestID) -> String { id.rawValue.split(separator: "/").last.map(String.init) ?? id.rawValue }

    /// What is written is what is read again.
    private func check(_ head: [String], _ foreign: ForeignRequest, _ body: [String]) throws(Inexpressible) {
        let read = HTTPFileReader((["###"] + head + (body.isEmpty ? [] : [""] + body)).joined(separator: "\n")).blocks
        let blocks = read.filter { !$0.target.isEmpty }
        guard blocks.count == 1, blocks[0].losses.isEmpty, blocks[0].testScripts.isEmpty, blocks[0].variables.isEmpty else {
            throw Inexpressible("a .http file takes lines of its body for something else")
        }
        guard blocks[0].headers.count == foreign.headers.count else {
            throw Inexpressible("a .http file takes one of its headers for something else")
        }
        func trimmed(_ lines: [String]) -> [String] {
            var lines = lines.drop { $0.trimmingSpace.isEmpty }
            while lines.last?.trimmingSpace.isEmpty == true { lines.removeLast() }
            return Array(lines)
        }
        guard trimmed(blocks[0].body) == body else {
            throw Inexpressible("a .http file doesn't keep lines of its body: blank ones at its ends, or what begins as a comment")
        }
    }

    private func version(_ settings: RequestSettings) -> String {
        switch settings.httpVersion {
        case .http2?: " HTTP/2"
        case .http2PriorKnowledge?: " HTTP/2 (Prior Knowledge)"
        case .http1?: " HTTP/1.1"
        case nil, .automatic?, .http1_0?, .http3?, .http3Only?: ""
        }
    }

    // MARK: Tags

    /// What ``tags(_:)`` say.
    private static let taken: Set = ["redirects.follow", "timeouts.idle", "timeouts.connect", "http"]

    private mutating func tags(_ request: MergedRequest) -> [String] {
        let settings = request.settings
        var tags = ["# @name \(names[request.definition.id] ?? "request")"]
        for need in request.needs { if let name = names[need.request] { tags.append("# @ref \(name)") } }
        switch settings.followRedirects {
        case .never?: tags.append("# @no-redirect")
        case .sameHost?: templates.notes.add("`redirects.follow`: other hosts are followed, too")
        case nil, .always?, .delegate?: break
        }
        for (name, limit) in [("timeout", settings.timeouts.idle), ("connection-timeout", settings.timeouts.connect)] {
            if case .after(let time)? = limit {
                let count = Int64((time / .milliseconds(1)).rounded())
                tags.append("# @\(name) \(count % 1000 == 0 ? "\(count / 1000) s" : "\(count) ms")")
            }
        }
        if let version = settings.httpVersion, [.http1_0, .http3, .http3Only].contains(version) {
            templates.notes.add("`http`: it isn't sent with HTTP/\(version.rawValue)")
        }
        for field in settings.unfollowed(taking: Self.taken, doing: .library) {
            templates.notes.add("`\(field.key)`: a .http file doesn't say it")
        }
        return tags
    }

    private mutating func authorization(_ auth: AuthDefinition) -> ForeignRequest.Row? {
        let (kind, user, password): (String, String, String)
        switch auth {
        case .basic(let name, let word): (kind, user, password) = ("Basic", name, word)
        case .digest(let name, let word): (kind, user, password) = ("Digest", name, word)
        default: return nil
        }
        if kind == "Basic", !Template.isIn(user), !Template.isIn(password) {
            return .init(name: "Authorization", value: "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())")
        }
        let words = [templates.text(user), templates.text(password)]
        guard !words[0].isEmpty, !words[0].contains(":"),
            !words.contains(where: { $0.contains(where: \.isWhitespace) || $0.isEmpty })
        else {
            templates.notes.add("`auth`: a name with a colon or space, or a password with one, can't stand in its line")
            return nil
        }
        return .init(name: "Authorization", value: "\(kind) \(words[0]) \(words[1])")
    }

    // MARK: Messages

    private mutating func messages(_ request: MergedRequest) throws(Inexpressible) -> [String] {
        if request.definition.session != nil { templates.notes.add("`session`: a .http file doesn't say it") }
        var lines: [String] = []
        for step in request.definition.steps {
            let text: String
            switch step.action {
            case .send(.text(let message)): text = templates.text(message)
            case .send(.json(let message)): text = templates.json(message)
            case .send(.file(let file)): text = "< \(path(file, of: request))"
            case .receive(let receive):
                if let time = receive.within { templates.notes.add("`messages`: within \(DurationText.format(time))") }
                if receive.conditions.map(\.matcher) != [.exists] || !receive.captures.isEmpty {
                    templates.notes.add("`messages`: it waits for any message, and not to \(step)")
                }
                lines.append("=== wait-for-server")
                continue
            default:
                templates.notes.add("`messages`: \(step), which a .http file can't say")
                continue
            }
            guard !text.lines.contains(where: { $0.hasPrefix("===") }) else {
                throw Inexpressible("a line of a message begins with `===`, which parts messages there")
            }
            let start = text.trimmingSpace
            if case .send(.text) = step.action, start.hasPrefix("< ") || start.hasPrefix("<@") {
                throw Inexpressible("a message begins with `<`, which sends a file there")
            }
            guard !start.isEmpty else {
                templates.notes.add("`messages`: an empty one, which a .http file can't say")
                continue
            }
            if let last = lines.last, !last.hasPrefix("===") { lines.append("===") }
            lines += self.lines(text)
        }
        return lines
    }

    // MARK: Bodies

    private mutating func body(
        _ request: MergedRequest, _ foreign: inout ForeignRequest
    ) throws(Inexpressible) -> [String] {
        switch request.definition.body {
        case nil, .some(.none): return []
        case .text(let text)?:
            var lines = self.lines(templates.text(text))
            if lines.last == "" {
                templates.notes.add("`body`: the line breaks at its end")
                while lines.last == "" { lines.removeLast() }
            }
            return lines
        case .json(let text)?: return lines(templates.json(text))
        case .form(let rows)?:
            let pairs = rows.filter(\.isEnabled).map { row in
                templates.text(row.name, isEncoded: true, URLCoding.formEncoded) + "="
                    + templates.text(row.value, isEncoded: true, URLCoding.formEncoded)
            }
            return pairs.isEmpty ? [] : [pairs.joined(separator: "&")]
        case .file(let path)?: return ["< \(self.path(path, of: request))"]
        case .multipart(let parts)?:
            let boundary = "part-of-\(names[request.definition.id] ?? "request")"
            foreign.headers.removeAll { $0.name.lowercased() == "content-type" }
            foreign.headers.append(.init(name: "Content-Type", value: "multipart/form-data; boundary=\(boundary)"))
            var lines: [String] = []
            for part in parts where part.isEnabled { lines += ["--\(boundary)"] + (try self.part(part, of: request)) }
            return lines.isEmpty ? [] : lines + ["--\(boundary)--"]
        case let body?:
            guard case .graphql(let graphql) = body else { throw Inexpressible("its body is \(body.kind.name)") }
            try templates.check(graphql, of: request.definition.method)
            guard case .text(let query) = graphql.query else { throw Inexpressible("its GraphQL query stands in a file") }
            let text = self.lines(templates.text(query))
            let isWhole = graphql.operation == nil && !text.contains { $0.trimmingSpace.isEmpty } && !text.isEmpty
            guard isWhole else {
                return self.lines(templates.json(graphql, query))
            }
            if dialect == .jetbrains, foreign.method == "POST" {
                foreign.method = "GRAPHQL"
            } else {
                foreign.headers.append(.init(name: "X-Request-Type", value: "GraphQL"))
            }
            return text + (graphql.variables.map { [""] + lines(templates.json($0)) } ?? [])
        }
    }

    private mutating func lines(_ text: String) -> [String] {
        let lines = text.lines.map(String.init)
        if lines.contains(where: { $0.trimmingSpace.hasPrefix("#") || $0.trimmingSpace.hasPrefix("//") }) {
            templates.notes.add("lines of its body that begin with `#` or `//`: Visual Studio Code takes them for comments")
        }
        return text.isEmpty ? [] : lines
    }

    private mutating func path(_ path: String, of request: MergedRequest) -> String {
        templates.notes.addOfAll("files are named from the collection's directory: put the .http file there")
        let path = templates.text(request.path(path, in: plan.collection))
        return ["/", "{{", "../", "./"].contains(where: path.hasPrefix) ? path : "./\(path)"
    }

    private mutating func part(_ part: BodyDefinition.Part, of request: MergedRequest) throws(Inexpressible) -> [String] {
        func quoted(_ text: String) throws(Inexpressible) -> String {
            guard !text.contains(where: { $0 == "\"" || $0 == ";" || $0.isNewline }) else {
                throw Inexpressible("the name of a part of its body has a quote, a semicolon or a line break in it")
            }
            return "\"\(text)\""
        }
        var disposition = "Content-Disposition: form-data; name=\(try quoted(templates.text(part.name)))"
        var type = part.contentType.map { templates.text($0) }
        var content: [String]
        switch part.content {
        case .text(let text):
            if let name = part.fileName { disposition += "; filename=\(try quoted(templates.text(name)))" }
            content = lines(templates.text(text))
            let isAmbiguous =
                content.contains { $0.hasPrefix("--") } || content.last?.trimmingSpace.isEmpty == true
                || content.first.map { $0.hasPrefix("< ") || $0.hasPrefix("<@") } == true
            if isAmbiguous { throw Inexpressible("the part `\(part.name)` of its body has lines that mean something there") }
        case .file(let file):
            let path = self.path(file, of: request)
            let name = part.fileName.map { templates.text($0) } ?? path.split(separator: "/").last.map(String.init) ?? path
            disposition += "; filename=\(try quoted(name))"
            if type == nil { type = ContentType.forFile(file).rawValue }
            content = ["< \(path)"]
        }
        return [disposition] + (type.map { ["Content-Type: \($0)"] } ?? []) + [""] + content
    }

    // MARK: Responses

    /// What is expected and captured, for JetBrains.
    private mutating func scripts(_ definition: RequestDefinition) -> [String] {
        let writer = ClaimWriter(style: .condition)
        // What ends a script ends it in a text, too.
        func endsScript(_ texts: String...) -> Bool { texts.contains { "%}".isIn($0) } }
        var lines: [String] = []
        let expectations = definition.expectations
        if dialect == .vscode {
            if !expectations.isEmpty {
                let count = expectations.count == 1 ? "1 expectation" : "\(expectations.count) expectations"
                templates.notes.add("`expect`: \(count); --dialect jetbrains has scripts for such")
            }
            for capture in definition.captures {
                if value(of: capture, in: definition.id) == nil {
                    templates.notes.add("`capture`: \(capture.name) from \(capture.source)")
                } else if let exposure = capture.exposure {
                    templates.notes.add(exposure)
                }
            }
            return []
        }
        for expectation in expectations {
            if let statement = writer.statement(expectation),
                !endsScript(statement, "\(expectation.subject) \(expectation.matcher)")
            {
                let what = "\(expectation.subject) \(expectation.matcher)"
                lines += ["    client.test(\(JSONText.quoted(what)), function() {", "        \(statement)", "    });"]
            } else {
                templates.notes.add("`expect`: \(expectation.subject) \(expectation.matcher), which a script can't say exactly")
            }
        }
        for capture in definition.captures {
            if let expression = writer.expression(capture), !endsScript(expression) {
                lines.append("    client.global.set(\(JSONText.quoted(capture.name)), \(expression));")
                if let exposure = capture.exposure { templates.notes.add(exposure) }
            } else {
                templates.notes.add("`capture`: \(capture.name) from \(capture.source), which a script can't say exactly")
            }
        }
        return lines.isEmpty ? [] : ["", "> {%"] + lines + ["%}"]
    }
}
