import Foundation
import Testing

/// Every test that sends something looks at what happened as a whole, too: pairs, one terminal event, nothing after it.
@Suite struct WatchedClientsTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: ["NetworkLayerTests", "CurlTransportTests", "MockTransportTests"])
    func `a file of tests that makes a client holds its events against the rules`(folder: String) throws {
        let place = Self.tests.appending(path: folder)
        let files = FileManager.default.enumerator(atPath: place.path)?.compactMap { $0 as? String } ?? []
        var seen = 0
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: place.appending(path: file), encoding: .utf8)
            guard text.contains("RequestOperationQueue(") || text.contains("defaultQueue") else { continue }
            seen += 1
            #expect([".watched()", "EventRecorder", "EventRules"].contains { text.contains($0) }, "\(folder)/\(file)")
        }
        #expect(seen > 0)
    }
}
