import Foundation
import RequestCollections

@testable import CollectionRunner

/// Leave for what the tests themselves do: what lies behind the question is tested here, and the question in TrustTests.
extension Command {
    func run() async throws(CommandError) -> Data { try await run(.own) }
}

extension BodyFilter {
    func output(
        of body: Body, environment: [String: String], limits: Limits = Limits()
    ) async throws(BodyFilterError) -> Data {
        try await output(of: body, environment: environment, permit: .own, limits: limits, worker: QuestionWorker(program: nil))
    }
}

extension TrustKeeper {
    static var open: TrustKeeper { TrustKeeper(store: TrustStore(directory: nil), policy: .everything) }
}
