import FoundationEssentials
import TerminalUI
import Testing

@testable import Presentation

@Suite struct `The place of a line in JSON` {
    private static let text = #"{"a":[1,"t\"wo",{"b c":3}],"d":{},"e\u0301":[[true],[null]],"_f9":"x"}"#

    @Test func `is a path that jq takes, and the value there`() {
        let document = BodyDocument(Self.text, "application/json")
        let places = (0..<document.lineCountAtEnd).map { document.jsonPlace(ofLine: $0) }
        #expect(
            places.map { $0?.path } == [
                ".", ".a", ".a[0]", ".a[1]", ".a[2]", #".a[2]["b c"]"#, ".a[2]", ".a", ".d", #".["e\u0301"]"#, #".["e\u0301"][0]"#,
                #".["e\u0301"][0][0]"#, #".["e\u0301"][0]"#, #".["e\u0301"][1]"#, #".["e\u0301"][1][0]"#, #".["e\u0301"][1]"#,
                #".["e\u0301"]"#, "._f9", ".",
            ])
        #expect(
            places.map { place in place.flatMap { document.value(of: $0) } } == [
                Self.text, #"[1,"t\"wo",{"b c":3}]"#, "1", "t\"wo", #"{"b c":3}"#, "3", #"{"b c":3}"#, #"[1,"t\"wo",{"b c":3}]"#,
                "{}", "[[true],[null]]", "[true]", "true", "[true]", "[null]", "null", "[null]", "[[true],[null]]", "x", Self.text,
            ])
    }

    @Test(arguments: ["7", " \"x\" ", "\u{FEFF}[1]"])
    func `is the whole at the outermost level`(text: String) {
        #expect(BodyDocument(text, "application/json").jsonPlace(ofLine: 0)?.path == ".")
    }

    @Test func `is found in 3 MB as soon as its places are noted, from any line`() {
        let items = (0..<60_000).map { #"{"id":\#($0),"tags":["a","b \#($0)"],"x":null}"# }.joined(separator: ",")
        let document = BodyDocument(#"{"items":[\#(items)],"end":1}"#, "application/json")
        let last = document.lineCountAtEnd - 1
        #expect(document.jsonPlace(ofLine: last - 1) == nil)
        while document.extendPlaces() {}
        // Eight lines an item: {, "id", "tags", "a", "b", ], "x", }.
        let lines =
            [59_999, 3, 40_000, 39_999].flatMap { item in (0..<8).map { 2 + item * 8 + $0 } } + [1, last - 2, last - 1, last]
        let places = document.jsonPlaces(ofLines: lines)
        for (index, item) in [59_999, 3, 40_000, 39_999].enumerated() {
            let path = ".items[\(item)]"
            #expect(
                places[index * 8..<index * 8 + 8].map { $0?.path } == [
                    path, "\(path).id", "\(path).tags", "\(path).tags[0]", "\(path).tags[1]", "\(path).tags", "\(path).x", path,
                ])
        }
        #expect(places.suffix(4).map { $0?.path } == [".items", ".items", ".end", "."])
        #expect(places.suffix(4).map { $0?.isEnd } == [false, true, false, true])
        #expect(places[4].flatMap { document.value(of: $0) } == "b 59999")
        #expect(places[1].flatMap { document.value(of: $0) } == "59999")
        #expect(places.suffix(4).map { place in place.flatMap { document.value(of: $0, limit: 1 << 20) } } == [nil, nil, "1", nil])
    }

    @Test func `is told in one walk as line by line`() {
        let document = BodyDocument(Self.text, "application/json")
        let lines = Array(0..<document.lineCountAtEnd)
        #expect(document.jsonPlaces(ofLines: lines) == lines.map { document.jsonPlace(ofLine: $0) })
        #expect(document.jsonPlaces(ofLines: lines.reversed()) == lines.reversed().map { document.jsonPlace(ofLine: $0) })
    }

    @Test func `is nowhere in what isn't laid out as one JSON value`() {
        #expect(BodyDocument("<a>1</a>", "application/xml").jsonPlace(ofLine: 0) == nil)
        #expect(BodyDocument("[1,", "application/json").jsonPlace(ofLine: 1) == nil)
        #expect(BodyDocument("[1]", "application/json").inMode(.raw).jsonPlace(ofLine: 0) == nil)
        #expect(BodyDocument("[1]", "application/json").jsonPlace(ofLine: 3) == nil)
    }
}

extension BodyDocument {
    fileprivate var lineCountAtEnd: Int {
        extendIndexToEnd()
        return lineCount.lines
    }
}
