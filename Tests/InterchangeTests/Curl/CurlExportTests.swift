import Foundation
import RequestCollections
import ServerTesting
import Testing

@testable import Interchange

@Suite struct CurlExportTests {
    /// Where the collection lies, which has no file.
    private static let directory = FileManager.default.currentDirectoryPath

    private static let collection = RequestCollection.of(
        #"""
        turnstone: 1
        variables:
          host: http://h
          password: { secret: { env: SHOP_PASSWORD } }
          key: { secret: { command: [pass, show, "shop/key's"] } }
          pin: { secret: { prompt: "Your PIN?" } }
          note: { secret: { file: note.txt } }
        environments:
          live: { host: https://live }
        requests:
          login:
            post: "{{host}}/login"
            body: { json: '{"user":"ada","password":"{{password}}"}' }
            capture: { token: { from: .access_token, secret: true } }
          me:
            get: "{{host}}/me"
            auth: { bearer: "{{token}}" }
            needs: login
          basic: { get: "{{host}}/", auth: { basic: { user: ada, password: "{{password}}" } } }
          digest: { get: "{{host}}/", auth: { digest: { user: ada, password: "{{password}}" } } }
          derived: { get: "{{host}}/", headers: { x-sum: "{{sha256(password)}}", x-home: "{{env('HOME_OF')}}" } }
          literal: { get: "{{host}}/", auth: { bearer: abc }, cookies: { a: b }, headers: { x-api-key: sk_live_123 456 } }
          places: { get: "{{host}}/", query: { a: "{{key}}", b: "{{pin}}", c: "{{note}}" } }
          form:
            put: "{{host}}/"
            body: { multipart: { a: "it's {{password}}", n: { value: "a;\"b", filename: q.txt } } }
          options:
            delete: "{{host}}/"
            timeouts: { connect: 1500ms, operation: 10s }
            redirects: { follow: never }
            compression: false
            http: 1.1
            proxy: http://p:1
            resolve: ["h:80:127.0.0.1"]
            unix-socket: /s
            tls: { verify: false, ca: /ca.pem, certificate: /c.pem, key: /k.pem, pins: [sha256//a], min-version: 1.2 }
          certificate:
            get: "{{host}}/"
            timeouts: { connect: never, operation: never }
            redirects: { follow: never }
            compression: false
            tls:
              certificate: "/a:b.p12"
              passphrase: "{{password}}"
              max-version: 1.3
              ciphers: [TLS_AES_128_GCM_SHA256, HIGH, "!aNULL"]
          presigned:
            get: "https://b.s3.eu-west-1.amazonaws.com/a"
            timeouts: { connect: never, operation: never }
            redirects: { follow: never }
            compression: false
            auth: { aws-sigv4: { access-key: A, secret-key: "{{password}}", expires: 15m } }
          token:
            get: "{{host}}/"
            auth: { oauth2: { grant: client-credentials, token-url: "http://h/t", client-id: a, client-secret: "{{password}}" } }
        """#)

    private static func export(_ name: String, environment: String? = nil) throws -> CurlExport {
        let request = try #require(collection.request(RequestID(rawValue: name)))
        return try CurlExport(request, in: collection, environment: environment)
    }

    @Test(
        arguments: [
            (
                "login",
                #"""
                as_json() { printf %s "$1" | LC_ALL=C awk '{ gsub(/[\\"]/, "\\\\&"); gsub(/\t/, "\\t"); gsub(/\r/, "\\r"); printf "%s%s", s, $0; s = "\\n" }'; }
                curl http://h/login \
                  --header 'Content-Type: application/json' \
                  --data-raw '{"user":"ada","password":"'"$(as_json "$SHOP_PASSWORD")"'"}' \
                  --location \
                  --compressed
                """#, []
            ),
            (
                "me",
                #"""
                curl http://h/me \
                  --header 'Authorization: Bearer '"$TOKEN" \
                  --location \
                  --compressed
                """#, ["send login first; TOKEN is .access_token of its response"]
            ),
            (
                "basic",
                #"""
                curl http://h/ \
                  --location \
                  --compressed \
                  --user 'ada:'"$SHOP_PASSWORD"
                """#, []
            ),
            (
                "digest",
                #"""
                curl http://h/ \
                  --digest \
                  --user 'ada:'"$SHOP_PASSWORD" \
                  --location \
                  --compressed
                """#, []
            ),
            (
                "derived",
                #"""
                curl http://h/ \
                  --header 'x-sum: '"$(printf %s "$SHOP_PASSWORD" | openssl dgst -sha256 -r | cut -d' ' -f1)" \
                  --header 'x-home: '"$HOME_OF" \
                  --location \
                  --compressed
                """#,
                [
                    "curl takes `x-sum` along to any host that it is redirected to, and Turnstone doesn't; "
                        + "without --location it goes to this one alone"
                ]
            ),
            (
                "literal",
                #"""
                curl http://h/ \
                  --header 'x-api-key: sk_live_123 456' \
                  --header 'cookie: a=b' \
                  --header 'Authorization: Bearer abc' \
                  --location \
                  --compressed
                """#,
                [
                    "curl takes `x-api-key` along to any host that it is redirected to, and Turnstone doesn't; "
                        + "without --location it goes to this one alone"
                ]
            ),
            (
                "places",
                #"""
                as_percent() { printf %s "$1" | od -An -v -tu1 | LC_ALL=C awk '{ for (i = 1; i <= NF; i++) b[++n] = $i } \#
                END { for (i = 1; i <= n; i++) { c = sprintf("%c", b[i]); \#
                printf "%s", b[i] == 32 ? "%20" : c ~ /[A-Za-z0-9._~-]/ ? c : sprintf("%%%02X", b[i]) } }'; }
                curl 'http://h/?a='"$(as_percent "$(pass show 'shop/key'\''s')")"'&b='"$(as_percent "$YOUR_PIN")"\#
                '&c='"$(as_percent "$(cat \#(Self.directory)/note.txt)")" \
                  --globoff \
                  --location \
                  --compressed
                """#, []
            ),
            (
                "form",
                #"""
                curl http://h/ \
                  --request PUT \
                  --form-string 'a=it'\''s '"$SHOP_PASSWORD" \
                  --form 'n="a;\"b";filename="q.txt"' \
                  --location \
                  --post301 \
                  --post302 \
                  --compressed
                """#, []
            ),
            (
                "certificate",
                #"""
                curl http://h/ \
                  --cert '/a\:b.p12' \
                  --cert-type P12 \
                  --pass "$SHOP_PASSWORD" \
                  --tls-max 1.3 \
                  --ciphers 'HIGH:!aNULL' \
                  --tls13-ciphers TLS_AES_128_GCM_SHA256
                """#, []
            ),
            (
                "options",
                #"""
                curl http://h/ \
                  --request DELETE \
                  --connect-timeout 1.5 \
                  --max-time 10 \
                  --http1.1 \
                  --proxy http://p:1 \
                  --resolve h:80:127.0.0.1 \
                  --unix-socket /s \
                  --insecure \
                  --cacert /ca.pem \
                  --cert /c.pem \
                  --key /k.pem \
                  --pinnedpubkey sha256//a \
                  --tlsv1.2
                """#, []
            ),
            (
                "token",
                #"""
                curl http://h/ \
                  --header 'Authorization: Bearer '"$ACCESS_TOKEN" \
                  --location \
                  --compressed
                """#, ["ACCESS_TOKEN is a token of OAuth 2"]
            ),
        ] as [(String, String, [String])])
    func `a request is one command, its secrets are references`(name: String, command: String, notes: [String]) throws {
        #expect(Self.collection.problems == [])
        let export = try Self.export(name)
        #expect(export.command == command)
        #expect(export.notes == notes)
    }

    @Test(arguments: [
        ("put: http://h/, body: { text: x }", ["--post301", "--post302"], []),
        ("post: http://h/, body: { text: x }", [], []), ("delete: http://h/", [], []),
        ("put: http://h/, body: { text: x }, redirects: { follow: never }", [], []),
        ("put: http://h/, body: { text: x }, redirects: { keep-post: [301] }", ["--post301", "--post302"], []),
        ("get: http://h/, headers: { User-Agent: null, accept: null }", ["--header Accept:", "--header User-Agent:"], []),
        ("get: http://h/, headers: { X-Key-Of: '{{s}}', Authorization: '{{s}}' }", [], ["`X-Key-Of`"]),
        ("get: http://h/, headers: { X-Key-Of: '{{s}}' }, redirects: { follow: never }", [], []),
        ("get: http://h/, headers: { X-Key-Of: '{{s}}' }, redirects: { keep-auth: always }", [], []),
        ("get: http://h/, headers: { X-Api-Key: abc }", [], ["`X-Api-Key`"]),
    ])
    func `a later hop is sent as the request would send it, or it is said`(
        request: String, options: [String], told: [String]
    ) throws {
        let collection = RequestCollection.of(
            "turnstone: 1\nvariables: { s: { secret: { env: S } } }\nrequests: { a: { \(request) } }")
        #expect(collection.problems == [])
        let export = try CurlExport(try #require(collection.requests.first), in: collection)
        let lines = export.command.split(separator: "\n").map { String($0.drop { $0 == " " }).replacing(" \\", with: "") }
        #expect(lines.filter { $0.hasPrefix("--post") || $0.hasSuffix(":") } == options, "\(export.command)")
        let warnings = export.notes.filter { $0.hasPrefix("curl takes") }
        #expect(warnings.count == told.count && zip(warnings, told).allSatisfy { $0.contains($1) }, "\(export.notes)")
    }

    @Test func `what a run sends only sometimes, or around others, is named`() throws {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            variables: { b: 1 }
            set-up: up
            requests:
              up: { get: http://h/ }
              f:
                when: { b: 1 }
                for-each: { n: [1, 2] }
                requests: { c: { get: "http://h/{{n}}", tear-down: up } }
            """)
        let definition = try #require(collection.request(RequestID(rawValue: "f/c")))
        let export = try CurlExport(definition, in: collection)
        #expect(export.command.hasPrefix("curl http://h/1 "))
        #expect(
            export.notes == [
                "send it only when b is 1", "it is sent for 2 values of n; this is the first", "send up before, which sets it up",
                "send up afterwards, which undoes it",
            ])
    }

    @Test func `an environment's variables hold`() throws {
        #expect(try Self.export("me", environment: "live").command.hasPrefix("curl https://live/me "))
    }

    /// Swift takes a quote and an accent behind it for one character, and a shell doesn't.
    @Test func `no text of a request ends its quotes`() throws {
        let evil = "\u{301}'\u{301}; echo injected; echo '\u{301}"
        let collection = RequestCollection.of(
            """
            turnstone: 1
            variables: { password: { secret: { env: SHOP_PASSWORD } } }
            requests:
              a:
                post: "http://h/"
                headers: { x-a: "\(evil)" }
                body: { text: "\(evil){{password}}\(evil)" }
            """)
        let request = try #require(collection.request(RequestID(rawValue: "a")))
        let script = """
            curl() { for word in "$@"; do printf '[%s]\\n' "$word"; done; }
            SHOP_PASSWORD=pw
            \(try CurlExport(request, in: collection).command)
            """
        let words = try ChildProcess.run("/bin/sh", ["-c", script]).split(separator: "\n").map(String.init)
        #expect(words.filter { $0.utf8.first != UInt8(ascii: "[") } == [])
        #expect(words.contains("[X-A: \(evil)]") || words.contains("[x-a: \(evil)]"))
        #expect(words.contains("[\(evil)pw\(evil)]"))
    }

    @Test func `a shell fills the references in, whatever is in them`() throws {
        let directory = try TemporaryDirectory()
        let script = try directory.write(
            "script.sh",
            """
            curl() { for word in "$@"; do printf '[%s]\\n' "$word"; done; }
            pass() { printf '%s' "k 1&\\"$2"; }
            SHOP_PASSWORD='it'"'"'s $HOME "quoted" `x`' TOKEN=t YOUR_PIN=7
            cat() { printf 'n\\n'; }
            \(try Self.export("login").command)
            \(try Self.export("basic").command)
            \(try Self.export("places").command)
            """)
        let words = try ChildProcess.run("/bin/sh", [script]).split(separator: "\n").map(String.init)
        #expect(words.contains(#"[{"user":"ada","password":"it's $HOME \"quoted\" `x`"}]"#))
        #expect(words.contains(#"[ada:it's $HOME "quoted" `x`]"#))
        #expect(words.contains("[http://h/?a=k%201%26%22shop%2Fkey%27s&b=7&c=n]"))
    }

    /// A shell reads `$X$(…)` as a name and a command.
    @Test(arguments: ["X$(touch PWN)", "X\"; touch PWN; \"", "X`touch PWN`", "X\ntouch PWN", "1X", "a.b", "ä", ""])
    func `what isn't the name of a variable is refused, and is never one in a command`(name: String) throws {
        let written = JSONValue.string(name).text(pretty: false)
        let secret = RequestCollection.of(
            "turnstone: 1\nvariables: { s: { secret: { env: \(written) } } }\nrequests: { a: { get: 'http://h/?a={{s}}' } }")
        let rule = "letters, digits and `_`, and no digit first"
        #expect(secret.problems.map(\.message) == ["`env` takes the name of an environment variable (\(rule)), not `\(name)`"])
        let template = JSONValue.string("{{env(\(written))}}").text(pretty: false)
        let called = RequestCollection.of("turnstone: 1\nrequests: { a: { get: http://h/, headers: { x-a: \(template) } } }")
        let request = try #require(called.requests.first)
        #expect(throws: ResolutionError.self) { try CurlExport(request, in: called) }
        let variable = ShellReferences.variable(name)
        #expect(variable.first == "$" && EnvironmentVariableName.isValid(String(variable.dropFirst())))
    }

    @Test(arguments: [true, false]) func `the text of a file that isn't the collection's own is read by the shell`(runs: Bool)
        throws
    {
        let directory = try TemporaryDirectory()
        let file = try directory.write("of others.txt", "one & two\n")
        let collection = RequestCollection.of(
            """
            turnstone: 1
            requests:
              form: { post: http://h/, body: { form: { a: '{{file("\(file)")}}' } } }
              json: { post: http://h/, body: { json: { a: '{{base64(file("\(file)"))}}' } } }
              query: { post: http://h/, body: { graphql: { file: "\(file)" } } }
            """)
        #expect(collection.problems == [])
        var script = "curl() { for word in \"$@\"; do printf '[%s]\\n' \"$word\"; done; }\n"
        for request in collection.requests {
            let export = try CurlExport(request, in: collection, runsCommands: runs)
            #expect(!export.command.contains("‹"))
            if !runs { #expect(export.notes.contains { $0.contains("is what `cat ") }) }
            script += "\(export.command)\n"
        }
        guard runs else { return }
        let words = try ChildProcess.run("/bin/sh", ["-c", script]).split(separator: "\n").map(String.init)
        #expect(words.contains("[a=one+%26+two]"))
        #expect(words.contains { $0.contains(Data("one & two".utf8).base64EncodedString()) })
        #expect(words.contains { $0.contains("one & two") })
    }

    /// Pasted, such a command would send the search path of whoever pastes it.
    @Test(arguments: ["path", "home", "user", "ifs", "Http-Proxy", "lc_all"])
    func `no name that a shell or curl knows stands for a captured value`(name: String) throws {
        let collection = RequestCollection.of(
            "turnstone: 1\nrequests:\n  p: { get: \"http://h/\", capture: { \(name): .a } }\n  q: { get: \"http://h/?p={{\(name)}}\" }\n"
        )
        let command = try CurlExport(try #require(collection.request(RequestID(rawValue: "q"))), in: collection).command
        #expect(command.contains("$VALUE_\(name.uppercased().replacing("-", with: "_"))"), "\(command)")
    }
}
