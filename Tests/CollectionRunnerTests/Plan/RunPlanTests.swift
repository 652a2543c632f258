import Foundation
import NetworkLayer
import RequestCollections
import Testing

@testable import CollectionRunner

@Suite struct RunPlanTests {
    private static let shop = """
        requests:
          login: { post: http://h/login, capture: { token: .token } }
          create: { post: http://h/orders, needs: login, capture: { id: .id } }
          read: { get: "http://h/orders/{{id}}", needs: [login, create] }
          delete: { delete: "http://h/orders/{{id}}", needs: [create, read] }
          look: { get: http://h/look, headers: { authorization: "Bearer {{token}}" } }
          page: { get: "http://h/page?from={{next | default(0)}}", capture: { next: .next } }
          last: { get: "http://h/last/{{next | default('none')}}" }
          first: { get: 'http://h/{{response("login", ".token", max_age: 1h)}}' }
        """

    /// `name(what it goes after)`, with a star for what somebody asked for.
    private func plan(_ text: String, _ ids: String..., rounds: Int = 1, variables: [String: JSONValue] = [:]) throws -> RunPlan {
        let bench = try RunnerBench(text)
        let jobs = try ids.map { id in
            let job = try bench.job(id)
            return RunJob(job.definition, in: job.collection, environment: job.environment, variables: variables)
        }
        return RunPlan(jobs, rounds: rounds)
    }

    private func text(_ plan: RunPlan) -> [String] {
        plan.nodes.map { node in
            let edges = node.edges.map { (plan.nodes[$0.node].id.rawValue, $0.isDemand) }
            let list = edges.map { $0.1 ? $0.0 : "\($0.0)?" }.joined(separator: " ")
            return node.id.rawValue + (node.isSelected ? "*" : "") + (list.isEmpty ? "" : "(\(list))")
        }
    }

    @Test func `each request is in a plan once, after what it needs`() throws {
        #expect(
            text(try plan(Self.shop, "delete")) == ["login", "create(login)", "read(login create)", "delete*(create read)"])
        #expect(
            text(try plan(Self.shop, "read", "login", "delete", "create"))
                == ["login*", "create*(login)", "read*(login create)", "delete*(create read)"])
    }

    @Test func `each round has its own`() throws {
        #expect(text(try plan(Self.shop, "create", rounds: 2)) == ["login", "create*(login)", "login", "create*(login)"])
        #expect(try plan(Self.shop, "create", rounds: 2).nodes.map(\.edges).map { $0.map(\.node) } == [[], [0], [], [2]])
    }

    @Test func `the nodes of a late round are those of the first one, moved`() throws {
        let plan = try plan(Self.shop, "delete", "look", rounds: 100_000)
        #expect(plan.nodes.count == 500_000)
        let last = plan.nodes[499_998]
        #expect(last.id.rawValue == plan.nodes[3].id.rawValue)
        #expect(last.round == 99_999)
        #expect(last.edges.map(\.node) == plan.nodes[3].edges.map { $0.node + 499_995 })
        #expect(plan.isDemanded(499_995) && !plan.isDemanded(499_998))
    }

    @Test func `a captured name is an edge, unless something else gives the variable`() throws {
        #expect(text(try plan(Self.shop, "look")) == ["login", "look*(login)"])
        #expect(text(try plan(Self.shop, "look", variables: ["token": "t"])) == ["look*"])
        #expect(text(try plan("variables: { token: start }\n" + Self.shop, "look")) == ["look*"])
        #expect(text(try plan(Self.shop, "first")) == ["login", "first*(login)"])
    }

    @Test func `a name with a default only says who goes first`() throws {
        #expect(text(try plan(Self.shop, "page")) == ["page*"])
        #expect(text(try plan(Self.shop, "last")) == ["last*"])
        #expect(text(try plan(Self.shop, "page", "last")) == ["page*", "last*(page?)"])
    }

    @Test func `a variable that is also captured has the value that the file's order gives it`() throws {
        let text = """
            variables: { token: start }
            requests:
              before: { get: "http://h/{{token}}" }
              login: { post: http://h/login, capture: { token: .token } }
              after: { get: "http://h/{{token}}" }
            """
        #expect(self.text(try plan(text, "before", "login", "after")) == ["before*", "login*", "after*(login?)"])
        #expect(self.text(try plan(text, "after")) == ["after*"])
        #expect(self.text(try plan(text, "login", "after", variables: ["token": "t"])) == ["login*", "after*"])
    }

    @Test(arguments: [
        "get: 'http://h/{{x}}'", "get: http://h/:a, path: { a: '{{x}}' }", "get: http://h/, query: { a: ['{{x}}'] }",
        "get: http://h/, headers: { a: '{{x}}' }", "get: http://h/, cookies: { a: '{{x}}' }",
        "get: http://h/, auth: { bearer: '{{x}}' }", "get: http://h/, auth: { basic: { user: a, password: '{{x}}' } }",
        "get: http://h/, auth: { api-key: { name: a, value: '{{x}}' } }",
        "get: http://h/, auth: { aws-sigv4: { access-key: a, secret-key: b, session-token: '{{x}}' } }",
        "get: http://h/, auth: { oauth2: { grant: password, token-url: http://h/, client-id: a, user: b, password: '{{x}}' } }",
        "get: http://h/, auth: { netrc: '{{x}}' }",
        "post: http://h/, body: { text: 'a {{x}}' }", "post: http://h/, body: { json: { a: ['{{x}}'] } }",
        "post: http://h/, body: { json: '{\"a\": {{x}}}' }",
        "post: http://h/, body: { json: { a: '{{ a | default(\"y\") }} {{x}}' } }",
        "post: http://h/, body: { form: { a: '{{x}}' } }", "post: http://h/, body: { file: '{{x}}' }",
        "post: http://h/, body: { multipart: { a: { file: b, filename: '{{x}}' } } }",
        "post: http://h/, body: { graphql: { query: a, variables: { a: '{{x}}' } } }",
        "get: http://h/, proxy: 'http://{{x}}'", "get: http://h/, tls: { ca: '{{x}}' }", "get: http://h/, tls: { pins: ['{{x}}'] }",
        "get: http://h/, tls: { passphrase: '{{x}}' }", "get: http://h/, tls: { ciphers: ['{{x}}'] }",
        "get: http://h/, resolve: ['h:80:{{x}}']", "get: http://h/, unix-socket: '{{x}}'", "get: http://h/, cookie-jar: '{{x}}'",
        "get: http://h/, hydrate: [sign, '{{x}}']", "get: http://h/, expect: { body: { .a: '> {{x}}' } }",
        "get: http://h/, expect: { body: { .a: [1, { not: { contains: ['{{x}}'] } }] } }",
        "get: http://h/, mock: { headers: { a: '{{x}}' } }", "get: http://h/, mock: { body: { a: '{{x}}' } }",
        "get: 'http://h/{{through}}'", "get: 'http://h/{{base64(through)}}'", "get: 'http://h/{{a | default(x)}}'",
    ])
    func `names are found wherever templates may stand, and through variables`(place: String) throws {
        let collection = """
            variables: { through: "{{deeper}}", deeper: { a: "{{x}}" } }
            requests:
              gives: { get: http://h/, capture: { x: .x } }
              takes: { \(place) }
            """
        #expect(text(try plan(collection, "takes")) == ["gives", "takes*(gives)"])
    }

    @Test func `what a folder gives is read, too, and what a nearer one replaces is not`() throws {
        let text = """
            defaults: { headers: { a: "{{x}}" }, auth: { bearer: "{{y}}" } }
            requests:
              gives: { get: http://h/, headers: { a: null }, auth: none, capture: { x: .x } }
              also: { get: http://h/, headers: { a: null }, auth: none, capture: { y: .y } }
              plain: { get: http://h/ }
              own: { get: http://h/, headers: { a: b, authorization: c } }
              folder:
                defaults: { auth: none }
                requests: { one: { get: http://h/ } }
            """
        #expect(self.text(try plan(text, "plain")) == ["gives", "also", "plain*(gives also)"])
        #expect(self.text(try plan(text, "own")) == ["own*"])
        #expect(self.text(try plan(text, "folder/one")) == ["gives", "folder/one*(gives)"])
    }

    private static let two = """
        requests:
          ada: { get: http://h/, capture: { token: .t } }
          bob: { get: http://h/, capture: { token: .t } }
          order: { get: http://h/, needs: bob }
          unclear: { get: "http://h/{{token}}" }
          clear: { get: "http://h/{{token}}", needs: ada }
          both: { get: "http://h/{{token}}", needs: [ada, bob] }
          through: { get: "http://h/{{token}}", needs: order }
        """

    @Test func `of several requests that capture a name the one that is needed anyway is meant`() throws {
        #expect(text(try plan(Self.two, "clear")) == ["ada", "clear*(ada)"])
        #expect(text(try plan(Self.two, "through")) == ["bob", "order(bob)", "through*(order bob)"])
        for id in ["unclear", "both"] {
            let problems = try plan(Self.two, id).problems
            #expect(
                problems.map(\.message) == [
                    "the variable `token` is captured by `ada` and `bob`; name the one that is meant in `needs`"
                ])
            #expect(problems.map(\.location?.line) == [id == "both" ? 8 : 6])
        }
        #expect(try plan(Self.two, "clear", "order").problems == [])
    }

    /// It ended the program: the stack was too short for it.
    @Test func `a long row of requests that need each other is an error`() throws {
        let row = (0..<500).map { "  r\($0): { get: http://h/, needs: r\($0 + 1) }" }
        let text = (["requests:"] + row + ["  r500: { get: http://h/ }"]).joined(separator: "\n")
        #expect(
            try plan(text, "r0").problems.map(\.message) == [
                "`r0` needs a request that needs another one, and so on, for more than 200 of them"
            ])
        #expect(try plan(text, "r301").problems == [])
    }

    @Test func `a circle is named, also one through captured names`() throws {
        let text = """
            requests:
              a: { get: "http://h/{{y}}", capture: { x: .x } }
              b: { get: "http://h/{{x}}", capture: { y: .y } }
              c: { get: http://h/, needs: a }
            """
        #expect(try plan(text, "c").problems.map(\.message) == ["the requests need each other in a circle: a → b → a"])
        #expect(try plan(text, "b").problems.map(\.message) == ["the requests need each other in a circle: b → a → b"])
    }

    @Test func `the smallest age of all that ask decides, and who is asked for is sent`() throws {
        let text = """
            requests:
              a: { get: http://h/ }
              hour: { get: http://h/, needs: { a: { max-age: 1h } } }
              minute: { get: http://h/, needs: { a: { max-age: 1m } } }
              now: { get: http://h/, needs: a }
            """
        func freshness(_ ids: String...) throws -> RunPlan.Freshness? {
            let bench = try RunnerBench(text)
            return RunPlan(try ids.map { try bench.job($0) }).nodes.first { $0.id.rawValue == "a" }?.freshness
        }
        #expect(try freshness("hour") == .within(.seconds(3600)))
        #expect(try freshness("hour", "minute") == .within(.seconds(60)))
        #expect(try freshness("hour", "now", "minute") == .always)
        #expect(try freshness("hour", "a") == .always)
    }

    @Test func `what is ready is begun in the plan's order`() throws {
        let text = """
            requests:
              a: { get: http://h/ }
              b: { get: http://h/, needs: a }
              c: { get: http://h/ }
              d: { get: http://h/, needs: c }
            """
        var progress = RunPlan.Progress(try plan(text, "a", "b", "c", "d"))
        #expect(progress.begin() == .send(0))
        #expect(progress.begin() == .send(2))
        #expect(progress.begin() == nil)
        progress.end(2, isUsable: true)
        progress.end(0, isUsable: true)
        #expect(progress.begin() == .send(1))
        #expect(progress.begin() == .send(3))
        #expect(progress.begin() == nil)
    }

    @Test func `steps of a list go one after the other`() throws {
        let text = """
            requests: { reset: { get: http://h/ }, seed: { get: http://h/ }, test: { get: http://h/, needs: [reset, seed] } }
            """
        var progress = RunPlan.Progress(try plan(text, "test"))
        #expect(progress.begin() == .send(0))
        #expect(progress.begin() == nil)
        // What nobody asked for isn't sent for one that can't be sent any more, which says so itself.
        progress.end(0, isUsable: false)
        #expect(progress.begin() == .leave(1))
        progress.end(1, isUsable: true)
        #expect(progress.begin() == .send(2))
    }
}
