import Foundation
import Testing

@testable import Explorer

@Suite struct SystemEditorTests {
    private func edit(_ text: String, by script: String) throws -> String {
        let folder = try TemporaryFolder(["editor": script])
        return try SystemEditor(environment: ["EDITOR": "sh \(folder.path("editor"))"]).edit(text, fileExtension: "json")
    }

    @Test func `it gives back what the editor saved`() throws {
        #expect(try edit("one\n", by: "printf 'two\\n' >> \"$1\"") == "one\ntwo\n")
    }

    @Test func `a line feed that only the editor wanted is left out`() throws {
        #expect(try edit("{}", by: "printf '{ }\\n' > \"$1\"") == "{ }")
    }

    @Test func `the file has the ending of its kind, and nobody else can read it`() throws {
        #expect(try edit("x", by: "printf '%s %s' \"${1##*.}\" \"$(stat -c %a \"$(dirname \"$1\")\")\" > \"$1\"") == "json 700")
    }

    @Test func `an editor that fails changes nothing and is named`() throws {
        let error = #expect(throws: SystemEditor.Failure.self) { try edit("x", by: "exit 3") }
        #expect(error?.description.contains("ended with status 3") == true)
    }

    @Test(arguments: [
        ("vim", "+12 FILE"), ("nano", "+12 FILE"), ("code", "--goto FILE:12"), ("hx", "FILE:12"), ("other", "FILE"),
    ])
    func `a file is opened at its line, as each editor wants to be told`(name: String, expected: String) throws {
        let folder = try TemporaryFolder([name: "#!/bin/sh\nprintf '%s' \"$*\" > \"${0%/*}/said\"\n", "a file.yaml": ""])
        #expect(chmod(folder.path(name), 0o755) == 0)
        let file = folder.url.appending(path: "a file.yaml").path(percentEncoded: false)
        try SystemEditor(environment: ["EDITOR": folder.path(name)]).open(file, line: 12)
        #expect(folder.text("said") == expected.replacing("FILE", with: file))
    }

    @Test func `VISUAL is asked before EDITOR, and may have options`() throws {
        let editor = SystemEditor(environment: ["VISUAL": "sed -i s/a/b/", "EDITOR": "false"])
        #expect(try editor.edit("a", fileExtension: "txt") == "b")
    }
}
