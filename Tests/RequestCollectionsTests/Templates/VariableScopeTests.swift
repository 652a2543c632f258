import Foundation
import Testing

@testable import RequestCollections

@Suite struct VariableScopeTests {
    private static let collection = RequestCollection.of(
        """
        turnstone: 1
        variables:
          host: http://{{name}}:{{port}}
          name: localhost
          port: 8080
          flag: true
          none: ~
          list: [1, "{{name}}"]
          word: "with \\"quotes\\""
          digits: "12"
          a: "{{b}}"
          b: "{{c}}"
          c: "{{a}}"
          broken: "{{nam}}"
          x0: "{{x1}}{{x1}}{{x1}}{{x1}}{{x1}}{{x1}}{{x1}}{{x1}}{{x1}}{{x1}}"
          x1: "{{x2}}{{x2}}{{x2}}{{x2}}{{x2}}{{x2}}{{x2}}{{x2}}{{x2}}{{x2}}"
          x2: "{{x3}}{{x3}}{{x3}}{{x3}}{{x3}}{{x3}}{{x3}}{{x3}}{{x3}}{{x3}}"
          x3: "{{x4}}{{x4}}{{x4}}{{x4}}{{x4}}{{x4}}{{x4}}{{x4}}{{x4}}{{x4}}"
          x4: "{{name}}{{name}}"
        environments:
          test: { name: test, extra: yes it is }
          live: { extends: test, name: live, key: { secret: { env: KEY } } }
        """)

    private static func text(
        _ text: String, environment: String? = nil, given: [String: JSONValue] = [:],
        sources: TemplateEnvironment = TemplateEnvironment(now: Date(timeIntervalSince1970: 0), seed: 1)
    ) throws -> String {
        var scope = try VariableScope(collection, environment: environment, given: given, sources: sources)
        return try scope.text(text, at: SourceLocation(path: "here", line: 1, column: 2)).text
    }

    @Test(
        arguments: [
            ("{{host}}/x", nil, "http://localhost:8080/x"),
            ("{{host}}/x", "test", "http://test:8080/x"),
            ("{{host}} {{extra}}", "live", "http://live:8080 yes it is"),
            ("[{{flag}}|{{none | default('')}}|{{list}}]", nil, "[true||[1,\"localhost\"]]"),
            ("{{\"{{name}}\"}}", nil, "{{name}}"),
        ] as [(String, String?, String)])
    func `variables are filled in, the nearest first`(template: String, environment: String?, result: String) throws {
        #expect(try Self.text(template, environment: environment) == result)
    }

    @Test(
        arguments: [
            ("{{users[0].name}} {{users[-1][\"name\"]}}", "ada bob"), ("{{users[at].tags[1]}}", "y"),
            ("{{users[0].tags}}", "[\"x\",\"y\"]"),
            ("{{map.inner.name}} {{map[\"inner\"]}}", "eve {\"name\":\"eve\"}"), ("{{map.own}}", "variable"),
            ("{{users[7] | default(\"none\")}} {{map.zip | default(\"none\")}}", "none none"),
            ("{{users[0].name | base64()}}", "YWRh"),
            ("{{answer.ids[1]}}", "12"),
            ("{{users[7]}}", "here:1:2: `users` has no item 7: they are 0 to 1"),
            ("{{users.name}}", "here:1:2: `users` is a list, and its items have numbers: `[0]`, `[-1]`"),
            ("{{map[0]}}", "here:1:2: `map` is a map, and its members have names: `[\"name\"]`"),
            ("{{map.inner.nam}}", "here:1:2: `map.inner` has no member `nam`; did you mean `name`?"),
            ("{{at[0]}}", "here:1:2: `at` is neither a list nor a map"),
            ("{{users[0}}", "here:1:2: the template ends too early: the `]` is missing"),
        ])
    func `items of lists and members of maps have values`(template: String, result: String) throws {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            variables:
              at: 0
              users: [{ name: ada, tags: [x, y] }, { name: bob }]
              map: { inner: { name: eve } }
              map.own: variable
            """)
        let sources = TemplateEnvironment(captured: [
            "answer": CapturedValue(["ids": .array([11, 12])], from: RequestID(rawValue: "login"))
        ])
        var scope = try VariableScope(collection, environment: nil, given: [:], sources: sources)
        do {
            #expect(try scope.text(template, at: SourceLocation(path: "here", line: 1, column: 2)).text == result)
        } catch {
            #expect("\(error)" == result)
        }
    }

    /// A stranger's file would otherwise end the program: each link takes a part of the stack.
    @Test(arguments: [
        "a" + String(repeating: "[0]", count: 1000), "a[0]" + String(repeating: ".b", count: 1000),
        "a" + String(repeating: " | base64", count: 1000),
    ])
    func `a long chain is refused`(chain: String) {
        #expect(throws: TemplateError.self) { try Template("{{\(chain)}}") }
        #expect(throws: ResolutionError.self) { try Self.text("{{list\(String(repeating: ".b", count: 100_000))}}") }
    }

    @Test func `a member of a secret is masked, and so is what is a credential by its name`() throws {
        let collection = RequestCollection.of(
            "turnstone: 1\nvariables: { login: { password: p-1, users: [{ token: t-1 }] }, s: { secret: { env: S } } }")
        let sources = TemplateEnvironment(answers: [.secret(.environment("S")): TemplateAnswer(["a": "hidden"])])
        var scope = try VariableScope(collection, environment: nil, given: [:], sources: sources)
        #expect(try scope.text("{{login.password}} {{login.users[0].token}} {{s.a}}", at: nil).text == "p-1 t-1 hidden")
        #expect(scope.secretTexts == ["p-1", "t-1", "hidden"])
        let lists = RequestCollection.of("turnstone: 1\nvariables: { token: [tok-1], password: { admin: { a: p-2 } } }")
        scope = try VariableScope(lists, environment: nil, given: [:], sources: TemplateEnvironment())
        #expect(try scope.text("{{token[0]}} {{password.admin.a}}", at: nil).text == "tok-1 p-2")
        #expect(scope.secretTexts == ["tok-1", "p-2"])
        scope = try VariableScope(collection, environment: nil, given: [:], sources: TemplateEnvironment(mode: .show))
        #expect(try scope.text("{{s.a}} {{s[0]}}", at: nil).text == "•••••• ••••••")
    }

    @Test func `what is given by hand wins, and is no template`() throws {
        #expect(try Self.text("{{name}}", environment: "live", given: ["name": "{{port}}"]) == "{{port}}")
    }

    @Test func `a secret is needed before it is known, and noted for masking`() throws {
        var scope = try VariableScope(Self.collection, environment: "live", given: [:], sources: TemplateEnvironment())
        #expect(try scope.text("<{{key}}>", at: nil).text == "<••••••>")
        let secret = TemplateRequirement.secret(.environment("KEY"))
        let place = SourceLocation(path: "shop.yaml", line: 22, column: 38)
        #expect(scope.unmet == [UnmetRequirement(secret, variable: "key", at: place)])
        #expect(scope.secretTexts == [])
        var sources = TemplateEnvironment(answers: [secret: TemplateAnswer(.string("k-1"))])
        scope = try VariableScope(Self.collection, environment: "live", given: [:], sources: sources)
        #expect(try scope.text("<{{key}}>", at: nil).text == "<k-1>")
        #expect(scope.secretTexts == ["k-1"])
        #expect(scope.unmet == [])
        sources = TemplateEnvironment(mode: .show)
        #expect(try Self.text("<{{key}}>", environment: "live", sources: sources) == "<••••••>")
    }

    @Test(
        arguments: [
            ("{{prot}}", nil, "here:1:2: the variable `prot` has no value; did you mean `port`?"),
            ("{{prot}}", "test", "here:1:2: the variable `prot` has no value in the environment `test`; did you mean `port`?"),
            ("{{zzzzzz}}", nil, "here:1:2: the variable `zzzzzz` has no value"),
            ("{{extra}}", nil, "here:1:2: the variable `extra` has no value without an environment; `test` would set it"),
            ("{{key}}", "test", "here:1:2: the variable `key` has no value in the environment `test`; `live` would set it"),
            ("{{broken}}", nil, "shop.yaml:14:3: the variable `nam` has no value; did you mean `name`?"),
            ("{{a}}", nil, "shop.yaml:11:3: the variables need each other in a circle: a → b → c → a"),
            ("{{x0}}", nil, "shop.yaml:19:3: the request takes more than 10000 variables to fill in"),
            ("{{name", nil, "here:1:2: `{{` has no `}}`; write `{{\"{{\"}}` for the braces themselves"),
            ("", "tset", "there is no environment `tset`; did you mean `test`?"),
            ("", "zzzzz", "there is no environment `zzzzz`; there are test, live"),
        ] as [(String, String?, String)])
    func `what can't be filled in says why, and where`(template: String, environment: String?, sentence: String) {
        let error = #expect(throws: ResolutionError.self) { try Self.text(template, environment: environment) }
        #expect(error?.description == sentence)
    }

    /// It ended the program: the stack was too short for it.
    @Test func `a long chain of variables is an error`() throws {
        let chain = (0..<5000).map { "v\($0): \"{{v\($0 + 1)}}\"" }.joined(separator: ", ")
        let collection = RequestCollection.of("turnstone: 1\nvariables: { \(chain), v5000: end }")
        let sources = TemplateEnvironment(now: Date(timeIntervalSince1970: 0), seed: 1)
        var scope = try VariableScope(collection, environment: nil, given: [:], sources: sources)
        let error = #expect(throws: ResolutionError.self) { _ = try scope.text("{{v0}}", at: nil) }
        #expect(error?.message == "`v0` leads from one variable to the next more than 100 times")
        #expect(try scope.text("{{v4901}}", at: nil).text == "end")
    }

    @Test(
        arguments: [
            (#"{"a": "{{port}}"}"#, #"{"a": 8080}"#),
            (#"{"a": "no. {{port}}"}"#, #"{"a": "no. 8080"}"#),
            (#"{"{{port}}" : "{{flag}}"}"#, #"{"8080" : true}"#),
            (#"["{{none}}", "{{list}}", "{{name}}"]"#, #"[null, [1,"localhost"], "localhost"]"#),
            (#"{"a": "{{word}}", "b": "<{{word}}>"}"#, #"{"a": "with \"quotes\"", "b": "<with \"quotes\">"}"#),
            (
                #"{"a": {{port}}, "b": {{name}}, "c": {{digits}}, "d": "{{digits}}"}"#,
                #"{"a": 8080, "b": "localhost", "c": 12, "d": "12"}"#
            ),
            (#"{{list}}"#, #"[1,"localhost"]"#),
            (#"{"a":  "\u00e4\n",   "b": "{ { }"}"#, #"{"a":  "\u00e4\n",   "b": "{ { }"}"#),
            (#"not json "{{name}}", "open {{name}}"#, #"not json "localhost", "open "localhost""#),
        ])
    func `JSON keeps its layout, and a template alone its type`(template: String, result: String) throws {
        var scope = try VariableScope(Self.collection, environment: nil, given: [:], sources: TemplateEnvironment())
        #expect(try scope.json(template, at: nil).text == result)
    }
}
