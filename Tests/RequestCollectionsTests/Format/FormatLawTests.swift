import SchemaTesting
import Testing

@testable import RequestCollections

/// What holds of every row of the tables of a request, whoever adds one. Settings have `Every setting`.
@Suite struct `Every key of a request` {
    private static let id = RequestID(rawValue: "a")

    private static func file(_ line: String = "", verb: String = "get: http") -> String {
        let others = ["b", "word"].map { "  \($0): { get: http://h/ }\n" }.joined()
        return "turnstone: 1\nrequests:\n\(others)  a:  # a comment\n    \(verb)://h/\n"
            + (line.isEmpty ? "" : "    \(line)  # of it\n")
    }

    /// Beside a sample of `until` stands what it waits for.
    private static func file(_ sample: FormatSample) -> String {
        file(sample.line, verb: sample.verb) + (sample.path[0] == "until" ? "    expect: { status: 200 }\n" : "")
    }

    private static func read(_ text: String) -> RequestDefinition? {
        let collection = RequestCollection.of(text)
        guard let request = collection.request(id), request.problems.isEmpty, collection.problems.isEmpty else { return nil }
        return request
    }

    /// The file with another version of the request in it.
    private static func saved(_ draft: RequestDefinition, in text: String) throws -> String {
        let collection = RequestCollection.of(text)
        let change = try collection.change(to: draft, from: try #require(collection.request(id)), in: Array(text.utf8))
        return change.files.first.map { String(decoding: $0.after ?? [], as: UTF8.self) } ?? text
    }

    private static let accepted = FormatSample.all.filter { read(file($0)) != nil }

    @Test func `has a sample that the reader accepts`() {
        let paths = Set(Self.accepted.map(\.path))
        // A schema is about JSON. A cookie's value is none; the table names it, so that the reader can say that.
        for path in FormatSample.paths where path.suffix(2) != ["cookie", "schema"] {
            #expect(paths.contains(path), "\(path.joined(separator: "."))")
        }
    }

    /// A reader that passes over a row would find the same with it and without it.
    @Test func `says something by each of its rows`() {
        for path in FormatSample.paths where path.suffix(2) != ["cookie", "schema"] {
            let samples = Dictionary(grouping: Self.accepted.filter { $0.path == path }) { $0.withoutRow?.value ?? "" }
            #expect(
                samples.values.contains { samples in
                    let files =
                        samples.map(Self.file) + [samples[0].withoutRow.map(Self.file) ?? Self.file(verb: samples[0].verb)]
                    return Set(files.compactMap { Self.read($0)?.withoutPlaces }).count > 1
                }, "\(path.joined(separator: "."))")
        }
    }

    @Test(arguments: FormatSample.refused) func `is refused by its name where it can't be`(sample: FormatSample) {
        let collection = RequestCollection.of(Self.file(sample))
        let problems = collection.problems + collection.requests.flatMap(\.problems)
        #expect(problems.contains { $0.message.contains("`\(sample.path.last ?? "")`") }, "\(sample): \(problems)")
    }

    @Test(arguments: accepted)
    func `is written as it is read, and not at all when nothing has changed`(sample: FormatSample) throws {
        let text = Self.file(sample)
        let read = try #require(Self.read(text))
        #expect(try Self.saved(read, in: text) == text)
        let empty = Self.file(verb: sample.verb)
        var draft = try #require(Self.read(empty))
        let key = try #require(RequestKey[sample.path[0]])
        key.copy(read, &draft)
        if key == .until { draft.expectations = read.expectations }
        let written = try Self.saved(draft, in: empty)
        #expect(Self.read(written)?.withoutPlaces == draft.withoutPlaces, "\(written)")
        let whole = try RequestCollection.of(Self.file(sample)).text()
        #expect(Self.read(whole)?.withoutPlaces == draft.withoutPlaces, "\(whole)")
        // And away again.
        let away = try Self.saved(try #require(Self.read(empty)), in: written)
        #expect(Self.read(away)?.withoutPlaces == Self.read(empty)?.withoutPlaces, "\(away)")
    }

    @Test(arguments: accepted)
    func `is merged with what another program made of the rest`(sample: FormatSample) throws {
        let key = try #require(RequestKey[sample.path[0]])
        let base = try #require(Self.read(Self.file(verb: sample.verb)))
        let mine = try #require(Self.read(Self.file(sample)))
        var theirs = base
        theirs.url = "http://other/"
        let (merged, conflicts) = RequestEdit(from: base, to: mine).rebased(onto: theirs)
        #expect(conflicts == [])
        #expect(merged.url == theirs.url)
        #expect(merged.typed(key) == mine.typed(key))
        // Both said something of it.
        for other in Self.accepted where other.path[0] == key.name && other.value != sample.value {
            let theirs = try #require(Self.read(Self.file(other)))
            let conflicts = RequestEdit(from: base, to: mine).rebased(onto: theirs).conflicts
            let isSame = mine.typed(key) == theirs.typed(key)
            let isMap = MergeScope.request.inside(key.name) != .single
            #expect(isSame || !conflicts.isEmpty || isMap, "\(sample) and \(other)")
            break
        }
    }

    @Test(arguments: accepted.filter { RequestKey[$0.path[0]]?.example != nil })
    func `takes the line that it shows`(sample: FormatSample) throws {
        let key = try #require(RequestKey[sample.path[0]])
        let read = try #require(Self.read(Self.file(sample)))
        let line = read.typed(key)
        guard !line.isEmpty else { return }
        var typed = try #require(Self.read(Self.file(key == .until ? "expect: { status: 200 }" : "")))
        try typed.setTyped(line, of: key)
        #expect(typed.withoutPlaces.typed(key) == read.withoutPlaces.typed(key), "\(line)")
        try typed.setTyped("", of: key)
        #expect(typed.typed(key) == "")
    }

    private static let schema = JSONParser.parse(CollectionSchema.text())

    @Test func `is known to the schema, which editors complete by`() throws {
        let schema = try #require(Self.schema)
        for sample in Self.accepted {
            let document = try YAMLDocument(path: "a.yaml", bytes: Array(Self.file(sample).utf8))
            let value = try JSONValue(try #require(document.root), in: "a.yaml")
            #expect(SchemaValidator(root: schema).accepts(value), "\(sample)")
        }
        for key in RequestKey.all {
            #expect(CollectionSchema.text().contains(JSONValue.string(key.help).text(pretty: false)))
        }
    }
}

@Suite struct `Every field of an authentication` {
    /// Each kind, and of OAuth 2 each grant, with all fields filled in.
    private static let filled: [AuthDefinition] = AuthKind.all.flatMap { kind in
        (kind["grant"]?.choices ?? [""]).map { grant in
            var auth = kind.empty
            if let field = kind["grant"] { try? auth.set(grant, of: field) }
            for field in auth.fields where field.key != "grant" { try? auth.set(sample(of: field), of: field) }
            return auth
        }
    }

    private static func sample(of field: AuthField) -> String {
        if case .duration = field.shape { return "90s" }
        return field.choices?.last ?? "{{\(field.key)}}"
    }

    @Test(arguments: filled) func `says what it was given, and is written and read as that`(auth: AuthDefinition) throws {
        for field in auth.fields where field.key != "grant" { #expect(auth.text(of: field) == Self.sample(of: field)) }
        var request = RequestDefinition(id: RequestID(rawValue: "a"), method: "GET", url: "http://h/", location: .none)
        request.auth = auth
        let line = request.typed(.auth)
        let collection = RequestCollection.requests("  a: { get: http://h/, auth: \(line) }\n")
        #expect(collection.problems == [] && collection.request("a")?.problems == [])
        #expect(collection.request("a")?.auth == auth)
    }

    @Test(arguments: filled) func `takes away what needn't be said`(auth: AuthDefinition) throws {
        var changed = auth
        for field in auth.fields where field.key != "grant" {
            try changed.set("", of: field)
            #expect(changed.text(of: field) == field.standard ?? "", "\(field.key)")
        }
    }

    @Test(arguments: AuthKind.all.flatMap { $0.fields.filter { $0.isRequired } })
    func `is missed where it is required`(field: AuthField) throws {
        let kind = try #require(AuthKind.all.first { $0.fields.contains(field) })
        let problems = RequestCollection.requests("  a: { get: http://h/, auth: { \(kind.name): {} } }\n").request("a")?.problems
        #expect(problems?.contains { $0.message.hasSuffix(" lacks `\(field.key)`") } == true)
    }

    @Test func `refuses what it can't be, with what it takes`() throws {
        for auth in Self.filled {
            for field in auth.fields where field.choices != nil || !field.hasTemplates {
                var changed = auth
                let error = #expect(throws: InvalidFieldText.self) { try changed.set("nonsense", of: field) }
                #expect(error?.message.hasPrefix("`\(field.key)` takes ") == true)
                #expect(changed == auth)
            }
        }
    }

    /// A password never shows.
    @Test(arguments: filled) func `is shown unless it is secret`(auth: AuthDefinition) {
        for field in auth.fields where field.isSecret {
            #expect(auth.shownName?.contains(Self.sample(of: field)) != true)
        }
    }

    @Test func `goes along to another kind that has it`() {
        let basic = AuthDefinition.basic(user: "ada", password: "secret")
        #expect(basic.converted(to: .digest) == .digest(user: "ada", password: "secret"))
        #expect(basic.converted(to: .bearer) == .bearer("secret"))
        #expect(basic.converted(to: .awsSigV4) == AuthKind.awsSigV4.empty)
        #expect(AuthDefinition.bearer("t").converted(to: .basic) == .basic(user: "", password: "t"))
    }
}

@Suite struct `Every field of a mock` {
    @Test func `refuses what a file can't say, with what it takes`() throws {
        let refused = [
            ("status", "199"), ("status", "600"), ("status", "busy"), ("delay", "soon"), ("delay", "2s..1s"), ("latency", "never"),
            ("rate", "many"), ("error", "nonsense"),
        ]
        for (key, text) in refused {
            let field = try #require(MockDefinition.fields.first { $0.key == key })
            var mock = MockDefinition(location: .none)
            let error = #expect(throws: InvalidFieldText.self) { try field.set(text, in: &mock) }
            #expect(error?.message.hasPrefix("`\(key)` takes ") == true)
            #expect(mock.saysNothing)
        }
    }

    @Test func `takes the line that it shows`() throws {
        for (key, text) in [
            ("status", "503"), ("delay", "1s..2s"), ("latency", "10ms"), ("rate", "16KB"), ("error", "dns"), ("file", "a.json"),
        ] {
            let field = try #require(MockDefinition.fields.first { $0.key == key })
            var mock = MockDefinition(location: .none)
            try field.set(text, in: &mock)
            #expect(field.text(in: mock) == text)
            try field.set("", in: &mock)
            #expect(mock.saysNothing)
        }
    }
}

extension FormatSample {
    /// What takes it, and the beginning of its URL.
    fileprivate var verb: String {
        if ["subprotocols", "session", "messages"].contains(path[0]) || path == ["body", "graphql", "connection"] {
            return "websocket: ws"
        }
        return path.starts(with: ["body", "graphql"]) ? "post: http" : "get: http"
    }
}
