import RequestCollections
import Testing

@testable import Interchange

/// A password that stands in a source is in no import of it, nor in what is said of it: the shell gives it, or nobody.
@Suite struct PlantedPasswordTests {
    private static let sources: [(path: String, text: String)] = [
        (
            "a.har",
            #"""
            {"log":{"version":"1.2","entries":[{"request":{"method":"GET","url":"http://bob:hunter2pw@one.example/","headers":[]}},
            {"request":{"method":"GET","url":"http://bob:hunter2pw@two.example","headers":[]}}]}}
            """#
        ),
        (
            "openapi.json",
            #"""
            {"openapi":"3.0.0","info":{"title":"A","version":"1"},"servers":[{"url":"http://bob:hunter2pw@h.example/x"},
            {"url":"http://bob:hunter2pw@i.example/x"}],"paths":{"/a":{"get":{"responses":{}}}}}
            """#
        ),
        (
            "postman.json",
            #"""
            {"info":{"name":"P","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "variable":[{"key":"base","value":"https://bob:hunter2pw@h.example"}],
            "item":[{"request":{"method":"GET","url":"http://bob:hunter2pw@h.example/y"},"event":[{"listen":"test","script":{"exec":["nonsense("]}}]},
            {"name":"saved","request":{"method":"GET","url":"http://bob:hunter2pw@{{sub}}.example/y"},
            "response":[{"name":"ok","code":200,"body":"{\"access_token\": \"hunter2pw\"}"}]}]}
            """#
        ),
        (
            "insomnia.json",
            #"""
            {"_type":"export","__export_format":4,"resources":[{"_id":"wrk_1","_type":"workspace","name":"W"},
            {"_id":"req_1","_type":"request","parentId":"wrk_1","method":"GET","url":"http://bob:hunter2pw@h.example/y"}]}
            """#
        ),
        (
            "templates.json",
            #"""
            {"info":{"name":"P","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "variable":[{"key":"base","value":"https://{{u}}:hunter2pw@h.example"},{"key":"bare","value":"//bob:hunter2pw@h.example"}],
            "item":[{"name":"a","request":{"method":"GET","url":"https://{{user}}:hunter2pw@h.example/y"}},
            {"name":"b","request":{"method":"GET","url":"https://hunter2pw@h.example/y"}}]}
            """#
        ),
        (
            "texts.json",
            #"""
            {"info":{"name":"P","description":"Log in by https://bob:hunter2pw@h.example, or send `token=hunter2pw`.",
            "schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "variable":[{"key":"hook","value":"https://h.example/?sig=hunter2pw"},{"key":"config","value":"{\"password\": \"hunter2pw\"}"}],
            "event":[{"listen":"prerequest","script":{"exec":["pm.environment.set('token', 'hunter2pw')"]}}],
            "item":[{"name":"in","description":"X-Api-Key: hunter2pw","item":[
            {"name":"a ?token=hunter2pw","request":{"method":"POST","url":"http://h.example/y?a=b+c&api_key=hunter2pw#x",
            "description":"curl -H 'Authorization: Bearer hunter2pw' http://h.example/",
            "header":[{"key":"Referer","value":"http://bob:hunter2pw@h.example/x"},{"key":"Link","value":"<http://h.example/?access_token=hunter2pw>"}],
            "body":{"mode":"raw","raw":"<login><ns:password>hunter2pw</ns:password></login>"}},
            "event":[{"listen":"test","script":{"exec":["const apiKey = 'hunter2pw';","if (password === \"hunter2pw\") nonsense(",
            "send('{\\\"secret\\\": \\\"hunter2pw\\\"}')"]}}],
            "response":[{"name":"ok","code":200,"header":[{"key":"Location","value":"/next?token=hunter2pw"}],
            "body":"<a href=\"https://h.example/?sig=hunter2pw\">next</a>"}]},
            {"name":"b","request":{"method":"GET","url":{"raw":"http://h.example/?sig=hunter2pw","query":[{"key":"sig","value":"hunter2pw"}]}},
            "response":[{"name":"ok","code":200,"body":"{\"links\": [\"http://bob:hunter2pw@h.example/\"], \"note\": \"token=hunter2pw\"}"}]},
            {"name":"c","request":{"method":"POST","url":"http://h.example/","body":{"mode":"raw","raw":"user=bob&password=hunter2pw"}}},
            {"name":"d","request":{"method":"POST","url":"http://h.example/","body":{"mode":"raw",
            "raw":"{\"callback\": \"https://bob:hunter2pw@h.example/\", \"n\": {{n}}}","options":{"raw":{"language":"json"}}}}}]}]}
            """#
        ),
        (
            "again.json",
            #"""
            {"info":{"name":"P","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "item":[{"name":"a","request":{"method":"GET","url":"http://h.example/hunter2pw/x","auth":{"type":"bearer","bearer":[{"key":"token","value":"hunter2pw"}]},
            "description":"Answers with (hunter2pw)."},
            "event":[{"listen":"test","script":{"exec":["pm.expect(pm.response.json().echo).to.eql('hunter2pw')","log('hunter2pw')"]}}],
            "response":[{"name":"ok","code":200,"body":"you are hunter2pw"}]}]}
            """#
        ),
        (
            "server.json",
            #"""
            {"openapi":"3.0.0","info":{"title":"A","version":"1","description":"Try https://bob:hunter2pw@h.example/."},
            "servers":[{"url":"https://{user}:{pw}@h.example/{sig}","variables":{"user":{"default":"bob"},"pw":{"default":"hunter2pw"},"sig":{"default":"hunter2pw"}}},
            {"url":"https://h.example/{base}","variables":{"base":{"default":"?token=hunter2pw"}}}],
            "paths":{"/a":{"get":{"description":"password=hunter2pw","parameters":[{"name":"sig","in":"query","required":true,"example":"hunter2pw"},
            {"name":"x","in":"header","required":true,"example":"Bearer hunter2pw"}],"responses":{}}}}}
            """#
        ),
        (
            "texts.har",
            #"""
            {"log":{"version":"1.2","entries":[{"comment":"token=hunter2pw","request":{"method":"POST","url":"http://h.example/?sig=hunter2pw",
            "headers":[{"name":"X-From","value":"https://h.example/?token=hunter2pw"}],"postData":{"mimeType":"text/plain","text":"password=hunter2pw"}},
            "response":{"status":200,"headers":[],"content":{"mimeType":"text/plain","text":"token=hunter2pw"}}}]}}
            """#
        ),
        (
            "curl-texts.sh",
            "curl -e 'http://bob:hunter2pw@h.example/?token=hunter2pw' -d 'a=b&password=hunter2pw' 'http://h.example/?sig=hunter2pw'\n"
        ),
        (
            "texts.http",
            """
            # The token is token=hunter2pw
            ### a ?sig=hunter2pw
            POST http://h.example/?api_key=hunter2pw
            Referer: http://bob:hunter2pw@h.example/

            <password>hunter2pw</password>

            > {% client.global.set("token", "hunter2pw"); nonsense( %}

            """
        ),
        ("a.http", "GET http://bob:hunter2pw@h.example/y\n"),
        ("curl.sh", "curl -x http://u:hunter2pw@p.example:1 http://bob:hunter2pw@h.example/\n"),
    ]

    @Test(arguments: sources)
    func `a password in a URL comes along as a variable`(path: String, text: String) throws {
        let imported = try ImportedText(text, path: path)
        #expect(!imported.yaml.contains("hunter2pw"), "\(imported.yaml)")
        #expect(imported.yaml.contains("secret: { env:") || imported.yaml.contains("not-copied"), "\(imported.yaml)")
        #expect(!imported.notes.contains { $0.contains("hunter2pw") })
    }

    @Test(arguments: [
        "The password: at least 8 characters", "Send your token in the header `Authorization: Bearer {{token}}`.", "token=", "a: b",
        "https://h.example/?page=2&sort=name#token", "mail bob@h.example", "ssh://git@h.example/x",
        "Basic authentication, Bearer tokens",
        "const token = pm.response.json().token;", "pm.expect(json.token, 'has a token').to.exist", "['password', 'email']",
        "pm.environment.set('token', json.token)", "if (type === 'password1')", "{\"token_type\": \"Bearer1234\"}",
        "password=${PASS}",
        "<password></password>", "<p>secret: 12:30</p>", "http://{{user}}:{{password}}@h/", "?token=<token>", "token=%TOKEN%", "",
        "Authorization: OAuth2", "key: value2", "\"secret\": \"a sentence about what it is\"", "token: ********",
    ])
    func `what only speaks of secrets stays as it is`(text: String) {
        #expect(SecretScanner.replace(in: text, KnownSecrets()) { secret, name in "<\(name): \(secret)>" } == text)
    }

    @Test(arguments: [
        ("see http://a:b@h/ and", "see http://a:<password: b>@h/ and"), ("http://{{u}}:b@h", "http://{{u}}:<password: b>@h"),
        ("?a=b&token=x y", "?a=b&token=<token: x> y"), ("pw=x", "pw=<pw: x>"), ("token: abc1234", "token: <token: abc1234>"),
        ("{\"a\": {\"secret\" : \"x\\\"y\"}}", "{\"a\": {\"secret\" : \"<secret: x\\\"y>\"}}"),
        ("'{\\\"pass\\\": \\\"x\\\"}'", "'{\\\"pass\\\": \\\"<pass: x>\\\"}'"),
        ("Authorization: \"Bearer x\"", "Authorization: \"Bearer <Authorization: x>\""),
        ("-H 'Authorization: Basic YTpiMTIz'", "-H 'Authorization: Basic <token: YTpiMTIz>'"),
        ("set('token', 'abc1234')", "set('token', '<token: abc1234>')"),
        ("<s:Pwd a='b'>x</s:Pwd>", "<s:Pwd a='b'><Pwd: x></s:Pwd>"),
        ("apiKey = `x`", "apiKey = `<apiKey: x>`"), ("password !== 'x'", "password !== '<password: x>'"),
        ("https://abc1234@h/", "https://<credentials: abc1234>@h/"), ("ä token=é", "ä token=é"),
        ("token=é&a=ä", "token=<token: é>&a=ä"),
    ])
    func `what is a secret is found among other things`(text: String, marked: String) {
        #expect(SecretScanner.replace(in: text, KnownSecrets()) { secret, name in "<\(name): \(secret)>" } == marked)
    }

    /// Names alone don't say what a secret is.
    @Test func `what stands where a secret belongs, or looks like one, is one`() throws {
        func jwt(_ letter: String) -> String { "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl\(letter)" }
        let source = #"""
            {"info":{"name":"S","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "variable":[{"key":"auth","value":"\#(jwt("a"))"},{"key":"part","value":"planted1"},{"key":"whole","value":"x{{part}}"},
            {"key":"pw","value":"planted2"},{"key":"admin","value":"ada"},{"key":"one","value":"AKIAABCDEFGHIJKLMNOP"},
            {"key":"plain","value":"planted3"},{"key":"field","value":"planted4"},{"key":"scheme","value":"Token"},{"key":"bearer","value":"planted5"}],
            "item":[{"name":"a","request":{"url":"http://h/a","auth":{"type":"bearer","bearer":[{"key":"token","value":"{{whole}}"}]}}},
            {"name":"b","request":{"url":"http://h/b","auth":{"type":"basic","basic":[{"key":"username","value":"{{admin}}"},{"key":"password","value":"{{pw}}"}]}}},
            {"name":"c","request":{"method":"POST","url":"http://h/c?x=ghp_abcdefghijkl0123","header":[{"key":"Authorization","value":"{{scheme}} {{plain}}"},{"key":"Bearer","value":"planted6"}],
            "body":{"mode":"raw","raw":"{\"password\": \"{{field}}\", \"note\": \"\#(jwt("b"))\", \"k\": \"sk_live_abcdefgh\"}"}}}]}
            """#
        let imported = try ImportedText(source)
        for secret in ["planted", jwt("a"), jwt("b"), "AKIA", "ghp_", "sk_live_"] {
            #expect(!imported.yaml.contains(secret), "\(secret) in \(imported.yaml)")
        }
        #expect(imported.yaml.contains("admin: ada\n") && imported.yaml.contains("scheme: Token\n"), "\(imported.yaml)")
        #expect(imported.secrets.contains { $0.hasPrefix("S_AUTH: ") } && imported.secrets.contains { $0.hasPrefix("S_PW: ") })
    }

    @Test func `two secrets never share an environment variable`() throws {
        let keys = ["token", "TOKEN", "api-key", "api_key"]
        let variables = keys.enumerated().map { #"{"key":"\#($1)","value":"value\#($0)"}"# }.joined(separator: ",")
        let imported = try ImportedText(
            #"{"info":{"name":"S"},"variable":[\#(variables)],"item":[{"name":"a","request":{"url":"http://h/","header":[{"key":"Authorization","value":"Bearer other"}]}}]}"#
        )
        let names = imported.secrets.map { $0.prefix { $0 != ":" } }
        #expect(names == ["S_TOKEN", "S_TOKEN_2", "S_API_KEY", "S_API_KEY_2", "S_TOKEN_2_2"], "\(imported.yaml)")
    }

    @Test func `a known secret is found as a whole word, and a word of a language isn't looked for`() {
        var known = KnownSecrets()
        for secret in ["hunter2", "password", "abc", "12345678", "hunter2-long"] { known.insert(secret) }
        let text = "hunter2 (hunter2) hunter22 xhunter2 hunter2-long password abc 12345678"
        #expect(SecretScanner.replace(in: text, known) { _, _ in "*" } == "* (*) hunter22 xhunter2 * password abc 12345678")
    }

    @Test func `who it is for, and to which host, stays`() throws {
        let imported = try ImportedText("curl -x http://u:hunter2pw@p.example:1 http://h.example/\n", path: "curl.sh")
        #expect(imported.yaml.contains("proxy: http://{{proxy_credentials}}@p.example:1\n"))
    }

    @Test(arguments: [
        ("http://a:b@h/c", "http://h/c"), ("http://a@h", "http://h"), ("GET http://a:b@c@h/?x=@", "GET http://h/?x=@"),
        ("http://h/a@b", "http://h/a@b"), ("http://h?a@b", "http://h?a@b"), ("mail a@b", "mail a@b"), ("http://", "http://"),
        ("see http://h then a@b", "see http://h then a@b"),
    ])
    func `a URL without its userinfo`(text: String, rest: String) {
        #expect(URLUserinfo.removed(from: text) == rest)
    }
}
