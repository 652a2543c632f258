import Testing

@testable import RequestCollections

@Suite struct TemplateTests {
    @Test(
        arguments: [
            ("", []),
            ("no template { } here", [.text("no template { } here")]),
            ("{{host}}/x", [.variable("host"), .text("/x")]),
            ("{{ host }}", [.variable("host")]),
            ("a{{b}}{{c.d-e_f}}g", [.text("a"), .variable("b"), .variable("c.d-e_f"), .text("g")]),
            ("{{\"{{\"}}x{{'}}'}}", [.text("{{x}}")]),
            ("{{\"a\\\"b\\\\\"}}", [.text("a\"b\\")]),
            ("{{größe}}", [.variable("größe")]),
            ("{ {a} }", [.text("{ {a} }")]),
        ] as [(String, [Template.Segment])])
    func `a template is texts and variables`(text: String, segments: [Template.Segment]) throws {
        #expect(try Template(text).segments == segments)
    }

    @Test(
        arguments: [
            ("{{host", "`{{` has no `}}`; write `{{\"{{\"}}` for the braces themselves"),
            ("{{it's}}", "`{{` has no `}}`; write `{{\"{{\"}}` for the braces themselves"),
            ("{{}}", "`{{}}` is empty; write the name of a variable between the braces"),
            ("{{uuid()}}", "the function `uuid()` isn't known; a template takes the name of a variable or a text in quotes"),
            (
                "{{a | default(\"x\")}}",
                "the function `default()` isn't known; a template takes the name of a variable or a text in quotes"
            ),
            ("{{a b}}", "`{{a b}}` isn't the name of a variable: those take letters, digits, `_`, `-` and `.`"),
            ("{{1}}", "`{{1}}` isn't the name of a variable: those take letters, digits, `_`, `-` and `.`"),
            ("{{\"a\" \"b\"}}", "`{{\"a\" \"b\"}}` isn't one text in quotes"),
        ])
    func `what isn't a template says why`(text: String, sentence: String) {
        #expect(throws: TemplateError(sentence)) { try Template(text) }
    }
}
