import TerminalUI
import Testing

@testable import Presentation

@Suite struct BodyFoldsTests {
    private let document = BodyDocument(#"{"a":[1,2,{"b":3}],"c":{},"d":[4]}"#, "application/json")
    // 0 {  1 "a": [  2 1,  3 2,  4 {  5 "b": 3  6 }  7 ],  8 "c": {},  9 "d": [  10 4  11 ]  12 }

    private func screen(_ folds: BodyFolds) -> [String] {
        document.extendIndexToEnd()
        return document.lines(0..<folds.rowCount(document.lineCount).lines, folds: folds, columns: 0..<60).map(\.text)
    }

    @Test func `objects and arrays with something inside can be folded`() {
        #expect(
            (0..<13).map { document.foldableLines(at: $0) } == [
                1..<13, 2..<8, nil, nil, 5..<7, nil, nil, nil, nil, 10..<12, nil, nil, nil,
            ])
    }

    @Test func `a folded container shows on one row with its size`() {
        var folds = BodyFolds()
        folds.toggle(1, in: document)
        #expect(
            screen(folds) == [
                "{", "  \"a\": [ 3 items ],", "  \"c\": {},", "  \"d\": [", "    4", "  ]", "}",
            ])
        folds.toggle(9, in: document)
        #expect(screen(folds) == ["{", "  \"a\": [ 3 items ],", "  \"c\": {},", "  \"d\": [ 1 item ]", "}"])
        #expect((0..<5).map { folds.line(ofRow: $0) } == [0, 1, 8, 9, 12])
        #expect((0..<13).map { folds.row(ofLine: $0) } == [0, 1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 3, 4])
    }

    @Test func `unfolding an outer container keeps the inner one folded`() {
        var folds = BodyFolds()
        folds.toggle(4, in: document)
        folds.toggle(1, in: document)
        folds.toggle(1, in: document)
        #expect(screen(folds)[4] == "    { \"b\": 3 }")
        folds.toggle(0, in: document)
        #expect(screen(folds) == [#"{ "a": […], "c": {}, "d": […] }"#])
        folds.reveal(5)
        #expect(folds.isEmpty)
        #expect(screen(folds).count == 13)
    }

    @Test func `a folded object shows its first members, and dots for what has no room`() {
        func folded(_ text: String) -> String? {
            let document = BodyDocument(text, "application/json")
            var folds = BodyFolds()
            folds.toggle(0, in: document)
            return document.lines(0..<1, folds: folds, columns: 0..<200).first?.text
        }
        #expect(folded(#"{"a":1,"b":{"c":[2]},"d":[]}"#) == #"{ "a": 1, "b": {…}, "d": [] }"#)
        let many = (0..<40).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
        #expect(folded("{\(many)}") == #"{ "m0": 0, "m1": 1, "m2": 2, "m3": 3, "m4": 4, "m5": 5, "m6": 6, … }"#)
        let long = (0..<100).map(String.init).joined(separator: ",")
        #expect(folded(#"{"a":[\#(long)],"b":1}"#) == #"{ "a": […] … }"#)
        #expect(folded("[\(long),[1,2],{}]") == "[ 102 items ]")
        #expect(BodyDocument("<a><b>1</b><c/></a>", "application/xml").foldedRoot == "<a> … </a>  3 lines")
    }

    @Test func `what is unfolded opens one level`() {
        var folds = BodyFolds()
        folds.toggle(0, in: document)
        folds.toggle(0, in: document)
        #expect(screen(folds) == ["{", "  \"a\": [ 3 items ],", "  \"c\": {},", "  \"d\": [ 1 item ]", "}"])
        folds.toggle(1, in: document)
        let opened = [
            "{", "  \"a\": [", "    1,", "    2,", "    { \"b\": 3 }", "  ],", "  \"c\": {},", "  \"d\": [ 1 item ]", "}",
        ]
        #expect(screen(folds) == opened)
        folds.toggle(4, in: document)
        folds.toggle(9, in: document)
        #expect(folds.isEmpty)
    }

    @Test func `folding what can't be folded changes nothing`() {
        var folds = BodyFolds()
        folds.toggle(2, in: document)
        folds.toggle(99, in: document)
        #expect(folds == BodyFolds())
    }

    @Test func `a container of a hundred thousand lines is skipped by blocks`() {
        let items = (0..<50_000).map { "{\"n\":\($0)}" }.joined(separator: ",")
        let large = BodyDocument("{\"items\":[\(items)],\"end\":1}", "application/json")
        #expect(large.foldableLines(at: 1) == 2..<150_003)
        #expect(large.foldableLines(at: 0) == 1..<150_005)
        #expect(large.foldableLines(at: 2) == 3..<5)
    }

    @Test(arguments: [
        #"{"a":[1,2,{"b":3}],"c":{},"d":[4]}"#, #"[[],[[1]],{},[{"a":{}}],2]"#, #"[[1],[2,[3"#, "[1]", "{}", "[[1]]",
    ])
    func `all members fold as they do one by one`(text: String) {
        let document = BodyDocument(text, "application/json")
        var all = BodyFolds()
        all.foldMembers(of: document)
        var single = BodyFolds()
        if let whole = document.foldableLines(at: 0) {
            var line = 1
            while line < min(whole.upperBound, document.lineCount.lines) {
                if document.foldableLines(at: line) != nil { single.toggle(line, in: document) }
                line = document.foldableLines(at: line)?.upperBound ?? line + 1
            }
        }
        let lines = 0..<document.lineCount.lines
        #expect(lines.map { all.lines(behind: $0) } == lines.map { single.lines(behind: $0) })
        #expect(lines.map { all.row(ofLine: $0) } == lines.map { single.row(ofLine: $0) })
        #expect(all.rowCount(document.lineCount) == single.rowCount(document.lineCount))
        #expect(all.isEmpty == single.isEmpty)
    }

    @Test func `a hundred thousand folded members are rows of their own`() {
        let items = (0..<100_000).map { "[\($0),0]" }.joined(separator: ",")
        let large = BodyDocument("[\(items)]", "application/json")
        var folds = BodyFolds()
        folds.foldMembers(of: large)
        #expect(folds.rowCount(large.lineCount).lines == 100_002)
        for row in [1, 2, 50_000, 100_000] {
            #expect(folds.line(ofRow: row) == 1 + (row - 1) * 4)
            #expect((0..<4).map { folds.row(ofLine: 1 + (row - 1) * 4 + $0) } == [row, row, row, row])
        }
        #expect(folds.row(ofLine: 400_001) == 100_001)
        #expect(folds.line(ofRow: 100_001) == 400_001)
    }

    @Test func `of the folded members each can be opened, folded again, and has folds of its own`() {
        var folds = BodyFolds()
        folds.foldMembers(of: document)
        #expect(screen(folds) == ["{", "  \"a\": [ 3 items ],", "  \"c\": {},", "  \"d\": [ 1 item ]", "}"])
        folds.toggle(1, in: document)
        #expect(screen(folds)[4] == "    { \"b\": 3 }")
        #expect(folds.lines(behind: 1) == nil)
        #expect(folds.lines(behind: 9) == 10..<12)
        folds.toggle(1, in: document)
        #expect(screen(folds) == ["{", "  \"a\": [ 3 items ],", "  \"c\": {},", "  \"d\": [ 1 item ]", "}"])
        folds.reveal(5)
        #expect(screen(folds).count == 11)
        folds.reveal(11)
        #expect(folds.isEmpty)
        #expect(screen(folds).count == 13)
    }

    @Test func `raw lines don't fold`() {
        #expect(document.inMode(.raw).foldableLines(at: 0) == nil)
    }
}

extension BodyDocument {
    fileprivate var foldedRoot: String? {
        var folds = BodyFolds()
        folds.toggle(0, in: self)
        return lines(0..<1, folds: folds, columns: 0..<80).first?.text
    }
}
