import FoundationEssentials
import RequestCollections
import ServerTesting
import Testing

@testable import CommandLineInterface

/// How failures are told: first the place, the subject, the demand and what was found; then what shows it; then at most one hint. The
/// terminal, HTML, JUnit and GitHub say the same.
@Suite struct ModelMessagesTests {
    struct Model: Sendable, CustomTestStringConvertible {
        /// Below `requests:`.
        var requests: String
        var lines: [String]

        var testDescription: String { lines[0] }
    }

    private static let order =
        #"{ "qty": "42", "id": 7, "ok": "true", "state": "open", "order": { "id": 1, "totals": 3 }, "note": "a\nb" }"#
    private static let items = """
        { "items": [{ "sku": "A1", "price": 2 }, { "sku": "B9", "price": 0 }, { "sku": "C3", "price": null }], "tags": ["a", "b"] }
        """

    private static func expecting(_ expectation: String, of body: String, _ more: String = "") -> String {
        """
          a:
            get: http://h/
            mock: { status: 200, body: \(body) }
            expect:
              \(expectation)\(more)
        """
    }

    private static let models: [Model] = [
        Model(
            requests: """
                  a:
                    get: http://h/
                    mock: { status: 422, body: { error: sku A7 is sold out } }
                    expect: { status: 201 }
                """,
            lines: ["shop.yaml:6:15: expected status to be 201, and found 422 Unprocessable Content"]),
        Model(
            requests: expecting("body: { .qty: 42 }", of: order),
            lines: [
                "shop.yaml:7:15: expected body .qty to be the number 42, and found the text \"42\"",
                "hint: for the text, write .qty: \"42\"",
            ]),
        Model(
            requests: expecting("body: { .order.total: \"> 0\" }", of: order),
            lines: [
                "shop.yaml:7:15: expected body .order.total to be > 0, and found nothing: .order has no \"total\"",
                "it has: id, totals", "hint: .order.totals?",
            ]),
        Model(
            requests: expecting("body: { '.items[].price': \"> 0\" }", of: items),
            lines: [
                "shop.yaml:7:15: expected body .items[].price to be > 0, and found 0 in 2 of 3: [1] 0, [2] null",
                ".items[1]: {\"sku\":\"B9\",\"price\":0}",
            ]),
        Model(
            requests: expecting("body: { .state: done }", of: order),
            lines: ["shop.yaml:7:15: expected body .state to be \"done\", and found \"open\""]),
        Model(
            requests: """
                  a:
                    get: http://h/
                    mock: { headers: { content-type: text/html; charset=utf-8 }, body: "\\n<!doctype html><p>no" }
                    expect: { header: { content-type: /json/ } }
                """,
            lines: [
                "shop.yaml:6:25: expected header content-type to match /json/, and found \"text/html; charset=utf-8\"",
                "hint: the body begins with <!doctype html>",
            ]),
        Model(
            requests: """
                  a:
                    get: http://h/
                    mock: { status: 201, headers: { location: /orders/a81f } }
                    capture:
                      order_id: { from: header:location, then: ['/id=(\\d+)/'] }
                  pay: { get: "http://h/{{order_id}}" }
                  cancel: { get: "http://h/{{order_id}}" }
                """,
            lines: [
                "shop.yaml:7:7: nothing to capture for order_id: /id=(\\d+)/ finds nothing in header location",
                "location: \"/orders/a81f\"", "needed by: pay, cancel (not sent)",
            ]),
        Model(
            requests: """
                  a:
                    get: http://h/
                    mock: { body: { state: queued } }
                    until: { body: { .state: done } }
                """,
            lines: [
                "shop.yaml:6:5: until: body .state was never \"done\": \"queued\", in 1 poll over 0 ms; its mock answers the same each time"
            ]),
        Model(
            requests: "  a: { get: http://h/, mock: { error: timeout } }",
            lines: ["shop.yaml:3:3: expected a response, and found none: timeouts."]),
    ]

    /// Without what keeps a text from meaning something else in a format.
    private static func plain(_ text: String) -> String {
        [
            ("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&#10;", "\n"), ("&amp;", "&"), ("%0A", "\n"),
            ("%25", "%"),
        ]
        .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    @Test(arguments: models, [[], ["--report", "html=-"], ["--report", "junit=-"], ["--report", "github=-"]])
    func `what is wrong is told in the same words everywhere`(model: Model, words: [String]) async throws {
        let text = "turnstone: 1\nrequests:\n\(model.requests)\n"
        let run = try await RunBench.run(["--mocks"] + words, text: text)
        let output = Self.plain(run.output)
        var rest = output[...]
        for line in model.lines {
            let place = try #require(rest.firstRange(of: line), "\(line)\n\(output)")
            rest = rest[place.upperBound...]
        }
    }

    private static let chain = """
        turnstone: 1
        requests:
          login: { get: http://h/, mock: { status: 401, body: {} }, expect: { status: 200 }, capture: { token: .token } }
          pay: { get: "http://h/{{token}}" }
          look: { get: http://h/, needs: [pay] }
        """

    @Test func `what isn't sent names who failed, the reason and its place`() async throws {
        let run = try await RunBench.run("--mocks", text: Self.chain)
        let reason = "login, which it needs, failed: expected status to be 200, and found 401 Unauthorized (shop.yaml:3:71)"
        #expect(run.output.contains("shop.yaml:4:15: pay was not sent: \(reason)\n"), "\(run.output)")
        #expect(run.output.contains("look was not sent: pay, which it needs, was not sent: \(reason)\n"), "\(run.output)")
        // The status is why there is no token, and comes first.
        let status = try #require(run.output.firstRange(of: "expected status"))
        let capture = try #require(run.output.firstRange(of: "nothing to capture for token: .token finds nothing in the body"))
        #expect(status.lowerBound < capture.lowerBound)
    }

    @Test func `texts that nobody may see are hidden in quotes, too, short ones included`() async throws {
        let text = """
            turnstone: 1
            variables: { key: { secret: { env: SHOP_KEY } } }
            requests:
              a:
                get: http://h/
                headers: { x-key: "{{key}}" }
                mock: { body: { a: 'q"7', b: word, list: [x, 'q"7'] } }
                expect: { body: { .a: word, .b: "{{key}}", .list: { each: x } } }
            """
        let run = try await RunBench.run("--mocks", environment: ["SHOP_KEY": "q\"7"], text: text)
        #expect(!run.output.contains("q\\\"7") && !run.output.contains("q\"7"), "\(run.output)")
        #expect(run.output.contains("expected body .b to be \"••••••\", and found \"word\""), "\(run.output)")
    }
}
