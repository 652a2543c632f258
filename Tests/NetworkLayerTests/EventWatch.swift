import NetworkLayer
import NetworkLayerTesting
import Testing

/// After each test of a suite: the events of every operation that a ``NetworkLayer/NetworkClient/watched()`` client had keep
/// ``EventRules`` (section 5.1 of the reference: pairs, one terminal event, nothing after it).
struct EventWatch: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal fileprivate static var recorder: EventRecorder?

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let recorder = EventRecorder()
        try await Self.$recorder.withValue(recorder) { try await function() }
        #expect(recorder.violationsSoFar == [])
    }
}

extension Trait where Self == EventWatch {
    static var watchesEvents: Self { EventWatch() }
}

extension NetworkClient {
    /// The client itself, with the recorder of ``EventWatch`` as its first observer.
    func watched(sourceLocation: SourceLocation = #_sourceLocation) -> NetworkClient {
        if let recorder = EventWatch.recorder {
            addObserver(recorder)
        } else {
            Issue.record("The suite needs the trait watchesEvents", sourceLocation: sourceLocation)
        }
        return self
    }
}
