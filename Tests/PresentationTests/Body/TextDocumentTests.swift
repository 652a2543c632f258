import FoundationEssentials
import TerminalUI
import Testing

@testable import Presentation

@Suite struct TextDocumentTests {
    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\n", ["a", ""]), ("\na", ["", "a"]), ("a\r\nb\rc\n", ["a", "b␍c"]),
        ("a\tb\n\tc", ["a   b", "    c"]),
    ])
    func `lines end at LF, with or without CR`(text: String, lines: [String]) {
        #expect(BodyDocument(text, "text/plain").screen() == lines)
    }

    @Test func `what a terminal would obey is shown as signs`() {
        let document = BodyDocument("\u{1B}[2J\u{1B}]0;title\u{07}\u{0}\u{7F}\u{9B}31m\u{202E}abc\u{2066}", "text/plain")
        #expect(document.screen() == ["␛[2J␛]0;title␇␀␡‹U+009B›31m‹U+202E›abc‹U+2066›"])
        #expect(document.roles()[0].prefix(3) == ["controlCharacter:␛", "text:[2J", "controlCharacter:␛"])
    }

    @Test func `every byte that is no UTF-8 shows`() {
        let document = BodyDocument(bytes: [0x61, 0xFF, 0xC3, 0x62, 0xE2, 0x82, 0x63, 0xED, 0xA0, 0x80, 0xC0, 0xAF], "text/plain")
        #expect(
            document.roles() == [
                [
                    "text:a", "controlCharacter:\u{FFFD}\u{FFFD}", "text:b", "controlCharacter:\u{FFFD}\u{FFFD}", "text:c",
                    "controlCharacter:\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
                ]
            ])
    }

    @Test func `wide characters are never cut in two`() {
        let document = BodyDocument("a漢字b", "text/plain")
        #expect(document.lines(0..<1, columns: 0..<3).map(\.text) == ["a漢"])
        #expect(document.lines(0..<1, columns: 0..<4).map(\.text) == ["a漢 "])
        #expect(document.lines(0..<1, columns: 2..<6).map(\.text) == [" 字b"])
        #expect(document.columnCount(ofLine: 0) == 6)
    }

    @Test func `Latin-1 and windows-1252 are read as such`() {
        let document = BodyDocument(
            bytes: [0x47, 0x72, 0xFC, 0xDF, 0x65, 0x20, 0x80, 0x31, 0x81], "text/plain; charset=ISO-8859-1")
        #expect(document.screen() == ["Grüße €1\u{FFFD}"])
        #expect(document.summary == "text, 9 B, 1 line, ISO-8859-1")
    }

    @Test(arguments: [
        ("text/plain; charset=utf-16le", [0x61, 0x00, 0x3D, 0xD8, 0x00, 0xDE] as [UInt8], "a😀"),
        ("text/plain; charset=\"UTF-16BE\"", [0x00, 0x61, 0x00, 0xE4], "aä"),
        ("text/plain; charset='utf-16be'", [0x00, 0x61, 0x00, 0xE4], "aä"),
        ("text/plain", [0xFF, 0xFE, 0x61, 0x00], "a"), ("text/plain; charset=utf-8", [0xFE, 0xFF, 0x00, 0x61], "a"),
        ("text/plain; charset=utf-16le", [0x61, 0x00, 0x00, 0xD8, 0x62], "a\u{FFFD}\u{FFFD}"),
    ])
    func `UTF-16 by its name or its byte order mark`(type: String, bytes: [UInt8], text: String) {
        #expect(BodyDocument(bytes: bytes, type).screen() == [text])
    }

    @Test func `UTF-16 JSON is JSON`() {
        let bytes = Array("{\"a\":1}".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let document = BodyDocument(bytes: [0xFF, 0xFE] + bytes, "application/json")
        #expect(document.screen() == ["{", "  \"a\": 1", "}"])
        #expect(document.summary == "JSON, 16 B, 3 lines, UTF-16LE")
    }

    @Test func `any encoding that the system knows is read, and hex has what was sent`() {
        let document = BodyDocument(bytes: [0x83, 0x65, 0x61, 0x0A, 0x83], "text/plain; charset=Shift_JIS")
        #expect(document.screen() == ["テa", "\u{FFFD}"])
        #expect(document.summary == "text, 5 B, 2 lines, SHIFT_JIS")
        #expect(document.inMode(.hex).screen()[0].contains("83 65 61 0a 83"))
        #expect(document.inMode(.hex).inMode(.pretty).screen() == ["テa", "\u{FFFD}"])
        #expect(document.inMode(.hex).text == "テa\n\u{FFFD}")
    }

    @Test func `a part of a body leaves out the character that isn't complete`() {
        let bytes = BodyBytes(Data([0x61, 0x00, 0x0A, 0x00, 0x62]))
        let part = BodyDocument(bytes, contentType: "text/plain; charset=utf-16le", isPartial: true)
        #expect(part.screen() == ["a"])
    }

    @Test func `bytes of an image aren't read in an encoding`() {
        let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x83]
        let document = BodyDocument(bytes: bytes, "image/png; charset=Shift_JIS")
        #expect(document.kind == .binary)
        #expect(document.screen()[0].contains("89 50 4e 47"))
    }

    @Test func `a byte order mark of UTF-8 isn't text`() {
        #expect(BodyDocument("\u{FEFF}abc", "text/plain").screen() == ["abc"])
    }

    @Test func `a line of 100,000 characters shows any of its columns`() {
        let line = (0..<20_000).map { String(10_000 + $0) }.joined()
        let document = BodyDocument(line + "\nshort\n", "text/plain")
        #expect(document.lines(0..<2, columns: 99_990..<100_010).map(\.text) == ["2999829999", ""])
        #expect(document.lines(0..<2, columns: 50_000..<50_010).map(\.text) == ["2000020001", ""])
        #expect(document.lines(0..<2, columns: 0..<5).map(\.text) == ["10000", "short"])
        #expect(document.columnCount(ofLine: 0) == 100_000)
    }

    @Test func `a long line of wide characters shows any of its columns, in any order`() {
        let line = String(repeating: "漢字かな", count: 50_000)
        let document = BodyDocument(line, "text/plain")
        for _ in 0..<2 {
            for column in [399_992, 8, 200_000, 0] {
                #expect(document.lines(0..<1, columns: column..<column + 8).map(\.text) == ["漢字かな"])
            }
        }
        #expect(document.columnCount(ofLine: 0) == 400_000)
    }

    @Test func `events have fields, comments and JSON`() {
        let document = BodyDocument("event: tick\n: comment\ndata: {\"a\":1}\ndata:x\nretry\n\n", "text/event-stream")
        #expect(
            document.roles() == [
                ["syntaxKey:event", "syntaxPunctuation::", "text: ", "syntaxString:tick"],
                ["syntaxComment:: comment"],
                [
                    "syntaxKey:data", "syntaxPunctuation::", "text: ", "syntaxPunctuation:{", "syntaxKey:\"a\"",
                    "syntaxPunctuation::", "syntaxNumber:1", "syntaxPunctuation:}",
                ],
                ["syntaxKey:data", "syntaxPunctuation::", "syntaxString:x"],
                ["syntaxKey:retry"],
                [],
            ])
    }

    @Test func `a body in a file is mapped`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID()).txt").path(percentEncoded: false)
        try Data("one\ntwo\n".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(BodyDocument(try BodyBytes(mapping: path), contentType: "text/plain").screen() == ["one", "two"])
        try Data().write(to: URL(filePath: path))
        #expect(BodyDocument(try BodyBytes(mapping: path), contentType: "text/plain").screen() == [])
    }

    @Test func `a file that isn't there is an error that says what to do`() {
        let error = #expect(throws: BodyFileError.self) { try BodyBytes(mapping: "/nowhere/body") }
        #expect(
            error?.description
                == "can't read the body from /nowhere/body: No such file or directory; send the request again to fetch it anew")
    }

    @Test func `drawing and indexing go on at the same time`() async {
        let text = (0..<300_000).map { "line \($0)" }.joined(separator: "\n")
        let document = BodyDocument(text, "text/plain")
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    document.extendIndexToEnd()
                    return document.lineCount == .init(lines: 300_000, isExact: true)
                }
            }
            for start in stride(from: 0, to: 300_000, by: 29_989) {
                group.addTask { document.lines(start..<start + 1, columns: 0..<20).map(\.text) == ["line \(start)"] }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
