import CommandLineInterface
import Foundation
import Testing

/// The manual's page on messages has every way to fail, in the section of the status that it ends with.
@Suite struct TroubleshootingTests {
    /// The phrases of the page, in pieces between what differs, by status.
    private static let phrases: [Int32: [[String]]] = {
        let page = URL(filePath: #filePath).appending(path: "../../../../docs/troubleshooting.md").standardized
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        var phrases: [Int32: [[String]]] = [:]
        for section in text.components(separatedBy: "\n## ").dropFirst() {
            let lines = section.components(separatedBy: "\n")
            guard let status = lines[0].firstMatch(of: /status (\d+)/).flatMap({ Int32($0.1) }) else { continue }
            for line in lines where line.hasPrefix("| “") {
                let cell = line.dropFirst(2).prefix { $0 != "|" }
                // One that ends otherwise than its neighbours says so.
                let own = cell.firstMatch(of: /\(status (\d+)\)/).flatMap { Int32($0.1) }
                for phrase in cell.matches(of: /“([^”]+)”/) {
                    phrases[own ?? status, default: []].append(
                        phrase.1.components(separatedBy: "…").map { $0.trimmingCharacters(in: .whitespaces) })
                }
            }
        }
        return phrases
    }()

    @Test(arguments: FailureKind.all.filter { $0.status != 1 })
    func `each way to fail is explained where its status is`(kind: FailureKind) {
        let isExplained = (Self.phrases[kind.status] ?? []).contains { pieces in
            var rest = kind.sentence[...]
            for piece in pieces {
                guard let range = rest.firstRange(of: piece) else { return false }
                rest = rest[range.upperBound...]
            }
            return true
        }
        #expect(isExplained, "status \(kind.status): \(kind.sentence)")
    }

    @Test(arguments: [
        (["send", "-u", "ada", "http://127.0.0.1:9/"], "has no password"),
        (["run", "shop.yaml"], "There is no collection"),
    ])
    func `what is asked for wrongly is explained with status 2`(words: [String], phrase: String) async {
        let run = await CommandLineRun.run(words)
        #expect(run.status.rawValue == 2 && run.errors.contains(phrase), "\(run.errors)")
        #expect(Self.phrases[2]?.contains { $0.joined().hasPrefix(phrase) } == true)
    }
}
