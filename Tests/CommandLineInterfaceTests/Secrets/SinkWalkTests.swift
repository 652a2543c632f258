import DemoServer
import Foundation
import HTTPTypes
import Interchange
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import CommandLineInterface

/// Every kind of place in which a secret may stand, through everything that the program writes: the secret isn't there in any form, and
/// where it stood, a mask is, so that nobody takes an output without the place for a safe one.
@Suite struct SinkWalkTests {
    private static let masks = ["••••••", "******", "<redacted>"]

    private static func isMasked(_ text: String) -> Bool { masks.contains { text.contains($0) } }

    @Test func `no place tells its secret to any output, and each shows where it stood`() async throws {
        let places = try await SecretPlaces()
        for place in SecretPlaces.places {
            let state = try TemporaryDirectory()
            for sink in try await sinks(of: place, in: places, state) {
                #expect(SecretPlaces.hunt.finds(in: Data(sink.text.utf8)) == [], "\(sink.name) of \(place)")
                if sink.showsPlace { #expect(Self.isMasked(sink.text), "\(sink.name) of \(place) has no mask:\n\(sink.text)") }
            }
            // All of the history, its index and its journal, byte by byte; tokens are kept on purpose, for their owner only.
            let left = try SecretPlaces.hunt.finds(below: state.path).filter { !$0.hasSuffix("/tokens.json") }
            #expect(left == [], "\(place)")
        }
        await places.stop()
    }

    private struct Sink {
        var name: String
        var text: String
        /// Whether the place is a part of what it tells.
        var showsPlace: Bool
    }

    private func sinks(of place: String, in places: SecretPlaces, _ state: TemporaryDirectory) async throws -> [Sink] {
        let environment = SecretPlaces.environment.merging(["XDG_STATE_HOME": state.path, "PATH": "/usr/bin:/bin"]) { $1 }
        func call(_ words: [String]) async -> String {
            let run = await CommandLineRun.run(words, environment: environment)
            return run.output + run.errors
        }
        let part = SecretPlaces.parts[place]
        let given = ["--var", "prompted=\(SecretPlaces.secret("prompted"))", "--var", "given=\(SecretPlaces.secret("given"))"]
        // What is never sent is in no record of what was sent.
        let isSent = part != .outside && place != "hydrated"
        var sinks: [Sink] = []
        func add(_ name: String, _ text: String, showsPlace: Bool) {
            sinks.append(Sink(name: name, text: text, showsPlace: showsPlace))
        }

        let formats = ["junit", "tap", "json", "html", "har", "github", "markdown"]
        add(
            "run",
            await call(
                ["run", places.path, place, "--trust"] + given
                    + formats.flatMap { ["--report", "\($0)=\(state.file("report.\($0)"))"] }),
            showsPlace: place == "unmet")
        add(
            "run -v", await call(["run", places.path, place, "--trust", "-v", "--no-history"] + given), showsPlace: place == "unmet"
        )
        for format in formats {
            let text = try String(contentsOfFile: state.file("report.\(format)"), encoding: .utf8)
            add(format, text, showsPlace: ["har", "html"].contains(format) && isSent || place == "unmet" && format != "har")
        }
        add(
            "events", await call(["run", places.path, place, "--trust", "--no-history", "--events", "jsonl"] + given),
            showsPlace: isSent && part != .body)

        add("history", await call(["history"]), showsPlace: false)
        add("history --json", await call(["history", "--json"]), showsPlace: false)
        let count = place == "captured" ? 2 : 1
        add("history show", await call(["history", "show", "\(count)"]), showsPlace: part == .url)
        add("history body", await call(["history", "body", "\(count)"]), showsPlace: false)
        add("history replay", await call(["history", "replay", "\(count)", "--trust"]), showsPlace: false)

        for options in [[], ["--json"], ["--explain"], ["--explain", "--json"]] {
            add(
                "show \(options.joined(separator: " "))", await call(["show", places.path, place] + options),
                showsPlace: part != .wire && part != .outside && (!options.contains("--explain") || part != .body))
        }
        add("list", await call(["list", places.path, "--json"]), showsPlace: false)
        // A person's own file is written out as it stands there.
        if !place.hasPrefix("literal") {
            add("show --curl", await call(["show", places.path, place, "--curl"]), showsPlace: false)
            add("export curl", await call(["export", "curl", places.path, place]), showsPlace: false)
            for format in ["locust", "hurl", "http", "har", "opencollection"] {
                add("export \(format)", await call(["export", format, places.path, place]), showsPlace: false)
            }
        }
        return sinks
    }

    /// By option, with what the server must have got of it.
    @Test(arguments: [
        ["-u", "ada:S"], ["--digest", "-u", "ada:S"], ["--oauth2-bearer", "S"], ["-b", "sid=S"], ["-H", "Authorization: Bearer S"],
        ["-H", "X-Api-Key: S"], ["-d", "user=ada&password=S"], ["--aws-sigv4", "aws:amz:eu:s3", "-u", "AKIA1:S"],
        ["-x", "PROXY", "-U", "ada:S"], ["--pass", "S", "--cert", "/nowhere.pem"], ["--cert", "/nowhere.pem:S"],
    ])
    func `what send is given to prove who it is isn't told again`(words: [String]) async throws {
        let places = try await SecretPlaces()
        let directory = try TemporaryDirectory()
        let words = words.map { $0.replacing("S", with: "s3nt-S3cret", maxReplacements: $0.hasSuffix("S") ? 1 : 0) }
            .map { $0.replacing("PROXY", with: places.demo.baseURL) }
        for url in ["\(places.demo.baseURL)/auth/digest", "http://127.0.0.1:9/"] {
            for options in [["-v", "--timing", "-i"], ["--events", "jsonl"], ["-w", "%{json} %{header_json}"]] {
                let har = directory.file("all.har")
                let run = await CommandLineRun.run(["send", "--har", har] + options + words + [url])
                let kept = (try? String(contentsOfFile: har, encoding: .utf8)) ?? ""
                let all = run.output + run.errors + kept
                #expect(SecretPlaces.hunt.finds(in: all) == [], "\(options) \(words)")
                if options[0] == "-v", !words.contains("--pass"), !words.contains("--cert"), !words.contains("--digest"),
                    !words.contains("--aws-sigv4"), !url.hasSuffix(":9/"), words[0] != "-d"
                {
                    #expect(run.errors.contains("••••••"), "\(words) \(url)\n\(run.errors)")
                }
            }
        }
        await places.stop()
    }
}

/// A server may tell anybody what one request was sent with.
@Suite struct KnownSecretTests {
    @Test func `a secret of one request is masked in the answers to the others`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            variables: { key: { secret: { env: SHOP_KEY } }, pin: { secret: { env: SHOP_PIN } } }
            requests:
              put: { post: http://shop/, body: { text: "{{key}} {{pin}}" } }
              get: { get: http://shop/me, expect: { status: 201, body: { .said: nothing } } }
            """)
        let transport = ScriptedTransport { _ in
            .respond(headers: [.contentType: "application/json"], body: Data(#"{"said": "hunter2hunter2", "rank": "no"}"#.utf8))
        }
        let reports = ["html", "junit", "json", "har", "tap"].map { ($0, directory.file("report.\($0)")) }
        let environment = ["SHOP_KEY": "hunter2hunter2", "SHOP_PIN": "no", "HOME": directory.path]
        let run = await CommandLineRun.run(
            ["run", path, "put", "get", "-v", "--trust"] + reports.flatMap { ["--report", "\($0)=\($1)"] },
            transport: transport, environment: environment)
        #expect(run.status == .expectationFailed)
        #expect(!(run.output + run.errors).contains("hunter2"))
        for (_, report) in reports {
            #expect(!(try String(contentsOfFile: report, encoding: .utf8)).contains("hunter2"), "\(report)")
        }
        let body = await CommandLineRun.run(["history", "body", "2"], environment: environment)
        #expect(body.output.contains("said") && !body.output.contains("hunter2"))
        // A short one stands in many words; it is hidden where it is known to be one.
        #expect(body.output.contains(#""rank": "no""#))
    }
}
