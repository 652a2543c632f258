import FoundationEssentials
import TerminalUI
import Testing

@testable import Presentation

@Suite struct JSONDocumentTests {
    private let type = "application/json"

    @Test func `JSON is indented, one member or element a line`() {
        let document = BodyDocument(#"{"id":1,"tags":["a","b"],"empty":{},"none":[ ],"deep":{"x":null}}"#, type)
        #expect(
            document.screen() == [
                "{",
                "  \"id\": 1,",
                "  \"tags\": [",
                "    \"a\",",
                "    \"b\"",
                "  ],",
                "  \"empty\": {},",
                "  \"none\": [],",
                "  \"deep\": {",
                "    \"x\": null",
                "  }",
                "}",
            ])
        #expect(document.failure == nil)
        #expect(document.summary == "JSON, 65 B, 12 lines")
    }

    @Test func `every lexeme has its role`() {
        let document = BodyDocument(#"{"a":"b","n":-1.5e3,"t":true}"#, type)
        #expect(
            document.roles() == [
                ["syntaxPunctuation:{"],
                ["text:  ", "syntaxKey:\"a\"", "syntaxPunctuation::", "text: ", "syntaxString:\"b\"", "syntaxPunctuation:,"],
                ["text:  ", "syntaxKey:\"n\"", "syntaxPunctuation::", "text: ", "syntaxNumber:-1.5e3", "syntaxPunctuation:,"],
                ["text:  ", "syntaxKey:\"t\"", "syntaxPunctuation::", "text: ", "syntaxKeyword:true"],
                ["syntaxPunctuation:}"],
            ])
    }

    @Test func `lexemes are shown as they were sent: big numbers, duplicate keys, escapes`() {
        let document = BodyDocument(#"{"a":12345678901234567890.10,"a":1E400,"\u0041\/":"\u00e9\n"}"#, type)
        #expect(
            document.screen() == [
                "{", "  \"a\": 12345678901234567890.10,", "  \"a\": 1E400,", #"  "\u0041\/": "\u00e9\n""#, "}",
            ])
    }

    @Test(arguments: [
        ("1", ["1"]), ("\"x\"", ["\"x\""]), (" null ", ["null"]), ("[]", ["[]"]), ("{ }", ["{}"]), ("", []), (" \n\t ", []),
        ("\u{FEFF}[1]", ["[", "  1", "]"]),
    ])
    func `the smallest documents have their lines`(text: String, lines: [String]) {
        let document = BodyDocument(text, type)
        #expect(document.screen() == lines)
        #expect(document.failure == nil)
    }

    @Test(arguments: [
        ("[1,]", ["[", "  1,", "not valid JSON at byte 3: expected a value, found ]", "]"]),
        ("[1 2]", ["[", "  1", "not valid JSON at byte 3: expected , or ], found 2", "2]"]),
        ("{\"a\" 1}", ["{", "  \"a\"", "not valid JSON at byte 5: expected a colon behind the key, found 1", "1}"]),
        ("{a:1}", ["{", "not valid JSON at byte 1: expected a key in quotes, found a", "a:1}"]),
        ("[tru]", ["[", "not valid JSON at byte 1: expected a value, found t", "tru]"]),
        ("{\"a\":tru}", ["{", "  \"a\": ", "not valid JSON at byte 5: expected a value, found t", "tru}"]),
        ("[01]", ["[", "  0", "not valid JSON at byte 2: expected , or ], found 1", "1]"]),
        ("[1.]", ["[", "not valid JSON at byte 3: a number goes on with ]", "1.]"]),
        ("[-]", ["[", "not valid JSON at byte 2: a number goes on with ]", "-]"]),
        ("[1e+]", ["[", "not valid JSON at byte 4: a number goes on with ]", "1e+]"]),
        ("[\"\\x\"]", ["[", "not valid JSON at byte 3: a string contains a wrong escape", "\"\\x\"]"]),
        ("[\"\\u12g4\"]", ["[", "not valid JSON at byte 6: a string contains a wrong escape", "\"\\u12g4\"]"]),
        ("[\"a\tb\"]", ["[", "not valid JSON at byte 3: a string contains byte 0x09, which must be escaped", "\"a  b\"]"]),
        ("[\"abc", ["[", "not valid JSON at byte 5: a string has no closing quote", "\"abc"]),
        ("[1}", ["[", "  1", "not valid JSON at byte 2: expected , or ], found }", "}"]),
        ("{} x", ["{}", "not valid JSON at byte 3: expected the end, found x", "x"]),
        ("]", ["not valid JSON at byte 0: expected a value, found ]", "]"]),
        ("<html>\n</html>", ["not valid JSON at byte 0: expected a value, found <", "<html>", "</html>"]),
        ("[", ["[", "not valid JSON at byte 1: it ends inside of an array"]),
        ("{\"a\":[1,", ["{", "  \"a\": [", "    1,", "not valid JSON at byte 8: it ends inside of an array, 2 levels deep"]),
        ("{\"a\":", ["{", "  \"a\": ", "not valid JSON at byte 5: it ends inside of an object"]),
        ("[1,\n2\n\n,x\ny", ["[", "  1,", "  2,", "not valid JSON at byte 8: expected a value, found x", "x", "y"]),
    ])
    func `what isn't JSON is shown as far as it goes, and then as it was sent`(text: String, lines: [String]) {
        let document = BodyDocument(text, type)
        #expect(document.screen() == lines)
        #expect(document.failure != nil)
        #expect(document.summary.hasSuffix(", not valid JSON"))
    }

    @Test func `100,000 nested arrays are neither slow nor deep on the stack`() {
        let depth = 100_000
        let document = BodyDocument(String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth), type)
        document.extendIndexToEnd()
        #expect(document.lineCount == .init(lines: depth * 2 + 1, isExact: true))
        #expect(document.failure == nil)
        // Behind 64 levels the indent stops growing.
        #expect(document.lines(depth..<depth + 1, columns: 0..<200).map(\.text) == [String(repeating: " ", count: 128) + "1"])
        #expect(document.lines(depth * 2..<depth * 2 + 1, columns: 0..<9).map(\.text) == ["]"])
    }

    @Test func `100,000 open arrays are noted as cut off`() {
        let document = BodyDocument(String(repeating: "[", count: 100_000), type)
        document.extendIndexToEnd()
        #expect(document.failure?.reason == "it ends inside of an array, 100000 levels deep")
        #expect(document.lineCount.lines == 100_001)
    }

    @Test func `the index grows as lines are asked for, and says that there are more`() {
        let items = (0..<200_000).map(String.init).joined(separator: ",")
        let document = BodyDocument("[\(items)]", type)
        #expect(document.lineCount == .init(lines: 0, isExact: false))
        #expect(document.lines(0..<3, columns: 0..<20).map(\.text) == ["[", "  0,", "  1,"])
        let partial = document.lineCount
        #expect(!partial.isExact)
        #expect(partial.lines > 3)
        #expect(document.summary == "JSON, 1.3 MB, \(Figures.count(partial.lines))+ lines")
        #expect(document.lines(150_000..<150_001, columns: 0..<20).map(\.text) == ["  149999,"])
        document.extendIndexToEnd()
        #expect(document.lineCount == .init(lines: 200_002, isExact: true))
        #expect(document.lines(200_000..<300_000, columns: 0..<20).map(\.text) == ["  199999", "]"])
        #expect(document.lines(300_000..<300_010, columns: 0..<20) == [])
    }

    @Test func `raw mode keeps the lines as sent and colours them`() {
        let document = BodyDocument("{\"a\" : 1 ,\r\n \"b\":[true]}\n", type, mode: .raw)
        #expect(
            document.roles() == [
                [
                    "syntaxPunctuation:{", "syntaxKey:\"a\"", "text: ", "syntaxPunctuation::", "text: ", "syntaxNumber:1", "text: ",
                    "syntaxPunctuation:,",
                ],
                [
                    "text: ", "syntaxKey:\"b\"", "syntaxPunctuation::[", "syntaxKeyword:true", "syntaxPunctuation:]}",
                ],
            ])
        #expect(document.text(of: 0..<2) == "{\"a\" : 1 ,\r\n \"b\":[true]}\n")
    }

    @Test func `JSON lines stay on their lines`() {
        let document = BodyDocument("{\"a\":1}\n{\"a\":2}\n", "application/x-ndjson")
        #expect(document.screen() == ["{\"a\":1}", "{\"a\":2}"])
        #expect(document.kind == .jsonLines)
    }

    @Test func `values behind one another are laid out one by one`() {
        let document = BodyDocument(BodyBytes(Data("1\n{\"a\":[]}\n\n\"x\"\n[2]".utf8)), kind: .jsonValues)
        document.extendIndexToEnd()
        #expect(document.failure == nil)
        #expect(document.text(of: 0..<document.lineCount.lines) == "1\n{\n  \"a\": []\n}\n\"x\"\n[\n  2\n]\n")
    }

    @Test func `copied lines are indented text`() {
        let document = BodyDocument(#"{"a":[1,2]}"#, type)
        #expect(document.text(of: 1..<4) == "  \"a\": [\n    1,\n    2\n")
    }

    @Test func `lines know their bytes, and bytes their lines`() {
        let document = BodyDocument(#"{"a":[1,2]}"#, type)
        #expect((0..<6).map { document.bytes(ofLine: $0) } == [0..<1, 1..<6, 6..<8, 8..<9, 9..<10, 10..<11])
        #expect((0..<11).map { document.line(containing: $0) } == [0, 1, 1, 1, 1, 1, 2, 2, 3, 4, 5])
    }

    /// In the manner of JSONTestSuite (Nicolas Seriot, "Parsing JSON is a minefield"): what RFC 8259 allows.
    @Test(arguments: [
        "[[]   ]", "[\"\"]", "[]", "[false]", "[null, 1, \"1\", {}]", "[null]", "[1\n]", " [1]", "[1,null,null,null,2]", "[2] ",
        "[123e65]", "[0e+1]", "[0e1]", "[ 4]", "[-0.000000000000000000000000000001]", "[20e1]", "[-0]", "[-123]", "[-1]",
        "[1E22]", "[1E-2]", "[1E+2]", "[123e45]", "[123.456e78]", "[1e-2]", "[123.456789]", "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}",
        "{\"a\":\"b\",\"a\":\"b\"}", "{\"\":0}", "{\"foo\\u0000bar\": 42}", "{\n\"a\": \"b\"\n}", "[\"\\u0060\\u012a\\u12AB\"]",
        "[\"\\uD801\\udc37\"]", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\\\\u0000\"]", "[\"\\uDFAA\"]", "[\"a/*b*/c/*d//e\"]",
        "[\"\u{7F}\"]", "[\"⍂㈴⍂\"]", "\"\"", "42", "-0.1", "true", "[true]", "[\"\u{2028}\"]", "[1e9999]", "[\"\\uD800\"]",
    ])
    func `what is JSON has no note`(text: String) {
        let document = BodyDocument(text, type)
        document.extendIndexToEnd()
        #expect(document.failure == nil)
    }

    @Test(arguments: [
        "[1 true]", "[a\u{E5}]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]", "[\"\",]", "[\"x\"", "[x",
        "[3[4]]",
        "[1:2]", "[,]", "[-]", "[   , \"\"]", "[\"a\",\n4\n,1,", "[1,]", "[*]", "[1,\n1\n,1", "[{}", "[fals]", "[nul]", "[tru]",
        "[++1234]", "[+1]", "[+Inf]", "[-01]", "[-1.0.]", "[-2.]", "[-NaN]", "[.-1]", "[.2e-3]", "[0.1.2]", "[0.3e+]", "[0.3e]",
        "[0.e1]", "[0E]", "[1.0e-]", "[1 000.0]", "[1eE2]", "[2.e+3]", "[9.e+]", "[Inf]", "[NaN]", "[0x1]", "[0x42]", "[Infinity]",
        "[-Infinity]", "[-foo]", "[- 1]", "[-012]", "[-.123]", "[1.]", "[.123]", "[1.2a-3]", "[1.8011670033376514H-308]", "[012]",
        "[\"x\", truth]", "{[: \"x\"}\n", "{\"x\", null}", "{\"x\"::\"b\"}", "{🇨🇭}", "{\"a\":\"a\" 123}", "{key: 'value'}",
        "{\"a\" b}", "{:\"b\"}", "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{9999E9999:1}", "{null:null,null:null}",
        "{\"id\":0,,,,,}",
        "{'a':0}", "{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\",,\"c\":\"d\"}", "{a: \"b\"}", "{\"a\":\"a",
        "{ \"foo\" : \"bar\", \"a\" }",
        "{\"a\":\"b\"}#", "[\"\\uD800\\\"]", "[\"\\uD800\\u\"]", "[\"\\uD800\\u1x\"]", "[\u{E9}]", "[\"\\x00\"]", "[\"\\\\\\\"]",
        "[\"\\\t\"]",
        "[\"\\🌀\"]", "[\"\\\"]", "[\"\\a\"]", "[\"\\uqqqq\"]", "[\\u0020\"asd\"]", "[\\n]", "\"", "['single quote']", "abc",
        "[\"new\nline\"]", "\"\\UA66D\"", "\"\"x", "[\u{2060}]", "<.>", "[<null>]", "[1]x", "[1]]", "[\"asd]", "a\u{E5}", "[True]",
        "1]",
        "{\"x\": true,", "[][]", "]", "{\"\":", "{}}", "{\"\":[", "*", "{\"a\":\"b\"}#{}", "[\"\\u000\"", "[1\u{C}]", "2@", "{}}",
        "{,", "{\"a",
        "[\\", "\u{200B}[]", "[\"\u{0}\"]", "1 2", "nullx",
    ])
    func `what isn't JSON has one`(text: String) {
        let document = BodyDocument(text, type)
        document.extendIndexToEnd()
        #expect(document.failure != nil)
    }
}
