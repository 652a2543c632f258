import Testing

@testable import RequestCollections

@Suite struct TemplateTests {
    private static func variable(_ name: String, _ offset: Int) -> Template.Segment {
        .expression(TemplateNode(expression: .variable(name), offset: offset))
    }

    @Test(
        arguments: [
            ("", []),
            ("no template { } here", [.text("no template { } here")]),
            ("{{host}}/x", [variable("host", 2), .text("/x")]),
            ("{{ host }}", [variable("host", 3)]),
            ("ä{{b}}{{c.d-e_f}}g", [.text("ä"), variable("b", 3), variable("c.d-e_f", 8), .text("g")]),
            ("{{\"{{\"}}x{{'}}'}}", [.text("{{x}}")]),
            ("{{\"a\\\"b\\\\\"}}", [.text("a\"b\\")]),
            ("{{größe}}", [variable("größe", 2)]),
            ("{ {a} }", [.text("{ {a} }")]),
        ] as [(String, [Template.Segment])])
    func `a template is texts and expressions`(text: String, segments: [Template.Segment]) throws {
        #expect(try Template(text).segments == segments)
    }

    private static func expression(_ text: String) throws -> TemplateExpression? {
        try Template("{{\(text)}}").onlyExpression?.expression
    }

    @Test(
        arguments: [
            ("12", .number("12")), ("-1.50", .number("-1.50")), ("+3", .number("3")), ("1..6", .range(1...6)),
            ("-5..-2", .range(-5 ... -2)), ("1h", .duration(.seconds(3600))), ("-1.5s", .duration(.milliseconds(-1500))),
            ("true", .boolean(true)), ("null", .null), ("[]", .list([])),
            (
                "[1, a]",
                .list([TemplateNode(expression: .number("1"), offset: 3), TemplateNode(expression: .variable("a"), offset: 6)])
            ),
            ("uuid()", .call(TemplateCall(function: .uuid))),
            (
                "response('login', \".a\", max-age: 1h)",
                .call(
                    TemplateCall(
                        function: .response,
                        arguments: [
                            "request": TemplateNode(expression: .string("login"), offset: 11),
                            "filter": TemplateNode(expression: .string(".a"), offset: 20),
                            "max_age": TemplateNode(expression: .duration(.seconds(3600)), offset: 35),
                        ]))
            ),
            (
                "a | default( base64(b) )",
                .call(
                    TemplateCall(
                        function: .default,
                        arguments: [
                            "value": TemplateNode(expression: .variable("a"), offset: 2),
                            "fallback": TemplateNode(
                                expression: .call(
                                    TemplateCall(
                                        function: .base64,
                                        arguments: ["text": TemplateNode(expression: .variable("b"), offset: 22)])), offset: 15),
                        ]))
            ),
            (
                "command('a', 'b')",
                .call(
                    TemplateCall(
                        function: .command,
                        rest: [
                            TemplateNode(expression: .string("a"), offset: 10), TemplateNode(expression: .string("b"), offset: 15),
                        ]))
            ),
        ] as [(String, TemplateExpression)])
    func `an expression is a literal, a variable or a call`(text: String, expression: TemplateExpression) throws {
        #expect(try Self.expression(text) == expression)
    }

    @Test func `a pipe is the first argument of what follows`() throws {
        let inner = TemplateNode(
            expression: .call(
                TemplateCall(function: .sha256, arguments: ["text": TemplateNode(expression: .variable("a"), offset: 2)])),
            offset: 2)
        #expect(
            try Self.expression("a | sha256 | base64()") == .call(TemplateCall(function: .base64, arguments: ["text": inner])))
    }

    @Test(
        arguments: [
            ("x{{host", 1, "`{{` has no `}}`; write `{{\"{{\"}}` for the braces themselves"),
            ("{{it's}}", 0, "`{{` has no `}}`; write `{{\"{{\"}}` for the braces themselves"),
            ("{{}}", 2, "`{{}}` is empty; write the name of a variable between the braces"),
            ("ab {{ uiid() }}", 6, "the function `uiid()` isn't known; did you mean `uuid`?"),
            (
                "{{x()}}", 2,
                "the function `x()` isn't known; there are uuid, now, timestamp, random, base64, sha256, hmac, env, file, command, prompt, select, response, item, default"
            ),
            ("{{a | defualt(\"x\")}}", 6, "the function `defualt()` isn't known; did you mean `default`?"),
            ("{{a | }}", 6, "the template ends too early: after `|` comes a function"),
            ("{{a b}}", 4, "`b` can't stand here: after a value comes `|` or `}}`"),
            ("{{\"a\" \"b\"}}", 6, "`\"b\"` can't stand here: after a value comes `|` or `}}`"),
            ("{{.a}}", 2, "`.a` can't stand here: a template takes a name, a text in quotes, a number or a function"),
            ("{{uuid(}}", 7, "the template ends too early: the function's `)` is missing"),
            ("{{[1}}", 4, "the template ends too early: the list's `]` is missing"),
            ("{{select('a' 'b')}}", 13, "`'b')` can't stand here: after an argument comes `,` or `)`"),
            ("{{3..1}}", 2, "`3..1` isn't a range of whole numbers, the smaller one first"),
            ("{{3 .. }}", 4, "`..` can't stand here: after a value comes `|` or `}}`"),
            ("{{5parsecs}}", 2, "`5parsecs` isn't a duration (200ms, 3s, 1m, 1h)"),
            ("{{01}}", 2, "`01` isn't a number"),
            ("{{uuid(1)}}", 7, "`uuid()` is given too much; it is written `uuid()`"),
            ("{{sha256()}}", 2, "`sha256()` lacks its `text`; it is written `sha256(text, encoding: \"hex\")`"),
            (
                "{{hmac('a')}}", 2,
                "`hmac()` lacks its `key`; it is written `hmac(text, key, algorithm: \"sha256\", encoding: \"hex\")`"
            ),
            ("{{response('a', max_agee: 1h)}}", 26, "`response()` takes no `max_agee`; did you mean `max_age`?"),
            (
                "{{now(zone: 1)}}", 12,
                "`now()` takes no `zone`; it is written `now(\"%Y-%m-%d\", offset: -1h)`"
            ),
            ("{{sha256(a, text: b)}}", 18, "`sha256()` is given `text` twice"),
        ])
    func `what isn't a template says why, and where`(text: String, offset: Int, sentence: String) {
        #expect(throws: TemplateError(sentence, at: offset)) { try Template(text) }
    }

    @Test func `functions in functions have an end`() {
        let text = "{{" + String(repeating: "base64(", count: 10_000) + "a" + String(repeating: ")", count: 10_000) + "}}"
        #expect(throws: TemplateError("functions and lists are nested more than 32 deep", at: 226)) { try Template(text) }
    }
}
