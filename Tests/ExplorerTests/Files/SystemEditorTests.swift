import Explorer
import Foundation
import Testing

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

    @Test func `VISUAL is asked before EDITOR, and may have options`() throws {
        let editor = SystemEditor(environment: ["VISUAL": "sed -i s/a/b/", "EDITOR": "false"])
        #expect(try editor.edit("a", fileExtension: "txt") == "b")
    }
}
