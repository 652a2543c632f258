import FoundationEssentials
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// Requests that hydration makes from nothing.
@Suite(.watchesEvents) struct HydratedRequestTests {
    private struct Maker: RequestHydrator {
        let made: Request?
        func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? { made }
    }

    private func response(_ delegate: RequestDelegate) async throws -> Response {
        let stage = try Stage(usesClientRoles: false) { _ in .respond() }
        return await stage.enqueue(.madeByHydrator, delegate: delegate).response
    }

    @Test func `HYD-1 a request that hydration makes needs no URL of its own`() async throws {
        let response = try await response(RequestDelegate(hydrator: Maker(made: .get("http://b.test/made"))))
        #expect(response.error == nil)
        #expect(response.info?.finalRequest == .get("http://b.test/made"))
    }

    @Test func `HYD-1 what nobody makes is error 206`() async throws {
        for delegate in [RequestDelegate(), RequestDelegate(hydrator: Maker(made: nil))] {
            let response = try await response(delegate)
            #expect(response.error?.code == .requestNotProvided)
            #expect(response.metrics.attempts.isEmpty)
        }
    }
}
