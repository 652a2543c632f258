import TerminalUI
import Testing

@testable import Presentation

@Suite struct MarkupDocumentTests {
    @Test func `XML is indented, short elements on one line`() {
        let document = BodyDocument(
            "<?xml version=\"1.0\"?><a x='1'><b>text</b><c/><d></d><!-- note --><e><f>1</f></e></a>", "application/xml")
        #expect(
            document.screen() == [
                "<?xml version=\"1.0\"?>", "<a x='1'>", "  <b>text</b>", "  <c/>", "  <d></d>", "  <!-- note -->", "  <e>",
                "    <f>1</f>", "  </e>", "</a>",
            ])
        #expect(document.kind == .xml)
    }

    @Test func `parts of a tag have roles`() {
        #expect(
            BodyDocument("<a x='1' y>t</a>", "text/xml").roles() == [
                [
                    "syntaxPunctuation:<", "syntaxTag:a", "text: ", "syntaxAttribute:x", "syntaxPunctuation:=", "syntaxString:'1'",
                    "text: ", "syntaxAttribute:y", "syntaxPunctuation:>", "text:t", "syntaxPunctuation:</", "syntaxTag:a",
                    "syntaxPunctuation:>",
                ]
            ])
    }

    @Test func `what spans lines keeps them`() {
        let document = BodyDocument("<a><b\n  x='1>2'\n  y='2'>t</b><!-- one\n two --><![CDATA[<x>\n]]></a>", "application/xml")
        #expect(
            document.screen() == [
                "<a>", "  <b", "  x='1>2'", "  y='2'>", "    t", "  </b>", "  <!-- one", " two -->", "  <![CDATA[<x>", "]]>",
                "</a>",
            ])
    }

    @Test(arguments: ["<p>some <b>bold</b> text</p>", "<a xml:space=\"preserve\"><b/></a>"])
    func `where white space may matter XML stays as it was sent`(text: String) {
        #expect(BodyDocument(text, "application/xml").screen() == [text])
    }

    @Test(arguments: [
        ("<a", ["<a"]), ("<a><b", ["<a>", "  <b"]), ("</a></b>", ["</a>", "</b>"]), ("a < b", ["a", "< b"]), ("<", ["<"]),
        ("<a>x", ["<a>", "  x"]), ("<!-- never\nclosed", ["<!-- never", "closed"]), ("<a b='>", ["<a b='>"]), ("<>", ["<>"]),
        ("", []), ("  \n ", []),
        // Text of nothing but control characters was laid out again and again, for ever.
        ("<a>\u{1}\u{2} <b/></a>", ["<a>", "  ␁␂", "  <b/>", "</a>"]),
    ])
    func `broken XML is shown all the same`(text: String, lines: [String]) {
        #expect(BodyDocument(text, "application/xml").screen() == lines)
    }

    @Test(arguments: [BodyMode.pretty, .raw])
    func `HTML stays as it was sent; scripts aren't markup, and states go on across lines`(mode: BodyMode) {
        let text = "<!DOCTYPE html>\n<script>\nif (a < b) { x = '<b>' }\n</script>\n<!-- a\nb --><p class=big>&amp;</p>"
        let document = BodyDocument(text, "text/html; charset=utf-8", mode: mode)
        #expect(document.screen() == text.split(separator: "\n").map(String.init))
        #expect(
            document.roles() == [
                ["syntaxComment:<!DOCTYPE html>"],
                ["syntaxPunctuation:<", "syntaxTag:script", "syntaxPunctuation:>"],
                ["text:if (a < b) { x = '<b>' }"],
                ["syntaxPunctuation:</", "syntaxTag:script", "syntaxPunctuation:>"],
                ["syntaxComment:<!-- a"],
                [
                    "syntaxComment:b -->", "syntaxPunctuation:<", "syntaxTag:p", "text: ", "syntaxAttribute:class",
                    "syntaxPunctuation:=", "syntaxString:big", "syntaxPunctuation:>", "text:&amp;", "syntaxPunctuation:</",
                    "syntaxTag:p", "syntaxPunctuation:>",
                ],
            ])
    }

    @Test(arguments: [
        "", "<", "<>", "</", "<p", "<p class=\"", "<script>", "<script>var a", "<script></scr", "<pre>", "<pre>a\n\nb", "<!--",
        "<!",
        "</div></div>", "a\n\n b", "<textarea>\n</textarea", "<script>\n\n  </script", "<p>\u{1}\u{2} <div>", "<style></style x",
    ])
    func `broken HTML is shown all the same, and ends`(text: String) {
        let document = BodyDocument(text, "text/html")
        let lines = document.screen()
        #expect(lines.count <= text.utf8.count + 1)
        let shown = lines.joined().filter { !$0.isWhitespace }
        #expect(text.unicodeScalars.filter { $0.value > 0x20 }.allSatisfy { shown.unicodeScalars.contains($0) })
    }

    @Test func `100,000 nested elements are neither slow nor deep on the stack`() {
        let document = BodyDocument(String(repeating: "<a>", count: 100_000), "application/xml")
        document.extendIndexToEnd()
        #expect(document.lineCount == .init(lines: 100_000, isExact: true))
        #expect(document.lines(99_999..<100_000, columns: 126..<140).map(\.text) == ["  <a>"])
    }

    @Test func `a large document on one line is gone through once`() {
        let item = "<item id=\"1\"><name>x</name><!-- > --></item>"
        let document = BodyDocument("<r>" + String(repeating: item, count: 20_000) + "</r>", "application/xml")
        document.extendIndexToEnd()
        #expect(document.lineCount == .init(lines: 80_002, isExact: true))
        #expect(
            document.lines(79_997..<80_002, columns: 0..<30).map(\.text) == [
                "  <item id=\"1\">", "    <name>x</name>", "    <!-- > -->", "  </item>", "</r>",
            ])
    }

    @Test func `lines without any end of a tag are gone through once`() {
        let document = BodyDocument(String(repeating: "<a\n", count: 100_000), "application/xml")
        document.extendIndexToEnd()
        #expect(document.lineCount == .init(lines: 100_000, isExact: true))
    }
}
