import Testing

@testable import RequestCollections

@Suite struct ExplanationTests {
    private static let collection = RequestCollection.of(
        """
        turnstone: 1
        variables: { host: http://h, user: ada, token: { secret: { env: TOKEN } } }
        environments:
          live: { host: https://live }
        defaults:
          headers: { accept: text/plain, x-far: 1, x-gone: 2 }
          auth: { bearer: far }
          timeouts: { idle: 10s }
        requests:
          f:
            defaults: { auth: { basic: { user: "{{user}}", password: "{{token}}" } }, headers: { x-gone: ~ } }
            requests:
              a:
                post: "{{host}}/:id"
                path: { id: "{{uuid}}" }
                query: { q: "{{prompt('Query')}}" }
                headers: { Accept: "{{token}}/json", x-off: { value: 1, enabled: false } }
                timeouts: { idle: never, connect: 3s }
                retry: { attempts: 2 }
                body: { json: 1 }
                needs: { b: { max-age: 1h } }
                capture: { id: .id }
                expect: { status: 2xx }
              b: { get: http://h/ }
        """)

    /// Each row on a line: what, value, where from, and what it won over.
    private static func lines(_ environment: String? = nil) throws -> [String] {
        let request = try #require(collection.request(RequestID(rawValue: "f/a")))
        return try collection.explain(request, environment: environment).rows.map { row in
            var line = "\(row.group) \(row.name) = \(row.value) [\(row.origin.source)"
            if let place = row.origin.location { line += " \(place.line):\(place.column)" }
            line += "]"
            for other in row.overrode { line += " not \(other.value) [\(other.origin.source)]" }
            if row.isRemoved { line += " removed" }
            if let problem = row.problem { line += " PROBLEM \(problem)" }
            return line
        }
    }

    @Test func `every effective value has its origin, and what it won over`() throws {
        #expect(Self.collection.problems == [])
        let lines = try Self.lines("live")
        #expect(
            lines.filter { !$0.hasPrefix("settings") } == [
                "url POST = https://live/:id [this request 14:15]",
                "path id = {{uuid}} [this request 15:17] PROBLEM the variable `uuid` has no value in the environment `live`",
                "query q = ‹Query› [this request 16:18]",
                "headers x-far = 1 [the collection's defaults 6:34]",
                "headers x-gone =  [the defaults of f 11:90] not 2 [the collection's defaults] removed",
                "headers Accept = ••••••/json [this request 17:20] not text/plain [the collection's defaults]",
                "headers content-type = application/json [another part of the request 20:23]",
                "auth basic = ada [the defaults of f 11:17] not bearer [the collection's defaults]",
                "body  = json [this request 20:23]",
                "needs b = unless it is younger than 60m [this request 21:18]",
                "capture id = .id [this request 22:20]",
                "expect status = 2xx [this request 23:19]",
                "variables host = https://live [the environment live 4:11] not http://h [the collection's variables]",
                "variables token = •••••• [the collection's variables 2:41]",
                "variables user = ada [the collection's variables 2:30]",
            ])
        #expect(
            lines.filter { $0.hasPrefix("settings timeouts") || $0.hasPrefix("settings retry") } == [
                "settings timeouts.connect = 3s [this request 18:34] not never [the library]",
                "settings timeouts.idle = never [this request 18:21] not 10s [the collection's defaults] not 30s [the library]",
                "settings timeouts.attempt = 60s [the library]",
                "settings timeouts.operation = 3m [the library]",
                "settings retry = on [this request 19:9] not none [the library]",
                "settings retry.attempts = 2 [this request 19:18]",
            ])
    }

    @Test func `a captured secret is masked, and names its response`() throws {
        let request = try #require(Self.collection.request(RequestID(rawValue: "f/a")))
        let rows = try Self.collection.explain(
            request, environment: nil,
            captured: ["user": CapturedValue(.string("s3cret-user"), isSecret: true, from: RequestID(rawValue: "f/b"))]
        ).rows
        let auth = try #require(rows.first { $0.group == .auth })
        #expect(auth.value == "••••••")
        let user = try #require(rows.first { $0.group == .variables && $0.name == "user" })
        #expect(user.origin == .init(.captured(RequestID(rawValue: "f/b")), at: nil))
        #expect(user.overrode.map(\.value) == ["ada"])
        #expect(!"\(rows)".contains("s3cret"))
    }

    @Test func `what a credential, a body and an expectation are made of has its origin too, and no credential is shown`() throws {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            variables: { key: plain-key, sku: A7, code: 201 }
            environments: { live: { key: other-key } }
            requests:
              login: { post: "http://h/", capture: { token: .token } }
              a:
                post: http://h/
                auth: { bearer: "{{token}}{{key}}" }
                headers: { content-type: text/x }
                body: { text: "{{sku}} {{nowhere}}" }
                expect: { status: "{{code}}", header: { etag: "{{lost}}" } }
            """)
        let request = try #require(collection.request(RequestID(rawValue: "a")))
        let rows = try collection.explain(request, environment: "live").rows.filter { $0.group != .settings }
        #expect(
            rows.map { row in
                let others = row.overrode.map { " not \($0.value)" }.joined()
                return
                    "\(row.group) \(row.name) = \(row.value) [\(row.origin.source)]\(others)\(row.problem.map { " PROBLEM \($0)" } ?? "")"
            } == [
                "url POST = http://h/ [this request]",
                "headers content-type = text/x [this request]",
                "auth bearer =  [this request]",
                "body  = text [this request] PROBLEM the variable `nowhere` has no value in the environment `live`",
                "expect status = {{code}} [this request]",
                "expect header etag = {{lost}} [this request] PROBLEM the variable `lost` has no value in the environment `live`",
                "variables sku = A7 [the collection's variables]",
                "variables token = ‹token of login› [the response of login]",
                "variables key = •••••• [the environment live] not ••••••",
                "variables code = 201 [the collection's variables]",
            ])
    }

    @Test func `an environment that isn't there is an error`() throws {
        let request = try #require(Self.collection.request(RequestID(rawValue: "f/a")))
        #expect(throws: ResolutionError(.environment, "there is no environment `lve`; did you mean `live`?")) {
            try Self.collection.explain(request, environment: "lve")
        }
    }

    @Test(arguments: [("2", "2"), ("2.0", "2"), ("1.5", "1.5"), ("1e300", "1e+300"), ("inf", "inf")])
    func `a factor is shown without a point it doesn't need, however large it is`(written: String, shown: String) throws {
        var settings = RequestSettings()
        settings.retry.factor = Double(written)
        #expect(SettingField["retry.backoff.factor"]?.text(in: settings) == shown)
    }
}
