import Foundation
import NetworkLayer
import Testing

@testable import RequestCollections

/// `variables` of folders and requests.
@Suite struct EntryVariablesTests {
    private static let collection = RequestCollection.of(
        """
        turnstone: 1
        variables: { host: http://h, who: collection, far: "{{who}}" }
        environments: { live: { who: live } }
        requests:
          plain: { get: "{{host}}/{{who}}/{{far}}" }
          f:
            variables: { who: folder, n: 7, path: "{{who}}-{{n}}" }
            requests:
              a: { get: "{{host}}/{{who}}/{{far}}/{{path}}", body: { json: { n: "{{n}}" } } }
              g:
                variables: { who: "inner {{n}}" }
                requests:
                  b: { get: "{{host}}/{{who}}/{{path}}" }
                  c:
                    variables: { who: own, n: "{{who}}!" }
                    get: "{{host}}/{{who}}/{{path}}"
          lost: { get: "{{host}}/{{n}}" }
          login: { post: "{{host}}/", capture: { token: .token, own: .own } }
          reads: { get: "{{host}}/{{path}}", variables: { path: "{{token}}" } }
          reads-items: { get: "{{host}}/{{token[0].id}}/{{token.id}}" }
          reads-not: { get: "{{host}}/{{token}}/{{own}}", variables: { token: x, own: "{{own}}" } }
        """)

    private static func request(_ id: String, in collection: RequestCollection = collection) throws -> RequestDefinition {
        try #require(collection.request(RequestID(rawValue: id)))
    }

    private static func url(
        _ id: String, environment: String? = nil, given: [String: JSONValue] = [:], captured: [String: CapturedValue] = [:]
    ) throws -> String {
        try collection.resolve(
            request(id), environment: environment, variables: given, with: TemplateEnvironment(captured: captured)
        ).request.url.absoluteString
    }

    @Test(
        arguments: [
            ("plain", nil, "http://h/collection/collection"), ("plain", "live", "http://h/live/live"),
            ("f/a", nil, "http://h/folder/folder/folder-7"), ("f/a", "live", "http://h/folder/folder/folder-7"),
            ("f/g/b", "live", "http://h/inner%207/inner%207-7"), ("f/g/c", "live", "http://h/own/own-own!"),
        ] as [(String, String?, String)])
    func `the nearest counts, also in what farther ones are made of`(id: String, environment: String?, url: String) throws {
        #expect(try Self.url(id, environment: environment) == url)
    }

    @Test func `what is given by hand or captured wins, and types are kept`() throws {
        #expect(try Self.url("f/g/c", given: ["who": "me", "n": .number("1")]) == "http://h/me/me-1")
        let captured = CapturedValue("token", from: RequestID(rawValue: "login"))
        #expect(try Self.url("f/g/b", captured: ["who": captured]) == "http://h/token/token-7")
        let body = try Self.collection.resolve(Self.request("f/a"), environment: nil).request.body
        #expect(body == .data(Data("{\n  \"n\": 7\n}".utf8)))
    }

    @Test func `an edited request has the variables that it has now`() throws {
        var draft = try Self.request("f/a")
        draft.variables = [VariableDefinition(name: "who", value: .text("draft"), location: .none)]
        let url = try Self.collection.resolve(draft, environment: nil).request.url.absoluteString
        #expect(url == "http://h/draft/draft/draft-7")
    }

    @Test func `a variable of another request has no value here, and the error says whose it is`() throws {
        let error = #expect(throws: ResolutionError.self) { try Self.url("lost") }
        #expect(
            error?.message == "the variable `n` has no value here: only `f`, `f/g/c` set it, each for itself"
                && error?.variable == "n", "\(String(describing: error))")
        let own = Self.collection.complaints(about: try Self.request("reads-not"), environment: nil).map(\.message)
        #expect(own == ["the variables need each other in a circle: own → own"])
    }

    @Test func `a plan sees what variables of a request take from answers`() throws {
        let finder = TemplateReadsFinder(Self.collection, environment: nil, variables: [])
        let reads = finder.reads(of: try Self.request("reads"))
        #expect(reads.names.map(\.name) == ["token"] && reads.given.contains("path"))
        #expect(finder.reads(of: try Self.request("reads-items")).names.map(\.name) == ["token"])
        #expect(finder.reads(of: try Self.request("reads-not")).names == [])
        #expect(finder.reads(of: try Self.request("lost")).names.map(\.name) == ["n"])
    }

    @Test func `an explanation says where a value comes from, and what it won over`() throws {
        func rows(_ id: String) throws -> [String] {
            try Self.collection.explain(Self.request(id), environment: "live").rows.filter { $0.name == "who" }.map { row in
                "\(row.value) from \(row.origin.source), not "
                    + row.overrode.map { "\($0.value) from \($0.origin.source)" }.joined(separator: ", ")
            }
        }
        let farther = "live from the environment live, collection from the collection's variables"
        #expect(try rows("f/a") == ["folder from the variables of f, not \(farther)"])
        #expect(
            try rows("f/g/c") == [
                "own from this request, not inner {{n}} from the variables of f/g, folder from the variables of f, \(farther)"
            ])
    }

    @Test func `secrets are masked, asked for, and known by their names`() throws {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            requests:
              f:
                variables: { key: { secret: { env: KEY }, for: https://h } }
                requests: { a: { get: https://h/, headers: { x: "{{key}}" } } }
              b: { get: https://h/, variables: { password: hunter2 }, headers: { x: "{{password}}" } }
            """)
        #expect(collection.problems == [] && collection.secretNames == ["key"])
        let a = try Self.request("f/a", in: collection)
        let wants = collection.wants(of: [a], environment: nil).map { "\($0.want)" }
        #expect(wants.contains { $0.contains("KEY") }, "\(wants)")
        let rows = try collection.explain(a, environment: nil).rows.filter { $0.group == .headers && $0.name == "x" }
        #expect(rows.map(\.value) == ["••••••"])
        let b = try Self.request("b", in: collection)
        #expect(try !"\(collection.explain(b, environment: nil))".contains("hunter2"))
        // The history keeps none, and takes it from the file again.
        let kept = b.withoutCredentials
        #expect(!"\(kept)".contains("hunter2"))
        #expect(kept.restoringCredentials(from: b) == b)
    }

    @Test func `what is kept of a request keeps them`() throws {
        let request = try Self.request("f/g/c")
        let data = try JSONEncoder().encode(request)
        #expect(try JSONDecoder().decode(RequestDefinition.self, from: data) == request)
        let secret = VariableDefinition(
            name: "k", value: .secret(.command(["a", "b"])), origins: [try #require(OriginPattern("https://*.h"))], location: .none)
        let read = try JSONDecoder().decode(VariableDefinition.self, from: JSONEncoder().encode(secret))
        #expect(read == secret)
    }

    @Test(arguments: [
        ("variables: [1]", "5:16: `variables` takes a map, not a list"), ("variables: { a b: 1 }", "5:18: "),
        ("variables: { a: { secret: { nev: K } } }", "5:33: unknown key `nev` in secret"),
    ])
    func `what is wrong with them is said with its place`(line: String, message: String) throws {
        for text in ["  a:\n    get: http://h/\n    \(line)\n", "  a:\n    requests: { b: { get: http://h/ } }\n    \(line)\n"] {
            let problems = RequestCollection.requests(text).problems.map {
                "\($0.location.line):\($0.location.column): \($0.message)"
            }
            #expect(problems.count == 1 && problems[0].hasPrefix(message), "\(problems)")
        }
    }

    @Test func `they are written, changed and taken away`() throws {
        let variables = [
            VariableDefinition(name: "a", value: .text("1"), location: .none),
            VariableDefinition(name: "b", value: .json("[\n  1,\n  2\n]"), location: .none),
        ]
        let some = try SavingTests.lines("    name: A\n    get: http://a/") { $0.variables = variables }
        #expect(some == "    name: A\n    get: http://a/\n    variables: { a: \"1\", b: [1, 2] }")
        let other = try SavingTests.lines("    variables:\n      a: 1 # one\n      c: 3\n    get: http://a/") {
            $0.variables[1].value = .text("x")
        }
        #expect(other == "    variables:\n      a: 1 # one\n      c: x\n    get: http://a/")
        #expect(try SavingTests.lines(some) { $0.variables = [] } == "    name: A\n    get: http://a/")
    }

    @Test func `a collection that is written has them, in one file and in a directory`() throws {
        let text = try Self.collection.text()
        #expect(RequestCollection.of(text).others(than: nil) == Self.collection.others(than: nil))
        let directory = try TemporaryDirectory()
        var collection = Self.collection
        collection.path = directory.path + "/shop"
        let change = try collection.writing(as: .directory)
        try change.write()
        let read = try RequestCollection.load(path: collection.path)
        #expect(read.folders.map { $0.variables.map(\.name) } == [["who", "n", "path"], ["who"]])
        #expect(read.request(RequestID(rawValue: "f/g/c"))?.variables.map(\.name) == ["who", "n"])
    }
}
