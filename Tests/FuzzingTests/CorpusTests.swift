import Dispatch
import Foundation
import Synchronization
import Testing

/// What the fuzzer starts from, and what it has found: each file goes through its target.
@Suite struct CorpusTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    struct Input: CustomTestStringConvertible {
        var target: FuzzTarget
        var name: String

        var testDescription: String { "\(target.rawValue)/\(name)" }

        static let all: [Input] = FuzzTarget.allCases.flatMap { target in
            let folder = CorpusTests.corpus.appending(path: target.rawValue)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.sorted().map { Input(target: target, name: $0) }
        }
    }

    @Test(arguments: Input.all)
    func `no bytes break a rule`(input: Input) throws {
        let file = Self.corpus.appending(path: input.target.rawValue).appending(path: input.name)
        let bytes = try Array(Data(contentsOf: file))
        let result = Mutex<Result<Void, any Error>?>(nil)
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let end = Result { try input.target.run(bytes) }
            result.withLock { $0 = end }
            isOver.signal()
        }
        // For what hangs, not for slow machines.
        #expect(isOver.wait(timeout: .now() + 60) == .success, "it hangs")
        try result.withLock { $0 }?.get()
    }

    @Test func `every target has something to start from, and every folder a target`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path).filter { !$0.hasPrefix(".") }
        #expect(Set(folders) == Set(FuzzTarget.allCases.map(\.rawValue)))
        #expect(Set(Input.all.map(\.target)) == Set(FuzzTarget.allCases))
    }
}
