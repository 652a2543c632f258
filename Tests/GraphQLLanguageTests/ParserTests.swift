import GraphQLLanguage
import Testing

@Suite struct ParserTests {
    private func fault(_ text: String) -> GraphQLFault? {
        do throws(GraphQLFault) {
            _ = try GraphQLDocument(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `an operation has its name, kind, place and variables`() throws {
        let text = "\u{FEFF}# é\n\"Why\" query Birds($ids: [ID!]!, $first: Int = 10 @a) { count } mutation { a }"
        let document = try GraphQLDocument(parsing: text)
        let operation = try #require(document.operations.first)
        #expect(document.operations.map(\.kind) == [.query, .mutation])
        #expect(operation.name?.text == "Birds")
        #expect(operation.description == "Why")
        #expect(operation.range.lowerBound == 8)
        #expect(operation.variables.map(\.name.text) == ["ids", "first"])
        #expect(operation.variables.map(\.type.description) == ["[ID!]!", "Int"])
        #expect(operation.variables.map { $0.defaultValue?.value.description } == [nil, "10"])
        #expect(operation.variables.map(\.isRequired) == [true, false])
        #expect(document.operations[1].name == nil)
    }

    @Test func `strings say what their escapes mean`() throws {
        #expect(try value(#""\u00e9\u{1F426}\uD83D\uDC26\n\"\\\/""#) == .string("é🐦🐦\n\"\\/"))
        #expect(try value(#""""one \""" two""""#) == .string("one \"\"\" two"))
        #expect(try value("\"\"\"\r\n    a\r\n\r\n      b\r    c  \n   \n\"\"\"") == .string("a\n\n  b\nc  "))
        #expect(try value("\"\"\"  a\n   b\n  c\"\"\"") == .string("  a\n b\nc"))
        #expect(try value("\"\"\"\"\"\"") == .string(""))
        for text in [#""\u{D800}""#, #""\uD800\u0041""#, #""\uDC00""#, #""\u{}""#, #""\u00g0""#, "\"a\nb\"", "\"", "\"\"\"a\"\""] {
            #expect(fault("{ a(b: \(text)) }") != nil, "\(text)")
        }
    }

    @Test func `values keep how they were written`() throws {
        let text = #"{a: [1, -2.50e+3, true, null, RED, $v], b: {}, c: "x\ty", d: {{n}}}"#
        #expect(try value(text).description == text)
        #expect(
            try value(text)["a"] == .list([.int("1"), .float("-2.50e+3"), .boolean(true), .null, .enum("RED"), .variable("v")]))
        #expect(try value(text)["d"] == .template("{{n}}"))
    }

    @Test func `a fault has a place in bytes, lines and scalars`() throws {
        let fault = try #require(self.fault("{\r\n  é: a }"))
        #expect((fault.line, fault.column, fault.range) == (2, 3, 5..<7))
        let end = try #require(self.fault("{ a {\n b"))
        #expect((end.line, end.column, end.range) == (2, 3, 8..<8))
        #expect(end.description.hasPrefix("2:3: The text ends where"))
    }

    @Test(arguments: ["{", "{a", "{ a(b: [", "{ a(b: {c:", "query($a: [", "{ a { ... ", "\"\"\"", "{{", "type A { a(b: [C] = ["])
    func `what is nested too deep is a fault, however deep`(piece: String) {
        let start =
            piece.hasPrefix("{ a(b: ")
            ? "{ a(b: " : piece.hasPrefix("query") ? "query($a: " : piece.hasPrefix("type") ? "type A { a(b: " : ""
        let rest = String(piece.dropFirst(start.count))
        #expect(fault(start + String(repeating: rest, count: 100_000)) != nil)
    }

    @Test func `two hundred levels are fine`() {
        let text = String(repeating: "{ a ", count: 199) + "{ a }" + String(repeating: "}", count: 199)
        #expect(fault(text) == nil)
        #expect(fault("{ a \(text) }")?.message.contains("200 levels") == true)
    }

    @Test func `a template is a value, a name or a part of it`() throws {
        let text = """
            query {{name}}($a: {{type}} = {{default}}) @{{directive}} {
              {{field}}(first: {{count}}, {{argument}}: 1{{zeros}}, in: {a: {{x}}, b: [{{y}}]}) {{{inner}}}
              alias_{{n}}: bird{{s}}(id: $a) { ...{{fragment}} ... on {{type}} { id } }
            }
            fragment {{fragment}} on Bird { id }
            {{more}}
            """
        let document = try GraphQLDocument(parsing: text)
        #expect(document.isOpen)
        #expect(document.operations[0].name?.text == "{{name}}")
        guard case .field(let field) = document.operations[0].selections[1] else { throw CancellationError() }
        #expect(field.responseName == "alias_{{n}}")
        #expect(field.name.isTemplate)
        #expect(CorpusTests.schema.faults(in: document) == [])
        #expect(document.faults() == [])
        #expect(fault("{ a(b: {{x\n}}) }")?.range == 7..<10)
    }

    @Test func `SDL has everything of the type system`() throws {
        let document = try GraphQLDocument(
            parsing: """
                "The schema" schema @link(url: "https://specs.apollo.dev/federation") { query: Q mutation: M }
                extend schema @composed { subscription: S }
                type Q implements & A & B @key(fields: "id") { "d" a("e" b: Int! = 3 @x, c: [C!] = [X]): C! @deprecated(reason: "old") }
                extend type Q { z: Int }
                interface A implements B @x { a: Int }
                union U @x = | Q | M
                union Empty
                enum C { X Y @deprecated }
                input I @oneOf { a: Int b: I = {a: 1} @deprecated(reason: "b") }
                scalar T @specifiedBy(url: "https://t.example")
                directive @x(a: Int) repeatable on | FIELD | OBJECT
                extend scalar T @y
                """)
        #expect(document.typeSystem.count == 12)
        for text in [
            "type A {}", "extend type A", "union A =", "enum E { true }", "directive @a on WING", "extend query Q { a }",
            "\"d\" { a }", "",
        ] {
            #expect(fault(text) != nil, "\(text)")
        }
    }
}
