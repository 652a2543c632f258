import Foundation
import Testing

@testable import CommandLineInterface

@Suite struct HelpOverviewTests {
    @Test func `paragraphs are broken once, and what an example does stays in its column`() {
        let text = """
            A run is a plan. What a request needs
            is sent first.

            Examples:
              run --plan           what it would send, in which order
              run a b c
              run a very long command with many words  too little room
            """
        #expect(
            HelpOverview.lines(of: text, width: 44) == [
                "A run is a plan. What a request needs is", "sent first.", "", "Examples:",
                "  run --plan           what it would send,",
                "                       in which order", "  run a b c", "  run a very long command with many words",
                "      too little room",
            ])
        #expect(HelpOverview.lines(of: "a b", width: 1) == ["a", "b"])
        #expect(HelpOverview.lines(of: "", width: 40) == [""])
    }

    @Test(arguments: [["run"], ["history", "show"], ["check"], ["import"], []])
    func `no help has a line that is broken twice`(words: [String]) async {
        for columns in ["60", "80", "132"] {
            let help = await CommandLineRun.run(words + ["--help"], environment: ["COLUMNS": columns])
            #expect(help.status == .success)
            let overview = help.output.components(separatedBy: "\n\nUSAGE: ")[0].components(separatedBy: "\n")
            #expect(overview.allSatisfy { $0.count <= min(100, Int(columns)!) || $0.hasPrefix("  ") }, "\(overview)")
            for (line, next) in zip(overview, overview.dropFirst()) where !line.isEmpty && !next.isEmpty && !line.hasPrefix(" ") {
                guard !next.hasPrefix(" "), let word = next.split(separator: " ").first else { continue }
                #expect(line.count + 1 + word.count > min(100, Int(columns)!), "\(line) / \(next)")
            }
        }
    }
}
