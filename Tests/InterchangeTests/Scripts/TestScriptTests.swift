import RequestCollections
import Testing

@testable import Interchange

@Suite struct TestScriptTests {
    private static func lines(_ text: String) -> [String] {
        let script = TestScript(text)
        return script.expectations.map { "\($0.subject): \($0.matcher)" }
            + script.captures.map {
                "\($0.name) = \($0.source)\($0.isSecret ? ", secret" : "")\($0.fallback == nil ? "" : ", or nothing")"
            }
            + script.rest.map { "? \($0)" }
    }

    @Test(arguments: [
        ("pm.response.to.have.status(200);", ["status: 200"]),
        ("pm.test('ok', function () {\n  pm.response.to.have.status(\"Not Found\")\n})", ["status: 404"]),
        ("pm.test(`a`, () => pm.expect(pm.response.code).to.be.oneOf([200, 201]));", ["status: 200 or 201"]),
        (
            "pm.expect(pm.response.json().done).to.be.ok; tests['n'] = pm.response.json().n;",
            [
                "body .done: true or not 0 or not \"\" or is object or is array",
                "body .n: true or not 0 or not \"\" or is object or is array",
            ]
        ),
        ("pm.response.to.be.ok; pm.response.to.be.json;", ["status: 2xx", "header content-type: /json/"]),
        ("pm.response.to.not.be.error", ["status: not >= 400"]),
        ("pm.expect(pm.response.responseTime).to.be.below(500)", ["time total: < 500ms"]),
        ("pm.response.to.have.header('Content-Type', 'a/b')", ["header content-type: a/b"]),
        ("pm.expect(pm.response.headers.get('X-A')).to.include('b')", ["header x-a: contains b"]),
        ("pm.expect(pm.response.text()).to.include(\"a b\")", ["body: contains a b"]),
        ("tests['ok'] = responseCode.code === 200 || responseCode.code === 201;", ["status: 200 or 201"]),
        ("tests[\"has\"] = responseBody.has('x')", ["body: contains x"]),
    ])
    func `what a response must be is expected`(text: String, lines: [String]) { #expect(Self.lines(text) == lines) }

    @Test(arguments: [
        ("pm.expect(pm.response.json().a.b[0]).to.eql('x')", ["body .a.b[0]: x"]),
        ("const d = pm.response.json();\nlet e = d.data;\npm.expect(e.id).to.equal(7);", ["body .data.id: 7"]),
        ("var d = JSON.parse(responseBody);\npm.expect(d['a b']).to.not.equal(undefined)", ["body .[\"a b\"]: not missing"]),
        ("pm.expect(pm.response.json()).to.have.property('a', true)", ["body .a: true"]),
        ("pm.expect(pm.response.json().items).to.be.an('array').that.is.not.empty", ["body .items: is array and not empty"]),
        ("pm.expect(pm.response.json().items.length).to.be.above(2)", ["body .items: length > 2"]),
        ("pm.expect(pm.response.json().items).to.have.lengthOf(3)", ["body .items: length 3"]),
        ("pm.expect(pm.response.json()).to.have.all.keys('b', 'a')", [#"body . | keys: ["a","b"]"#]),
        ("pm.expect(pm.response.json().d).to.have.keys(['b', 'a'])", [#"body .d | keys: ["a","b"]"#]),
        ("pm.expect(pm.response.json().d).to.have.key('a')", [#"body .d | keys: ["a"]"#]),
        ("pm.expect(pm.response.json().d).to.include.all.keys('a', 'b')", ["body .d | keys: contains a and contains b"]),
        ("pm.expect(pm.response.json().d).to.contain.keys('a')", ["body .d | keys: contains a"]),
        ("pm.expect(pm.response.json().d).to.have.any.keys('a', 'b')", ["body .d | keys: contains a or contains b"]),
        ("pm.expect(pm.response.json().d).to.not.have.any.keys('a', 'b')", ["body .d | keys: not contains a or contains b"]),
        ("pm.expect(pm.response.json().d).to.not.have.all.keys('a')", [#"body .d | keys: not ["a"]"#]),
        ("pm.expect(pm.response.json().a).to.match(/^x\\/y$/)", ["body .a: /^x/y$/"]),
        ("pm.expect('OK').to.eql(pm.response.json().s)", ["body .s: OK"]),
        ("pm.expect(pm.response.json().s === 'OK').to.be.true", ["body .s: OK"]),
        ("pm.expect(typeof pm.response.json().s).to.equal('string')", ["body .s: is string"]),
        ("pm.expect(pm.response.json().a).to.eql(pm.environment.get('x'))", ["body .a: {{x}}"]),
        ("pm.expect(pm.response.json().a).to.eql('a' + pm.variables.get(\"x\"))", ["body .a: a{{x}}"]),
        (
            "pm.expect(pm.response.json().a).to.be.null; pm.expect(pm.response.json().n).to.be.within(1, 2)",
            ["body .a: missing", "body .n: 1..2"]
        ),
    ])
    func `what a body must have is expected by filters`(text: String, lines: [String]) { #expect(Self.lines(text) == lines) }

    @Test(arguments: [
        ("pm.environment.set('id', pm.response.json().id)", ["id = .id"]),
        (
            "const r = pm.response.json()\npm.collectionVariables.set(\"access_token\", r.access_token)",
            ["access_token = .access_token, secret"]
        ),
        ("postman.setEnvironmentVariable('etag', postman.getResponseHeader('ETag'))", ["etag = header:ETag"]),
        ("pm.globals.set('s', pm.cookies.get('sid'));", ["s = cookie:sid"]),
        ("const r = pm.response.json();\nif (r.id) {\n  pm.environment.set('id', r.id);\n}", ["id = .id, or nothing"]),
        ("if (pm.response.code === 200) { var d = pm.response.json(); pm.environment.set('id', d.id); }", ["id = .id, or nothing"]),
        (
            "const { id, n: total } = pm.response.json();\npm.environment.set('id', id);\ndata = pm.response.json();\npm.expect(total).to.eql(data.t)",
            ["id = .id", "? pm.expect(total).to.eql(data.t)"]
        ),
        (
            "var d = pm.response.json(); if (d.id) { pm.environment.set('x', d.id); } if (d.all[0].id) { pm.environment.set('x', d.all[0].id) }",
            ["x = .all[0].id // .id, or nothing"]
        ),
        ("insomnia.environment.set('a', insomnia.response.json().a)", ["a = .a"]),
        ("bru.setVar('a', res.body.a); bru.setEnvVar('b', res.getBody().b)", ["a = .a", "b = .b"]),
        (
            "client.global.set('t', response.body.token);\nclient.test('x', function() { client.assert(response.status === 200, 'no'); });",
            ["status: 200", "t = .token"]
        ),
    ])
    func `what is set from a response is captured`(text: String, lines: [String]) { #expect(Self.lines(text) == lines) }

    @Test(arguments: [
        ("pm.environment.set('now', new Date().toISOString());", ["? pm.environment.set('now', new Date().toISOString());"]),
        (
            "for (const a of b) { pm.expect(a).to.eql(1); }\npm.response.to.have.status(200);",
            ["status: 200", "? for (const a of b) { pm.expect(a).to.eql(1); }"]
        ),
        (
            "pm.test('x', function () {\n  setTimeout(() => {}, 10)\n  pm.response.to.have.status(200);\n});",
            ["status: 200", "? setTimeout(() => {}, 10)"]
        ),
        ("if (a) { pm.environment.set('x', 'y') }", ["? if (a) { pm.environment.set('x', 'y') }"]),
        (
            "if (pm.response.code === 200) { pm.expect(pm.response.json().a).to.eql(1) }",
            ["? if (pm.response.code === 200) { pm.expect(pm.response.json().a).to.eql(1) }"]
        ),
        ("pm.environment.set('x', \"unended", ["? pm.environment.set('x', \"unended"]),
        (
            "pm.sendRequest('http://x', (e, r) => { console.log(r) })\nconsole.log('a')",
            ["? pm.sendRequest('http://x', (e, r) => { console.log(r) })"]
        ),
        ("postman.setNextRequest(null);", ["? postman.setNextRequest(null);"]),
        ("console.log('only talk'); // and a comment", []),
        (
            "pm.test('a', () => { pm.response.to.have.status(200) })\npm.test('b', () => { pm.response.to.have.status(200) })",
            ["status: 200"]
        ),
    ])
    func `what only a program could do is left over`(text: String, lines: [String]) { #expect(Self.lines(text) == lines) }

    @Test func `no text makes the reader fail`() {
        for text in [
            "((((", "}}}}", "`${", "a ? b : c", "/[", "var", "if (", "x = {", String(repeating: "(", count: 5000), "pm.expect(",
        ] {
            #expect(TestScript(text).rest.count >= 1, "\(text.prefix(10))")
        }
    }

    @Test func `a collection keeps what it expects, what it captures, and the script for which there is no word`() throws {
        let imported = try ImportedText(
            #"""
            {"info":{"name":"S"},"item":[
              {"name":"login","request":{"method":"POST","url":"http://h/login"},"event":[{"listen":"test","script":{"exec":[
                "pm.test('ok', function () {","  pm.response.to.have.status(201);","  pm.expect(pm.response.json().name).to.eql('exists');",
                "  pm.expect(pm.response.json().code).to.eql('12');","  pm.expect(pm.response.json().all).to.eql([1]);",
                "  pm.expect(pm.response.text()).to.include('x');","});","pm.environment.set('token', pm.response.json().token);"]}}]},
              {"name":"me","request":{"url":"http://h/me","auth":{"type":"bearer","bearer":[{"key":"token","value":"{{token}}"}]}},
                "event":[{"listen":"prerequest","script":{"exec":["f();"]}},{"listen":"test","script":{"exec":["pm.response.to.be.ok;","g();"]}}]}]}
            """#)
        #expect(
            imported.yaml.hasSuffix(
                #"""
                  login:
                    post: "{{host}}/login"
                    capture: { token: { from: .token, secret: true } }
                    expect:
                      status: 201
                      body:
                        .name: { equals: exists }
                        .code: "12"
                        .all: { equals: [1] }
                    x-test-script: |-
                      pm.test('ok', function () {
                        pm.response.to.have.status(201);
                        pm.expect(pm.response.json().name).to.eql('exists');
                        pm.expect(pm.response.json().code).to.eql('12');
                        pm.expect(pm.response.json().all).to.eql([1]);
                        pm.expect(pm.response.text()).to.include('x');
                      });
                      pm.environment.set('token', pm.response.json().token);
                  me:
                    get: "{{host}}/me"
                    auth: { bearer: "{{token}}" }
                    expect: { status: 2xx }
                    x-pre-request-script: f();
                    x-test-script: |-
                      pm.response.to.be.ok;
                      g();

                """#))
        #expect(imported.collection.problems.isEmpty)
        #expect(imported.collection.requests.map { $0.expectations.count } == [4, 1])
        #expect(
            imported.notes == [
                "- login: the test script: 1 statement that no `expect` or `capture` can say; it stands below `x-test-script`, and isn't run",
                "- me: the pre-request script: JavaScript isn't run; it stands below `x-pre-request-script`, and `hydrate` can do what it does",
                "- me: the test script: 1 statement that no `expect` or `capture` can say; it stands below `x-test-script`, and isn't run",
            ])
    }
}
