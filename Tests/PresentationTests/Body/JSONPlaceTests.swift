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
            places.map { $0?.value } == [
                Self.text, #"[1,"t\"wo",{"b c":3}]"#, "1", "t\"wo", #"{"b c":3}"#, "3", #"{"b c":3}"#, #"[1,"t\"wo",{"b c":3}]"#,
                "{}", "[[true],[null]]", "[true]", "true", "[true]", "[null]", "null", "[null]", "[[true],[null]]", "x", Self.text,
            ])
    }

    @Test(arguments: ["7", " \"x\" ", "\u{FEFF}[1]"])
    func `is the whole at the outermost level`(text: String) {
        #expect(BodyDocument(text, "application/json").jsonPlace(ofLine: 0)?.path == ".")
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
