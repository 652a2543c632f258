import Testing

@testable import CommandLineInterface

@Suite struct FormPartTests {
    private func part(_ text: String, isLiteral: Bool = false) throws -> FormPart {
        try FormPart(FormArgument(text: text, isLiteral: isLiteral))
    }

    @Test func `text, uploads and texts of files are told apart`() throws {
        var expected = try part("a=b c")
        #expect(expected.name == "a")
        #expect(expected.content == .text("b c"))
        expected = try part("a=@f.txt;type=text/x;filename=\"n;a\\\"me\"")
        #expect(expected.content == .file("f.txt"))
        #expect(expected.contentType == "text/x")
        #expect(expected.fileName == "n;a\"me")
        #expect(try part("a=<f.txt").content == .textOf("f.txt"))
        #expect(try part("a=@x;type=y", isLiteral: true).content == .text("@x;type=y"))
        #expect(try part("a=\u{301}b").content == .text("\u{301}b"))
        #expect(try part("a=@\u{301}b;type=x/y").content == .file("\u{301}b"))
    }

    @Test func `what can't be meant is named`() {
        #expect(
            throws: CommandFailure(
                status: .usage,
                message: "-F 'a' has no =. It takes NAME=TEXT, NAME=@FILE to upload one, or NAME=<FILE for its text.")
        ) { try part("a") }
        #expect(
            throws: CommandFailure(
                status: .usage,
                message: "-F 'a=b;c': there is no \"c\". After ; it takes type=TYPE and filename=NAME; "
                    + "--form-string takes text with a ; in it.")
        ) { try part("a=b;c") }
    }

    @Test func `parameters of the type belong to it, and blanks are a value's own only in quotes`() throws {
        #expect(try part("a=x;type=text/plain; charset=utf-8;filename=n").contentType == "text/plain; charset=utf-8")
        #expect(try part("a=x;type=text/plain; charset=utf-8;filename= n ").fileName == "n")
        #expect(try part("a= x ").content == .text("x"))
        #expect(try part("a=\" x \"").content == .text(" x "))
    }

    @Test(arguments: [
        ("a=x;type=", "\"\" is no type. It takes one, as in ;type=text/csv."),
        ("a=x;encoder=uuencode", "the encoder \"uuencode\" isn't there. It takes binary, 8bit, 7bit, base64."),
    ])
    func `what can't be meant by a parameter is refused by its name`(text: String, reason: String) {
        #expect(throws: CommandFailure(status: .usage, message: "-F '\(text)': \(reason)")) { try part(text) }
    }

    @Test func `several files are told apart by commas, each with its own parameters`() throws {
        guard case .files(let parts) = try part("a=@x;type=a/b,\"y,z\";filename=n,w").content else { return #expect(Bool(false)) }
        #expect(parts.map(\.content) == [.file("x"), .file("y,z"), .file("w")])
        #expect(parts.map(\.contentType) == ["a/b", nil, nil])
        #expect(parts.map(\.fileName) == [nil, "n", nil])
        #expect(try part("a=x,y").content == .text("x,y"))
    }
}
