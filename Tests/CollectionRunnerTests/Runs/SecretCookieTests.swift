import Foundation
import HTTPTypes
import History
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Synchronization
import Testing

@testable import CollectionRunner

/// A cookie that a capture calls a secret, though its name doesn't look like a session's.
@Suite struct SecretCookieTests {
    private static let value = "v3ry-S3cret-0ne"
    private static let next = "n3xt-S3cret-0ne"

    private final class Kept: RunRecorder {
        private let runs = Mutex<[FinishedRun]>([])

        /// What is kept of each answer, bodies included.
        var texts: [String] {
            runs.withLock(\.self).map { run in
                let shown = run.redactor.response(run.response)
                let body = (try? shown.info?.body.contents()) ?? Data()
                return "\(shown.metrics)\n\(String(decoding: body, as: UTF8.self))"
            }
        }

        func keep(_ run: FinishedRun) -> Int64? {
            runs.withLock { $0.append(run) }
            return nil
        }
    }

    private static let shop = """
        requests:
          login: { get: http://shop/login, capture: { mine: { from: "cookie:ticket", secret: true } } }
          echo: { get: http://shop/echo }
        """

    /// The first answer has set the cookie and isn't over yet, so nothing of it has been captured. The second one sets the next value,
    /// quoted and percent-encoded, and shows it decoded.
    @Test(arguments: [false, true])
    func `is masked in another request's answer from the first byte`(isUnsaved: Bool) async throws {
        let kept = Kept()
        let bench = try RunnerBench(
            isUnsaved ? Self.shop.replacing("secret: true", with: "secret: false") : Self.shop, history: kept,
            cookies: SessionCookies()
        ) { _ in .nothing }
        var job = try bench.job("login")
        // An edit that isn't saved: the collection doesn't have it.
        job.definition.captures[0].isSecret = true
        let login = Task { [job] in await bench.runner.run(job) }
        let first = await bench.transport.transfer(0)
        first.sendHead(headers: [.setCookie: "ticket=\(Self.value); Path=/"])

        let echo = Task { try await bench.run("echo") }
        let second = await bench.transport.transfer(1)
        let cookies = second.request.request.headers[.cookie]
        #expect(cookies == "ticket=\(Self.value)")
        second.send(.requestHeadSent(Data("GET /echo HTTP/1.1\r\nHost: shop\r\nCookie: \(cookies ?? "")\r\n\r\n".utf8)))
        second.send(.requestSent)
        second.respond(
            headers: [.setCookie: "ticket=\"n3xt%2DS3cret-0ne\"; Path=/", .contentType: "text/plain"],
            body: Data("was \(Self.value), is \(Self.next)".utf8))
        let result = try await echo.value
        #expect(result.redactor.text("was \(Self.value), is \(Self.next)") == "was ••••••, is ••••••")
        let texts = kept.texts
        #expect(texts.count == 1)
        #expect(texts.allSatisfy { !$0.contains("S3cret") })

        first.finish()
        #expect(await login.value.isPassed)
    }

    /// Else every word of an answer would be masked that some setting has for its value.
    @Test func `another cookie is shown`() async throws {
        let bench = try RunnerBench(Self.shop, cookies: SessionCookies()) { _ in
            [
                .requestHeadSent(Data("GET /echo HTTP/1.1\r\nCookie: theme=turquoise\r\n\r\n".utf8)), .requestSent,
                .head(ResponseHead(status: .ok, headers: [.setCookie: "theme=turquoise"])), .finished(TransferResult()),
            ]
        }
        #expect(try await bench.run("echo").redactor.text("turquoise") == "turquoise")
    }
}
