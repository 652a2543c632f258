import NetworkLayer
import Testing

@testable import RequestCollections

@Suite struct DataRowsTests {
    /// `2: user=ada password=s3`
    private func rows(_ text: String, _ format: DataRows.Format) throws -> [String] {
        try DataRows(text, format).rows.map { row in
            "\(row.line): " + row.cells.map { "\($0.name)=\($0.value.text(pretty: false))" }.joined(separator: " ")
        }
    }

    @Test(
        arguments: [
            ("user,zip\nada,007\nbob,\n", [#"2: user="ada" zip="007""#, #"3: user="bob" zip="""#]),
            ("\u{FEFF}user;n\r\nada;1,5", [#"2: user="ada" n="1,5""#]),
            (
                "user\tnote\nada\t\"a \"\"b\"\",\nc\"\nbob\tx\n\n",
                [#"2: user="ada" note="a \"b\",\nc""#, #"4: user="bob" note="x""#]
            ),
            ("user\n", []), ("", []),
            ("a,b\r\n\"1\r\n2\",3", [#"2: a="1\r\n2" b="3""#]),
        ])
    func `CSV has names in its first row, and texts in the others`(text: String, expected: [String]) throws {
        #expect(try rows(text, .csv) == expected)
    }

    @Test func `JSON keeps its types`() throws {
        let row = #"{"user": "ada", "n": 1.50, "on": true, "all": [1], "no": null}"#
        let expected = #"user="ada" n=1.50 on=true all=[1] no=null"#
        #expect(try rows("[\(row)]", .json) == ["1: " + expected])
        #expect(try rows("\n\(row)\n\n\(row)\n", .jsonLines) == ["2: " + expected, "4: " + expected])
    }

    @Test func `members of a map are variables of their own`() throws {
        let row = try #require(try DataRows(#"[{"user": {"name": "ada", "n": [1]}}]"#, .json).rows.first)
        let numbers = JSONValue.array([.number("1")])
        #expect(row.values == ["user": ["name": "ada", "n": numbers], "user.name": "ada", "user.n": numbers])
    }

    @Test(
        arguments: [
            ("a,b\n1\n", .csv, 2, "this row has 1 cell, and the first one names 2 columns"),
            ("a,b\n1,2\n\"x\ny\",2,3\n", .csv, 3, "this row has 3 cells, and the first one names 2 columns"),
            ("a,a\n", .csv, 1, "the column `a` stands there twice"),
            ("a,,b\n", .csv, 1, "a column has no name"),
            ("a b\n", .csv, 1, "`a b` can't name a variable: it takes letters, digits, `_`, `-` and `.`, a letter or `_` first"),
            ("a\n\"x\n", .csv, 2, "the quote of a cell isn't closed"),
            ("a,b\n\"x\"y,2\n", .csv, 2, "after the closing quote there is more; a quote inside quotes is written twice"),
            ("{}", .json, 1, "this is not a list of maps in JSON"),
            ("[{}, 3]", .json, 2, "row 2 is not a map of variables and their values"),
            ("{}\n[]", .jsonLines, 2, "this line is not a map of variables and their values"),
            ("{}\n{", .jsonLines, 2, "this line is not JSON"),
            (
                #"[{"user": 1, "n": 2}, {"usr": 1, "n": 2}]"#, .json, 2,
                "row 2 has no `user`, and would take it from elsewhere; every row has all names, with `null` for no value"
            ),
            (
                #"[{"a": 1}, {"a": 1, "b": 2}]"#, .json, 2,
                "the first row has no `b`, and would take it from elsewhere; every row has all names, with `null` for no value"
            ),
            (#"{"user": 1, "user": 2}"#, .jsonLines, 1, "this line has `user` twice"),
            (
                #"{"user": "\ud800"}"#, .jsonLines, 1,
                "a text in this has half of a surrogate pair, such as `\\ud800`, which can't be sent; write both halves, or leave it out"
            ),
            (
                #"[{"user": "\ud800"}]"#, .json, 1,
                "a text in this has half of a surrogate pair, such as `\\ud800`, which can't be sent; write both halves, or leave it out"
            ),
        ] as [(String, DataRows.Format, Int, String)])
    func `what is no table is said with its line`(text: String, format: DataRows.Format, line: Int, message: String) {
        #expect(throws: DataRows.Problem(line: line, message: message)) { try DataRows(text, format) }
    }

    @Test(arguments: [
        ("users.csv", "[", DataRows.Format.csv), ("users.JSON", "a,b", .json), ("users.ndjson", "", .jsonLines),
        ("users", " [{}]", .json),
        ("users", "{}", .jsonLines), ("users.txt", "a,b", .csv),
    ])
    func `the ending says what a file is, and else its first character`(path: String, text: String, format: DataRows.Format) {
        #expect(DataRows.Format(path: path, text: text) == format)
    }
}
