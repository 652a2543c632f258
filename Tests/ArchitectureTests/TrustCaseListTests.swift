import Foundation
import Testing

/// `Tests/trust-cases.txt`: no case is forgotten, and none is held by a test that is gone.
@Suite struct TrustCaseListTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    @Test func `each case names tests that are there, or says why there is none`() throws {
        let text = try String(contentsOf: Self.tests.appending(path: "trust-cases.txt"), encoding: .utf8)
        let known = try names()
        var cases: [(number: Int, isHeld: Bool)] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if let number = line.split(separator: " ").first.flatMap({ Int($0) }) {
                cases.append((number, false))
                continue
            }
            let named = line.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
                .map { String($0.element) }
            for name in named { #expect(known.contains(name), "\(cases.last?.number ?? 0): `\(name)`") }
            #expect(!named.isEmpty || line.hasPrefix("  - "), "\(line)")
            if !cases.isEmpty { cases[cases.count - 1].isHeld = true }
        }
        #expect(cases.map(\.number) == Array(1...54))
        #expect(cases.filter { !$0.isHeld }.map(\.number) == [])
    }

    /// What stands between the backticks of functions.
    private func names() throws -> Set<String> {
        var names: Set<String> = []
        for case let file as String in FileManager.default.enumerator(atPath: Self.tests.path) ?? .init()
        where file.hasSuffix(".swift") {
            let text = try String(contentsOf: Self.tests.appending(path: file), encoding: .utf8)
            for piece in text.components(separatedBy: "func `").dropFirst() {
                if let name = piece.split(separator: "`", omittingEmptySubsequences: false).first { names.insert(String(name)) }
            }
        }
        return names
    }
}
