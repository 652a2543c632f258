import Interchange
import NetworkLayer
import RequestCollections
import Testing

@Suite struct PastedRequestTests {
    private static let origin = OriginPattern(Origin("https://example.com")!)

    private func read(_ text: String) throws -> PastedRequest { try PastedRequest(text) }

    @Test(arguments: [
        ("https://example.com/", true), (" https://example.com/a?b=1#c\n", true), ("HTTPS://EXAMPLE.com", true),
        ("DELETE https://example.com/orders/1", true), ("curl https://example.com", true), ("$ curl -v x", true),
        ("curl", true), ("/usr/bin/curl -s x", true), ("# first\ncurl x \\\n  -d a", true),
        ("", false), ("example.com", false), ("ftp://example.com/", false), ("https://", false),
        ("see https://example.com/", false),
        ("https://example.com/ https://example.org/", false), ("curly", false),
        ("https://example.com/\nhttps://example.org/", false),
    ])
    func `a URL and a command for curl are requests, other text isn't`(text: String, isOne: Bool) {
        #expect(PastedRequest.isOne(text) == isOne)
    }

    @Test func `a URL is a GET of it, its query in rows`() throws {
        let pasted = try read("https://example.com/a/b?page=2&q=x%20y")
        #expect(pasted.definition.method == "GET")
        #expect(pasted.definition.url == "https://example.com/a/b")
        #expect(pasted.definition.query.map { "\($0.name)=\($0.value)" } == ["page=2", "q=x y"])
        #expect(pasted.definition.id.rawValue == "get-a-b")
        #expect(pasted.values.isEmpty && pasted.notes.isEmpty)
    }

    @Test func `braces, brackets, quotes and dollars of a URL are a part of it`() throws {
        let pasted = try read("PATCH https://example.com/a[1]/o'b/$HOME/`id`/$(id)")
        #expect(pasted.definition.method == "PATCH")
        #expect(pasted.definition.url == "https://example.com/a[1]/o%27b/$HOME/`id`/$(id)")
        #expect(pasted.values.isEmpty)
    }

    @Test func `secrets stand beside it, and in the request only the names of their variables`() throws {
        let pasted = try read(
            """
            curl -X POST 'https://example.com/orders?api_key=k-987654' \\
              -H 'Authorization: Bearer sk_live_123456' -H 'X-Api-Key: k-987654' -d '{"a": 1}' --json '{"password": "hunter22"}'
            """)
        #expect(pasted.definition.auth == .bearer("{{token}}"))
        #expect(pasted.definition.headers.filter { $0.name == "X-Api-Key" }.map(\.value) == ["{{x_api_key}}"])
        #expect(pasted.definition.query.map(\.value) == ["{{x_api_key}}"])
        #expect(pasted.values["token"] == PastedRequest.Value("sk_live_123456", isSecret: true, origins: [Self.origin]))
        #expect(pasted.values["x_api_key"] == PastedRequest.Value("k-987654", isSecret: true, origins: [Self.origin]))
        for secret in ["sk_live", "k-987654"] {
            #expect(!"\(pasted.definition)".contains(secret))
            #expect(!"\(pasted)".contains(secret))
            var dumped = ""
            dump(pasted, to: &dumped)
            #expect(!dumped.contains(secret))
        }
    }

    @Test(arguments: [#"{"qty":2}"#, #"{ "qty": 2, "list": [ 1,2 ] }"#, "{\n    \"qty\": 2\n}"])
    func `JSON is sent to the byte`(body: String) throws {
        for option in ["-H 'Content-Type: application/json' -d", "--json"] {
            #expect(try read("curl https://example.com/ \(option) '\(body)'").definition.body == .text(body))
        }
    }

    @Test(arguments: ["\n", " ", ""]) func `secrets of a JSON text don't stay in the file`(blank: String) throws {
        let body = "\(blank){\"user\":\"bob\",\n \"password\":\"$ecret-Pa55\",\"client_secret\":\"%AbC123\"}"
        let pasted = try read("curl https://example.com/ --json '\(body)'")
        #expect(
            !"\(pasted.definition)".contains("$ecret") && !"\(pasted.definition)".contains("%AbC"),
            "\(pasted.definition.body as Any)")
        #expect(try !"\(read(#"curl https://example.com/ --json '{"pass\u0077ord":"uni-1234"}'"#).definition)".contains("uni-1234"))
    }

    @Test func `JSON that is laid out as ours is a map in the file, and so is a secret with an escape`() throws {
        #expect(try read("curl https://example.com/ --json '{\n  \"qty\": 2\n}'").definition.body == .json("{\n  \"qty\": 2\n}"))
        let pasted = try read(#"curl https://example.com/ --json '{"password":"hunter\"22"}'"#)
        #expect(pasted.definition.body == .json("{\n  \"password\": \"{{password}}\"\n}"))
        #expect(pasted.values["password"]?.text == #"hunter"22"#)
    }

    @Test func `a secret that a variable has already is that variable, and other names are left alone`() throws {
        let pasted = try PastedRequest(
            "curl -u ada:lovelace -H 'Authorization: Token t-123456' -H 'X-Token: t-123456' https://example.com/",
            known: ["lovelace": "password"], taken: ["password", "authorization"])
        #expect(pasted.values.values.map(\.text) == ["t-123456"])
        #expect(pasted.values["authorization"] == nil && pasted.values["password"] == nil)
    }

    @Test func `a value that the script gives is kept, and what is lost is told`() throws {
        let pasted = try read("ID=17\ncurl https://example.com/orders/$ID --http3-only -o x\ncurl https://example.com/2")
        #expect(pasted.definition.url == "https://example.com/orders/{{ID}}")
        #expect(pasted.values == ["ID": PastedRequest.Value("17", isSecret: false)])
        #expect(
            pasted.notes.last == "only the first of 2 commands is taken; `turnstone import` makes a collection of all of them")
    }

    @Test func `a command without a URL is refused`() {
        #expect(throws: CollectionProblem.self) { try PastedRequest("curl -v") }
    }
}
