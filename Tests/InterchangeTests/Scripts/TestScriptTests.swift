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
        ("pm.expect([200, 201]).to.include(pm.response.code)", ["status: 200 or 201"]),
        ("pm.expect(pm.response).to.have.status(200)", ["status: 200"]),
        ("pm.response.to.be.ok", ["status: 200"]),
        ("pm.response.to.not.be.ok", ["status: not 200"]),
        ("pm.response.to.be.success", ["status: 2xx"]),
        ("pm.response.to.not.be.error", ["status: not 4xx or 5xx"]),
        ("pm.response.to.be.json", ["body .: exists or is null"]),
        ("pm.response.json();", ["body .: exists or is null"]),
        ("pm.expect(pm.response.responseTime).to.be.below(500)", ["time total: < 500ms"]),
        ("pm.response.to.have.header('Content-Type', 'a/b')", ["header content-type: a/b"]),
        ("pm.expect(pm.response.headers.get('X-A')).to.include('b')", ["header x-a: contains b"]),
        ("pm.expect(pm.response.headers.has('X-A')).to.be.true", ["header x-a: exists"]),
        ("pm.expect(pm.response.text()).to.include(\"a b\")", ["body: contains a b"]),
        ("tests['ok'] = responseCode.code === 200 || responseCode.code == 201;", ["status: 200 or 201"]),
        ("tests[\"has\"] = responseBody.has('x')", ["body: contains x"]),
        (
            "pm.expect(pm.response.json().done).to.be.ok; tests['n'] = pm.response.json().n;",
            [
                "body .done: true or not 0 or not \"\" or is object or is array",
                "body .n: true or not 0 or not \"\" or is object or is array",
            ]
        ),
    ])
    func `what a response must be is expected`(text: String, lines: [String]) { #expect(Self.lines(text) == lines) }

    @Test(arguments: [
        ("pm.expect(pm.response.json().a.b[0]).to.eql('x')", ["body .a.b[0]: x"]),
        ("const d = pm.response.json();\nlet e = d.data;\npm.expect(e.id).to.equal(7);", ["body .data.id: 7"]),
        ("var d = JSON.parse(responseBody);\npm.expect(d['a b']).to.not.equal(undefined)", ["body .[\"a b\"]: exists or is null"]),
        ("pm.expect(pm.response.json()).to.have.property('a', true)", ["body .a: true"]),
        ("pm.expect(pm.response.json()).to.have.property('a')", ["body .a: exists or is null"]),
        ("pm.expect(pm.response.json().items).to.be.an('array').that.is.not.empty", ["body .items: is array and not empty"]),
        (
            "const j = pm.response.json(); pm.expect(j.items).to.be.an('array'); pm.expect(j.items.length).to.be.above(2)",
            ["body .items: is array and length > 2"]
        ),
        ("pm.expect(pm.response.json().items).to.be.an('array').with.lengthOf(3)", ["body .items: is array and length 3"]),
        ("pm.expect(pm.response.json()).to.have.all.keys('b', 'a')", ["body . | keys: [\"a\",\"b\"]"]),
        (
            "pm.expect(pm.response.json()).to.include.all.keys('a', 'b')",
            ["body .a: exists or is null", "body .b: exists or is null"]
        ),
        ("pm.expect(pm.response.json().a).to.be.a('string').and.match(/^x\\/y$/)", ["body .a: is string and /^x/y$/"]),
        ("pm.expect(pm.response.json().a).to.be.a('string').and.not.include('x')", ["body .a: is string and not contains x"]),
        ("pm.expect(pm.response.json().a).to.include('x')", ["body .a: is string or is array and contains x"]),
        ("pm.expect('OK').to.eql(pm.response.json().s)", ["body .s: OK"]),
        ("pm.expect(pm.response.json().s === 'OK').to.be.true", ["body .s: OK"]),
        ("pm.expect(typeof pm.response.json().s).to.equal('string')", ["body .s: is string"]),
        ("pm.expect(typeof pm.response.json().s).to.equal('object')", ["body .s: is object or is array or is null"]),
        ("pm.expect(pm.response.json().a).to.eql(pm.environment.get('x'))", ["body .a: {{x}}"]),
        ("pm.expect(pm.response.json().a).to.eql('a' + pm.variables.get(\"x\"))", ["body .a: a{{x}}"]),
        ("pm.expect(pm.response.json().a).to.eql(`${1e3}x`)", ["body .a: 1000x"]),
        (
            "pm.expect(pm.response.json().a).to.be.null; pm.expect(pm.response.json().n).to.be.within(1, 2)",
            ["body .a: is null", "body .n: 1..2"]
        ),
        ("pm.expect(pm.response.json().a).to.eql([1, 'x'])", ["body .a: [1,\"x\"]"]),
        ("const { data } = pm.response.json(); const x = data.id;", ["body .data: exists"]),
        ("pm.expect(pm.response.json().a).to.eql('\\u{65}\\ud83d\\udc4d')", ["body .a: e👍"]),
    ])
    func `what a body must have is expected by filters`(text: String, lines: [String]) { #expect(Self.lines(text) == lines) }

    @Test(arguments: [
        ("pm.environment.set('id', pm.response.json().id)", ["id = .id"]),
        (
            "const r = pm.response.json()\npm.collectionVariables.set(\"access_token\", r.access_token)",
            ["access_token = .access_token, secret"]
        ),
        ("postman.setEnvironmentVariable('etag', postman.getResponseHeader('ETag'))", ["etag = header:ETag"]),
        (
            "const r = pm.response.json();\nif (r.id) {\n  pm.environment.set('id', r.id);\n}",
            ["body .: exists", "id = .id, or nothing"]
        ),
        (
            "const r = pm.response.json(); if (r.data && r.data.id !== undefined) pm.environment.set('id', r.data.id)",
            ["body .: exists", "id = .data.id, or nothing"]
        ),
        (
            "pm.response.to.have.status(200); if (pm.response.code === 200) { var d = pm.response.json(); pm.environment.set('id', d.id); }",
            ["status: 200", "id = .id"]
        ),
        (
            "const { id, n: total } = pm.response.json();\npm.environment.set('id', id);\ndata = pm.response.json();\npm.expect(total).to.eql(data.t)",
            ["id = .id", "? pm.expect(total).to.eql(data.t)"]
        ),
        ("insomnia.environment.set('a', insomnia.response.json().a)", ["a = .a"]),
        ("bru.setVar('a', res.body.a); bru.setEnvVar('b', res.getBody().b)", ["a = .a", "b = .b"]),
        (
            "client.global.set('t', response.body.token);\nclient.test('x', function() { client.assert(response.status === 200, 'no'); });",
            ["status: 200", "t = .token"]
        ),
        ("const k = 'kk'; pm.environment.set(k, pm.response.code)", ["kk = status"]),
    ])
    func `what is set from a response is captured`(text: String, lines: [String]) { #expect(Self.lines(text) == lines) }

    /// What is claimed, and how many statements are left over.
    @Test(
        arguments: [
            (
                "const j = pm.response.json();\nif (pm.response.code === 200)\n  pm.test(\"a\", () => pm.expect(j.a).to.eql(1));\nelse\n  pm.test(\"b\", () => pm.expect(j.b).to.exist);",
                ["body .: exists or is null"], 1
            ),
            (
                "const j = pm.response.json();\nif (pm.response.code === 200)\n{\n  pm.expect(j.a).to.eql(1);\n}\nelse\n{\n  pm.expect(j.b).to.exist;\n}",
                ["body .: exists or is null"], 1
            ),
            ("try\n{\n  pm.expect(pm.response.json().a).to.eql(1);\n}\ncatch (e)\n{ console.log(e); }", [], 1),
            (
                "const j = pm.response.json();\nfor (const i of j.items)\n  pm.expect(j.ok).to.eql(true);",
                ["body .: exists or is null"], 1
            ),
            ("while (false)\n  pm.expect(pm.response.json().a).to.eql(1);", [], 1),
            ("do\n{ pm.expect(pm.response.json().a).to.eql(1); }\nwhile (false);", [], 1),
            ("switch (pm.response.code)\n{\n case 404: pm.expect(pm.response.json().a).to.eql(1); break;\n}", [], 1),
            (
                "pm.response.code === 200 ?\n  pm.expect(pm.response.json().a).to.eql(1) :\n  pm.expect(pm.response.json().b).to.eql(2);",
                [], 1
            ),
            ("label: pm.expect(pm.response.json().a).to.eql(1);", [], 1),
            (
                "if (pm.response.code !== 200) { return; }\npm.test(\"x\", () => { pm.expect(pm.response.json().a).to.eql(1); });",
                [], 2
            ),
            (
                "pm.test(\"x\", () => { if (pm.response.code === 204) return; pm.expect(pm.response.json().a).to.eql(1); });\npm.response.to.be.success;",
                ["status: 2xx"], 2
            ),
            ("pm.test(\"x\", () => { throw new Error(\"no\"); pm.expect(pm.response.json().a).to.eql(1); });", [], 2),
            ("pm.test.skip(\"a\", () => { pm.expect(pm.response.json().a).to.eql(1); });", [], 1),
            ("pm.test(\"a\", (done) => { pm.expect(pm.response.json().a).to.eql(1); done(); });", [], 1),
            ("pm.test(\"a\", function* () { pm.expect(pm.response.json().a).to.eql(1); });", [], 1),
            ("postman.setNextRequest(null);", [], 1),
            (
                "let d = pm.response.json(); d = Array.isArray(d) ? d[0] : d; pm.expect(d.id).to.eql(1)",
                ["body .: exists or is null"], 2
            ),
            ("let n = pm.response.json().a; n += 1; pm.expect(n).to.eql(2)", ["body .: exists"], 2),
            ("let n = pm.response.json().a; n++; pm.expect(n).to.eql(2)", ["body .: exists"], 2),
            (
                "const j = pm.response.json();\nlet d = j; if (d.data) { d = d.data } else { d = d.result }\npm.expect(d.id).to.eql(1)",
                ["body .: exists or is null"], 2
            ),
            ("const j = pm.response.json();\nj.items.sort(); pm.expect(j.items[0]).to.eql(1)", ["body .: exists or is null"], 2),
            ("const j = pm.response.json();\nconst i = j.items; i.sort(); pm.expect(j.items[0]).to.eql(1)", ["body .: exists"], 2),
            ("const j = pm.response.json();\nj.a = 5; pm.expect(j.a).to.eql(5)", ["body .: exists or is null"], 2),
            ("const j = pm.response.json();\ndelete j.a; pm.expect(j.a).to.eql(5)", ["body .: exists or is null"], 2),
            ("const j = pm.response.json();\nf(j); pm.expect(j.a).to.eql(5)", ["body .: exists or is null"], 2),
            (
                "let e; if (pm.environment.get(\"env\") === \"prod\") { e = 5 } else { e = 6 } pm.expect(pm.response.json().a).to.eql(e)",
                [], 2
            ),
            ("var x = 1; var x; pm.expect(pm.response.json().a).to.eql(x)", ["body .a: 1"], 0),
            ("let x = pm.response.json().a; { let x = pm.response.json().b; } pm.expect(x).to.eql(2)", ["body .a: 2"], 0),
            (
                "var id = pm.response.json().a; if (pm.response.code === 201) { var id = pm.response.json().b; } pm.expect(id).to.eql(1)",
                ["body .: exists"], 2
            ),
            ("const res = await pm.sendRequest(\"http://x\"); pm.test(\"x\", () => pm.expect(res.status).to.eql(500));", [], 2),
            ("const responseBody = f(); tests[\"a\"] = responseBody.has(\"x\");", [], 2),
            ("pm.test(\"a\", () => { pm.expect(y).to.eql(1); }); var y = pm.response.json().a;", ["body .: exists"], 1),
            (
                "pm.test(\"a\", () => { const r = pm.response.json(); }); pm.test(\"b\", () => { pm.expect(r.a).to.eql(1); });",
                ["body .: exists or is null"], 1
            ),
            (
                "const j = pm.response.json();\nfunction f() { pm.expect(j.a).to.eql(1); }\npm.test(\"x\", f);",
                ["body .: exists or is null"], 2
            ),
            (
                "const j = pm.response.json();\nif (j.type === \"admin\") pm.environment.set(\"adminId\", j.id);",
                ["body .: exists or is null"], 1
            ),
            ("if (pm.response.code === 404) pm.environment.set(\"a\", pm.response.json().id);", [], 1),
            (
                "const j = pm.response.json();\nif (j.x) pm.environment.set(\"z\", j.a); else pm.environment.set(\"z\", j.b);",
                ["body .: exists or is null"], 1
            ),
            (
                "const j = pm.response.json();\nif (j.a) pm.environment.set(\"v\", j.a); if (j.c) pm.environment.set(\"v\", j.c);",
                ["body .: exists"], 2
            ),
            (
                "const j = pm.response.json();\npm.environment.set(\"x y\", j.a); pm.environment.set(\"x_y\", j.c)",
                ["body .: exists"], 2
            ),
            ("let id = pm.response.json().a; id = id ? id : 7; pm.environment.set(\"id\", id)", ["body .: exists"], 2),
            ("pm.environment.set(\"p\", pm.response.json().a); pm.environment.unset(\"p\");", ["body .: exists"], 2),
            (
                "const j = pm.response.json();\npm.environment.set(\"x\", j.a); pm.expect(j.b).to.eql(pm.environment.get(\"x\"))",
                ["x = .a"], 1
            ),
            ("pm.environment.set(\"x\", \"y\"); pm.environment.set(\"now\", new Date().toISOString());", [], 2),
            (
                "const j = pm.response.json();\npm.expect(j.a).to.be.undefined;\npm.expect(j.a).to.not.be.null;\npm.expect(j.a).to.not.exist;\npm.expect(j.a).to.not.be.ok;\npm.expect(j.a).to.not.eql(5);\npm.expect(j.a).to.not.be.false;\npm.expect(j.a).to.not.be.oneOf([1]);\npm.expect(j.a).to.not.include('x');\npm.expect(j.a).to.match(/5/);\npm.expect(j.a).to.equal([1]);\npm.expect(j.a).to.be.a('date');\npm.expect(j.a).to.be.an('integer');\npm.expect(j.a).to.have.lengthOf(2);\npm.expect(j.a).to.have.any.keys(\"a\", \"b\");\npm.expect(j.a).to.eql(1 + 2);\npm.expect(j.a).to.eql(undefined);\npm.expect(j.a).to.have.members([1]);",
                ["body .: exists or is null"], 17
            ),
            (
                "const j = pm.response.json();\npm.expect(j).to.not.have.property('a'); pm.expect(j.items.length).to.eql(0); pm.expect(j.length).to.eql(5)",
                ["body .: exists or is null"], 3
            ),
            (
                "const j = pm.response.json();\ntests['a'] = j.a == '5'; tests['b'] = j.a < 1; tests['c'] = !j.a; tests['d'] = j.a !== null",
                ["body .: exists or is null"], 4
            ),
            (
                "pm.response.to.have.jsonBody('a[0].b', 1); pm.response.to.not.have.jsonBody('a'); pm.response.to.have.body; pm.response.to.have.status('200')",
                [], 4
            ),
            ("pm.expect(pm.response.headers.get('X')).to.eql(5); pm.expect(pm.response.headers.get('X')).to.be.above(4)", [], 2),
            (
                "pm.expect(pm.response.text()).to.match(/{{x}}/); pm.expect(pm.response.text()).to.match(/a.b/); pm.expect(pm.response.text()).to.match(/\\s/)",
                [], 3
            ),
            ("pm.expect(pm.response.text()).to.match(/[\\\\/]\\d+/)", ["body: /[\\\\/][0-9]+/"], 0),
        ] as [(String, [String], Int)])
    func `what isn't understood claims nothing, nor does what depends on it`(text: String, claims: [String], left: Int) {
        let lines = Self.lines(text)
        #expect(lines.filter { !$0.hasPrefix("? ") } == claims)
        #expect(TestScript(text).rest.count == left)
    }

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
        ("pm.environment.set('x', \"unended", ["? pm.environment.set('x', \"unended"]),
        (
            "pm.sendRequest('http://x', (e, r) => { console.log(r) })\nconsole.log('a')",
            ["? pm.sendRequest('http://x', (e, r) => { console.log(r) })"]
        ),
        ("console.log('only talk'); // and a comment", []),
        (
            "pm.test('a', () => { pm.response.to.have.status(200) })\npm.test('b', () => { pm.response.to.have.status(200) })",
            ["status: 200"]
        ),
        ("/* pm.response.to.be.ok */ // pm.response.to.be.ok\r// and so on\rconst s = 'pm.response.to.be.ok'", []),
    ])
    func `what only a program could do is left over`(text: String, lines: [String]) { #expect(Self.lines(text) == lines) }

    @Test func `no text makes the reader fail`() {
        for text in [
            "((((", "}}}}", "`${", "a ? b : c", "/[", "var", "if (", "x = {", String(repeating: "(", count: 5000), "pm.expect(",
            String(repeating: "`${", count: 500) + String(repeating: "}`", count: 500),
            String(repeating: "if (a) ", count: 5000) + "b",
        ] {
            #expect(TestScript(text).rest.count >= 1, "\(text.prefix(10))")
        }
    }

    @Test func `scripts that are off claim nothing, and those of folders keep their text`() throws {
        let imported = try ImportedText(
            #"""
            {"info":{"name":"S"},"event":[{"listen":"test","script":{"exec":["all();"]}}],"item":[
              {"name":"F","event":[{"listen":"prerequest","script":{"exec":"f();"}}],"item":[
              {"name":"a","request":{"url":"http://h/a"},"event":[
                {"listen":"test","disabled":true,"script":{"exec":["pm.response.to.have.status(500);"]}},
                {"listen":"onClose","script":{"exec":["g();"]}},{"listen":"test","script":{"src":"x.js"}}]}]}]}
            """#)
        #expect(
            imported.yaml.hasSuffix(
                #"""
                x-test-script: all();
                requests:
                  f:
                    name: F
                    x-pre-request-script: f();
                    requests:
                      a:
                        get: http://h/a
                        x-onclose-script: g();

                """#))
        #expect(
            imported.notes == [
                "- the test script, which is about each request in it: JavaScript isn't run; it stands below `x-test-script`",
                "- F: the pre-request script, which is about each request in it: JavaScript isn't run; it stands below `x-pre-request-script`",
                "- F / a: the script for `test` in the file x.js",
                "- F / a: the script for `onClose`: JavaScript isn't run; it stands below `x-onclose-script`",
                "F / a: the script for `test` is off, and scripts here have no switch",
            ])
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
                    expect: { status: 200 }
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
