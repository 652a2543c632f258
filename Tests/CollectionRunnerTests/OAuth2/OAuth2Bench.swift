import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Synchronization
import Testing

@testable import CollectionRunner

/// A person who sees notices, and does what a test says.
final class Person: Prompter {
    private let seen = Mutex<(shown: [SignInNotice], hidden: [SignInNotice])>(([], []))
    private let act: @Sendable (SignInNotice, @escaping @Sendable () -> Void) -> Void

    init(_ act: @escaping @Sendable (SignInNotice, @escaping @Sendable () -> Void) -> Void = { _, _ in }) { self.act = act }

    func ask(_ prompt: PromptRequirement) async throws(PromptError) -> String { throw PromptError("not asked") }
    func choose(_ select: SelectRequirement) async throws(PromptError) -> String { throw PromptError("not asked") }

    func show(_ notice: SignInNotice, decline: @escaping @Sendable () -> Void) async throws(PromptError) {
        seen.withLock { $0.shown.append(notice) }
        act(notice, decline)
    }

    func hide(_ notice: SignInNotice) async { seen.withLock { $0.hidden.append(notice) } }

    var shown: [SignInNotice] { seen.withLock { $0.shown } }
    var hidden: [SignInNotice] { seen.withLock { $0.hidden } }
}

/// The server of tokens, by the number of the request to it.
final class TokenServer: Sendable {
    private let count = Mutex(0)
    private let answers: @Sendable (Int, FormParameters) -> Script

    init(_ answers: @escaping @Sendable (Int, FormParameters) -> Script) { self.answers = answers }

    func answer(_ request: Request) -> Script {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard case .data(let body) = request.body else { return .json("{}", status: .badRequest) }
        return answers(number, FormParameters(parsing: String(decoding: body, as: UTF8.self)))
    }

    var requests: Int { count.withLock { $0 } }

    static func token(_ text: String, life: Int = 3600, refresh: String? = nil) -> Script {
        .json(
            #"{"access_token":"\#(text)","token_type":"Bearer","expires_in":\#(life)"#
                + (refresh.map { #","refresh_token":"\#($0)"}"# } ?? "}"))
    }

    static func error(_ code: String, _ description: String? = nil) -> Script {
        .json(
            #"{"error":"\#(code)""# + (description.map { #","error_description":"\#($0)"}"# } ?? "}"), status: .badRequest)
    }
}

extension RunnerBench {
    /// A shop whose requests need a token; `auth.example` gives them.
    static func oauth(
        _ oauth2: String, prompter: (any Prompter)? = nil, environment: [String: String] = ["PATH": "/usr/bin:/bin"],
        server: TokenServer, shop: @escaping @Sendable (Request) -> Script = { _ in .json("{}") }
    ) throws -> RunnerBench {
        try RunnerBench(
            """
            defaults:
              auth:
                oauth2: { token-url: "https://auth.example/token", client-id: shop, \(oauth2) }
            requests:
              orders: { get: http://shop/orders }
            """, prompter: prompter, environment: environment
        ) { $0.url.host() == "auth.example" ? server.answer($0) : shop($0) }
    }

    /// What the shop was sent as `Authorization`.
    var authorizations: [String?] {
        transport.requests.filter { $0.url.host() == "shop" }.map { $0.headers[.authorization] }
    }
}
