import FoundationEssentials
import Presentation
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `A view of a body` {
    private static let size = Size(columns: 10, rows: 4)

    private func document(_ text: String, _ mode: BodyMode = .pretty) -> BodyDocument {
        let document = BodyDocument(BodyBytes(Data(text.utf8)), contentType: "text/plain", mode: mode)
        document.extendIndexToEnd()
        return document
    }

    /// `a0`, `a1` …
    private func numbered(_ count: Int) -> BodyDocument {
        document((0..<count).map { "a\($0)" }.joined(separator: "\n"))
    }

    private func text(_ view: BodyViewState, _ document: BodyDocument) -> [String] {
        view.rows(of: document, in: Self.size).map(\.text.text)
    }

    @Test func `scrolls by lines and pages, and never past the last page`() {
        let document = numbered(10)
        var view = BodyViewState()
        view.move(.lines(2), in: document, size: Self.size)
        #expect(text(view, document) == ["a2", "a3", "a4", "a5"])
        view.move(.pages(1), in: document, size: Self.size)
        #expect(text(view, document) == ["a5", "a6", "a7", "a8"])
        view.move(.pages(9), in: document, size: Self.size)
        #expect(text(view, document) == ["a6", "a7", "a8", "a9"])
        view.move(.lines(-99), in: document, size: Self.size)
        #expect(text(view, document) == ["a0", "a1", "a2", "a3"])
        view.move(.end, in: document, size: Self.size)
        #expect(text(view, document) == ["a6", "a7", "a8", "a9"])
    }

    @Test func `finds lines behind the end of the index by itself`() {
        let document = BodyDocument(
            BodyBytes(Data((0..<100_000).map { "line \($0)\n" }.joined().utf8)), contentType: "text/plain")
        var view = BodyViewState()
        view.move(.lines(50_000), in: document, size: Self.size)
        #expect(text(view, document).first == "line 50000")
        view.move(.end, in: document, size: Self.size)
        #expect(text(view, document).last == "line 99999")
    }

    @Test func `wraps long lines into rows that scroll one by one`() {
        let document = document("short\n0123456789abcdefghijKLM\nlast\nend")
        var view = BodyViewState()
        view.wraps = true
        #expect(text(view, document) == ["short", "0123456789", "abcdefghij", "KLM"])
        view.move(.lines(2), in: document, size: Self.size)
        #expect(text(view, document) == ["abcdefghij", "KLM", "last", "end"])
        #expect(view.top == BodyPosition(line: 1, column: 10))
        view.move(.lines(1), in: document, size: Self.size)
        #expect(view.top == BodyPosition(line: 1, column: 10))
        view.move(.lines(-1), in: document, size: Self.size)
        #expect(text(view, document) == ["0123456789", "abcdefghij", "KLM", "last"])
    }

    @Test func `shows every row once on the way down and up again`() {
        let document = document((0..<40).map { String(repeating: "\($0 % 10)", count: $0 * 7 % 45) }.joined(separator: "\n"))
        var view = BodyViewState()
        view.wraps = true
        var down: [BodyPosition] = [view.top]
        for _ in 0..<300 {
            view.move(.lines(1), in: document, size: Self.size)
            if view.top != down.last { down.append(view.top) }
        }
        #expect(down == down.sorted())
        var up: [BodyPosition] = [view.top]
        for _ in 0..<300 {
            view.move(.lines(-1), in: document, size: Self.size)
            if view.top != up.last { up.append(view.top) }
        }
        #expect(up.reversed() == down)
        view.move(.end, in: document, size: Self.size)
        #expect(view.top == down.last)
    }

    @Test func `scrolls sideways as far as the longest line in sight`() {
        let document = document("0123456789abcdef\nx")
        var view = BodyViewState()
        view.moveSideways(by: 4, in: document, size: Self.size)
        #expect(text(view, document) == ["456789abcd", ""])
        view.moveSideways(by: 80, in: document, size: Self.size)
        #expect(text(view, document) == ["6789abcdef", ""])
        view.moveSideways(by: -80, in: document, size: Self.size)
        #expect(view.left == 0)
    }

    @Test func `goes round when it looks for the next match`() {
        let document = numbered(30)
        var view = BodyViewState()
        _ = view.find("a2", in: document, size: Self.size)
        #expect(view.search.current?.line == 2)
        #expect(view.matchCount(in: document)! == (1, 11))
        _ = view.findNext(backwards: false, in: document, size: Self.size)
        #expect(view.search.current?.line == 20)
        #expect(text(view, document).contains("a20"))
        _ = view.findNext(backwards: true, in: document, size: Self.size)
        _ = view.findNext(backwards: true, in: document, size: Self.size)
        #expect(view.search.current?.line == 29)
        #expect(view.matchCount(in: document)! == (11, 11))
        _ = view.find("", in: document, size: Self.size)
        #expect(view.search == BodyViewState.Search())
    }

    @Test func `brings a match at the right into sight`() {
        let document = document("\(String(repeating: "-", count: 50))here\nx")
        var view = BodyViewState()
        _ = view.find("here", in: document, size: Self.size)
        #expect(text(view, document)[0].contains("here"))
        _ = view.find("x", in: document, size: Self.size)
        #expect(view.left == 0)
    }

    @Test func `keeps its place when the form changes`() {
        let json = "[" + (0..<50).map { "[\($0)]" }.joined(separator: ",\n") + "]"
        let raw = BodyDocument(BodyBytes(Data(json.utf8)), contentType: "application/json", mode: .raw)
        var view = BodyViewState()
        view.mode = .raw
        view.move(.lines(20), in: raw, size: Self.size)
        let pretty = raw.inMode(.pretty)
        _ = view.change(to: pretty, from: raw, size: Self.size)
        #expect(text(view, pretty) == ["  [", "    20", "  ],", "  ["])
    }

    @Test func `numbers lines only when asked, and hex never`() {
        let document = numbered(30)
        var view = BodyViewState()
        #expect(view.gutter(of: document) == 0)
        view.showsNumbers = true
        #expect(view.gutter(of: document) == 4)
        #expect(view.gutter(of: document.inMode(.hex)) == 0)
    }
}
