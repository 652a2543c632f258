import FoundationEssentials
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite(.watchesEvents) struct CancelSourceTests {
    struct OutOfPaper: Error, CustomStringConvertible { let description = "out of paper" }

    private func cancelled(_ cancel: (RequestOperation) -> Void) async -> Response {
        let operation = RequestOperation(.get("http://a.test/"))
        cancel(operation)
        return await operation.response
    }

    @Test func `CAN-1 the error carries the source, both its descriptions and the cause`() async throws {
        let source = CancelSource("logout", localizedDescription: "Vous êtes déconnecté", underlyingError: .reset)
        let error = try #require(await cancelled { $0.cancel(source) }.error)
        #expect(
            error
                == NetworkError(
                    .cancelled, phase: .preparation, type: "abandoned", message: "Cancelled before it was enqueued (logout).",
                    cancelSource: source, underlying: .reset))
        #expect(error.cancelSource?.localizedDescription == "Vous êtes déconnecté")
        let sameByOtherWay = await cancelled {
            $0.cancel(CancelSource("logout", localizedDescription: "Vous êtes déconnecté"), underlying: NetworkError.reset)
        }
        #expect(sameByOtherWay.error == error)
    }

    @Test func `CAN-1 a plain cancel has TNL's text`() async {
        let response = await cancelled { $0.cancel() }
        #expect(response.error?.cancelSource == "`cancel` was called, with no reason given")
        #expect(response.error?.underlying == nil)
    }

    @Test func `CAN-1 a string is a source, whether it is written down or computed`() async {
        let name = "operation \(7)"
        #expect(await cancelled { $0.cancel(CancelSource(name)) }.error?.cancelSource == "operation 7")
        #expect(await cancelled { $0.cancel("operation 7") }.error?.cancelSource == CancelSource(name))
    }

    @Test func `CAN-1 an error is a source, and takes the place of code cancelled with itself`() async {
        let ours = await cancelled { $0.cancel(NetworkError.reset) }
        #expect(ours.error == .reset)
        #expect(ours.metrics.state == .cancelled)
        let foreign = await cancelled { $0.cancel(OutOfPaper()) }
        #expect(foreign.error == NetworkError(.other, phase: .queue, type: "unknown", message: "out of paper"))
        #expect(CancelSource(OutOfPaper()).localizedDescription == "out of paper")
    }

    @Test func `CAN-1 an error in place of code cancelled is never put to a retry policy`() async throws {
        let asked = Recorder<RetryContext>()
        let policy = ScriptedPolicy { context in
            asked.append(context)
            return .retry(after: .seconds(1), reason: "test")
        }
        let stage = try Stage()
        let operation = stage.enqueue { $0.retry = [policy] }
        _ = await stage.transport.transfer(0)
        operation.cancel(NetworkError.reset)
        let response = await operation.response
        #expect(response.error == .reset)
        #expect(response.metrics.attempts.map(\.error) == [.reset])
        #expect(asked.all.isEmpty)
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
    }

    @Test func `CAN-1 the first cancel wins, whatever the second brings`() async {
        let response = await cancelled {
            $0.cancel("the first")
            $0.cancel(NetworkError.reset)
            $0.cancel()
        }
        #expect(response.error?.code == .cancelled)
        #expect(response.error?.cancelSource == "the first")
    }

    @Test func `CAN-1 a queue's cancel hands on the cause to each operation`() async throws {
        let stage = try Stage()
        stage.queue.suspend()
        let operations = [stage.enqueue(), stage.enqueue()]
        stage.queue.cancelAll("logout", underlying: OutOfPaper())
        for operation in operations {
            let error = await operation.response.error
            #expect(error?.cancelSource?.description == "logout")
            #expect(error?.underlying?.error.message == "out of paper")
        }
    }

    @Test func `a source is kept and read back, also one that was kept when it had a description only`() throws {
        let whole = CancelSource(
            "logout", localizedDescription: "Vous êtes déconnecté", underlyingError: .reset, overrideError: .reset)
        let back = try JSONDecoder().decode(CancelSource.self, from: JSONEncoder().encode(whole))
        #expect(back == whole)
        let old = try JSONDecoder().decode(CancelSource.self, from: Data(#"{"description":"the user"}"#.utf8))
        #expect(old == "the user")
    }
}
