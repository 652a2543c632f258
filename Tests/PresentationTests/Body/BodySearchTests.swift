import FoundationEssentials
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Presentation

@Suite struct BodySearchTests {
    private static let json = #"{"Name":"Ada","name":"ada","list":["x","ADA"]}"#

    private func matches(_ text: String, in document: BodyDocument, backwards: Bool = false) throws -> [BodyMatch] {
        let pattern = try #require(BodyPattern(text))
        var matches: [BodyMatch] = []
        var next = document.search(pattern, from: backwards ? document.bytes.count : 0, backwards: backwards)
        while let match = next, matches.count < 100 {
            matches.append(match)
            next = document.search(pattern, from: backwards ? match.bytes.lowerBound : match.bytes.upperBound, backwards: backwards)
        }
        return matches
    }

    @Test func `a pattern without capitals finds either case`() throws {
        let document = BodyDocument(Self.json, "application/json")
        #expect(
            try matches("ada", in: document) == [
                BodyMatch(bytes: 9..<12, line: 1, columns: 11..<14), BodyMatch(bytes: 22..<25, line: 2, columns: 11..<14),
                BodyMatch(bytes: 40..<43, line: 5, columns: 5..<8),
            ])
        #expect(try matches("Ada", in: document).map(\.bytes) == [9..<12])
        #expect(try matches("nothing", in: document) == [])
        #expect(BodyPattern("") == nil)
    }

    @Test func `backwards finds the same, the last first`() throws {
        let document = BodyDocument(Self.json, "application/json")
        for pattern in ["ada", "a", "\"", "Ada", "x"] {
            #expect(try matches(pattern, in: document, backwards: true) == matches(pattern, in: document).reversed())
        }
    }

    @Test func `a key with its value is found as it is shown`() throws {
        let document = BodyDocument(Self.json, "application/json")
        #expect(
            try matches("\"name\": \"ada\"", in: document) == [
                BodyMatch(bytes: 1..<13, line: 1, columns: 2..<15), BodyMatch(bytes: 14..<26, line: 2, columns: 2..<15),
            ])
    }

    @Test func `the next match comes around the end`() throws {
        let document = BodyDocument("a b a", "text/plain")
        let pattern = try #require(BodyPattern("a"))
        let first = try #require(document.search(pattern))
        let second = try #require(document.search(pattern, after: first))
        #expect([first, second].map(\.bytes) == [0..<1, 4..<5])
        #expect(document.search(pattern, after: second) == first)
        #expect(document.search(pattern, after: first, backwards: true) == second)
    }

    @Test func `matches show in their roles`() throws {
        let document = BodyDocument("one two one", "text/plain")
        let pattern = try #require(BodyPattern("one"))
        let current = try #require(document.search(pattern, from: 1))
        let line = document.lines(0..<1, columns: 1..<20, highlighting: pattern, current: current)[0]
        #expect(line == StyledLine([.init("ne", .searchMatch), .init(" two ", .text), .init("one", .searchMatchCurrent)]))
        let only = document.lines(0..<1, columns: 0..<20, current: current)[0]
        #expect(only == StyledLine([.init("one two ", .text), .init("one", .searchMatchCurrent)]))
    }

    @Test func `counting goes block by block and knows which match one is`() throws {
        let text = String(repeating: "some needle here ", count: 200_000)
        let document = BodyDocument(text, "text/plain")
        let pattern = try #require(BodyPattern("needle"))
        var tally = BodyTally(pattern)
        let hasMore = tally.advance(in: document)
        #expect(hasMore)
        #expect(!tally.isComplete)
        #expect(tally.count == 61_681)
        while tally.advance(in: document) {}
        #expect(tally.count == 200_000)
        #expect(tally.isComplete)
        let match = try #require(document.search(pattern, from: 17 * 150_000))
        #expect(tally.ordinal(of: match, in: document) == 150_001)
    }

    /// Against the obvious way, over needles of every length and places at every distance from a block's end.
    @Test(arguments: UInt64(1)...20)
    func `finds what a simple search finds`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let text = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in "abAB".utf8.randomElement(using: &generator)! }
        let needle = (0..<Int.random(in: 1..<6, using: &generator)).map { _ in "abAB".utf8.randomElement(using: &generator)! }
        for ignoresCase in [false, true] {
            func folded(_ bytes: [UInt8]) -> [UInt8] { ignoresCase ? bytes.map { $0 | 0x20 } : bytes }
            let expected = (0..<max(0, text.count - needle.count + 1)).filter {
                folded(Array(text[$0..<$0 + needle.count])) == folded(needle)
            }
            let search = ByteSearch(needle, ignoresCase: ignoresCase)
            var found: [Int] = []
            text.withUnsafeBufferPointer { buffer in
                var position = 0
                while position < buffer.count, let place = search.first(in: position..<buffer.count, of: buffer) {
                    found.append(place)
                    position = place + 1
                }
            }
            #expect(found == expected, "seed \(seed)")
        }
    }

    @Test func `a match is found across the slices of a large body`() throws {
        var bytes = [UInt8](repeating: 0x2E, count: (1 << 22) + 100)
        bytes.replaceSubrange((1 << 22) - 3..<(1 << 22) + 3, with: Array("needle".utf8))
        let document = BodyDocument(bytes: bytes, "text/plain")
        let pattern = try #require(BodyPattern("needle"))
        let match = BodyMatch(bytes: (1 << 22) - 3..<(1 << 22) + 3, line: 0, columns: (1 << 22) - 3..<(1 << 22) + 3)
        #expect(document.search(pattern) == match)
        #expect(document.search(pattern, from: bytes.count, backwards: true) == match)
        var tally = BodyTally(pattern)
        while tally.advance(in: document) {}
        #expect(tally.count == 1)
    }

    @Test func `a pattern of two forms doesn't look for the rare one again and again`() throws {
        let document = BodyDocument("[" + String(repeating: "{\"name\":\"ada\"},", count: 200_000) + "1]", "application/json")
        var tally = BodyTally(try #require(BodyPattern("\"name\": \"ada\"")))
        while tally.advance(in: document) {}
        #expect(tally.count == 200_000)
    }
}
