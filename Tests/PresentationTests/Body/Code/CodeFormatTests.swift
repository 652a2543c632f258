import FoundationEssentials
import TerminalUI
import Testing

@testable import Presentation

@Suite struct `The colours of code` {
    /// `key:name` for each piece that isn't plain, by line.
    private func roles(_ text: String, _ kind: BodyKind) -> [String] {
        let document = BodyDocument(BodyBytes(Data(text.utf8)), kind: kind)
        document.extendIndexToEnd()
        return document.lines(0..<document.lineCount.lines, columns: 0..<200).map { line in
            line.spans.filter { $0.role != .text && $0.role != .syntaxPunctuation }.map { "\($0.role.short):\($0.text)" }
                .joined(separator: " ")
        }
    }

    @Test func `YAML has keys, words, numbers, texts and comments`() {
        let text = """
            # a shop
            name: "the shop" # here
            open: true
            - price: 12.5
              'odd key': plain text, more
            url: http://example.org/#top
            { a: 1, b: no }
            """
        #expect(
            roles(text, .yaml) == [
                "comment:# a shop", "key:name string:\"the shop\" comment:# here", "key:open keyword:true",
                "key:price number:12.5", "key:'odd key' string:plain text string:more",
                "key:url string:http://example.org/#top", "key:a number:1 key:b keyword:no",
            ])
    }

    @Test func `a style sheet has properties, sizes, rules and comments over lines`() {
        let text = """
            @media print { /* one
            two */ a { color: #fff; }
              margin: 12px 50% auto;
            """
        #expect(
            roles(text, .css) == [
                "keyword:@media comment:/* one", "comment:two */ key:color", "key:margin number:12px number:50%",
            ])
    }

    @Test func `JavaScript has words, strings, templates over lines and comments`() {
        let text = """
            const a = 'it\\'s' + 0x1F; // done
            let t = `one
            two` + "x";
            /* c */ return null
            """
        #expect(
            roles(text, .javaScript) == [
                "keyword:const string:'it\\'s' number:0x1F comment:// done", "keyword:let string:`one", "string:two` string:\"x\"",
                "comment:/* c */ keyword:return keyword:null",
            ])
    }

    @Test(arguments: [BodyKind.yaml, .css, .javaScript])
    func `no byte is lost or shown twice, whatever it is`(kind: BodyKind) {
        var seed: UInt64 = 7
        for _ in 0..<200 {
            let signs = Array("a:#/*'\"`\\-{}[],.%@$ 1é\n")
            let text = String(
                (0..<60).map { _ in
                    seed = seed &* 6_364_136_223_846_793_005 &+ 1
                    return signs[Int(seed >> 33) % signs.count]
                })
            let document = BodyDocument(BodyBytes(Data(text.utf8)), kind: kind)
            document.extendIndexToEnd()
            let shown = document.lines(0..<document.lineCount.lines, columns: 0..<200).map(\.text).joined(separator: "\n")
            #expect(shown == (text.hasSuffix("\n") ? String(text.dropLast()) : text), "\(text)")
        }
    }

    @Test(arguments: [
        ("text/css; charset=utf-8", BodyKind.css), ("text/javascript", .javaScript), ("application/yaml", .yaml),
        ("application/vnd.oai.openapi+yaml", .yaml),
    ])
    func `the type that is declared decides`(type: String, kind: BodyKind) {
        #expect(BodyKind(contentType: type, bytes: []) == kind)
    }
}

extension ThemeRole {
    fileprivate var short: String {
        let name = rawValue.hasPrefix("syntax") ? String(rawValue.dropFirst(6)) : rawValue
        return name.prefix(1).lowercased() + name.dropFirst()
    }
}
