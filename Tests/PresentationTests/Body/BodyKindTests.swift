import Testing

@testable import Presentation

@Suite struct BodyKindTests {
    @Test(arguments: [
        ("application/json", BodyKind.json), ("Application/JSON ; charset=utf-8", .json), ("application/problem+json", .json),
        ("application/x-ndjson", .jsonLines), ("text/xml", .xml), ("image/svg+xml", .xml), ("application/xhtml+xml", .xml),
        ("text/html", .html), ("text/event-stream", .eventStream), ("text/csv", .text), ("application/javascript", .javaScript),
        ("application/x-www-form-urlencoded", .text), ("image/png", .binary), ("application/pdf", .binary),
    ])
    func `a declared type decides`(type: String, kind: BodyKind) {
        #expect(BodyKind(contentType: type, bytes: []) == kind)
    }

    @Test(arguments: [
        ("{\"a\":1}", BodyKind.json), (" [1]", .json), ("{}", .json), ("{ not json", .text), ("[note] text", .text),
        ("<!DOCTYPE html><p>", .html), ("<HTML>", .html), ("<?xml version='1.0'?>", .xml), ("<feed/>", .xml), ("< 5", .text),
        ("plain", .text), ("", .text), ("a\u{0}b", .binary), ("\u{1}\u{2}\u{3}", .binary), ("\u{1B}[31mred\u{1B}[0m", .text),
        ("[2026-11-20 22:14:07] started\nand so on", .text), ("{\"a\":1}\n{\"a\":2}\n", .jsonLines), ("{\"cut\": [1, ", .json),
        ("{\"a\": tru}", .text),
    ])
    func `without one, the first bytes do`(text: String, kind: BodyKind) {
        for type in [nil, "application/octet-stream", "x/unknown"] {
            #expect(BodyDocument(text, type).kind == kind)
        }
    }

    @Test func `much that isn't UTF-8 is binary, a little isn't`() {
        #expect(BodyKind(sniffing: [0x89, 0x50, 0x4E, 0x47, 0xFF, 0xD8]) == .binary)
        #expect(
            BodyKind(sniffing: Array("Gr\u{FC}n".unicodeScalars.map { UInt8($0.value) }) + Array("ein langer Text".utf8)) == .text)
        // A character cut off by the end of what is looked at.
        #expect(BodyKind(sniffing: Array(repeating: 0x61, count: 1022) + [0xE2, 0x82]) == .text)
    }
}
