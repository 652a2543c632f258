import RequestCollections
import Testing

@Suite struct `The text of a variable, as a person edits it` {
    @Test(arguments: [
        "plain", "12", "\"quoted\"", "true", "", "-----BEGIN KEY-----\nMII\n-----END KEY-----\n", "a\tb", "\u{1B}[31m", "ü {{x}}",
    ])
    func `comes back as it was, in one line`(text: String) {
        let typed = VariableDefinition.Value.text(text).typed
        #expect(typed?.contains("\n") == false)
        #expect(typed.map { .init(typed: $0) } == VariableDefinition.Value.text(text))
    }

    @Test(arguments: [["pass", "show", "api"], ["sh", "-c", "echo a  b"], ["[", "x", "]"], ["echo", ""]])
    func `has the words of a command as they were`(words: [String]) {
        let reference = SecretReference.command(words)
        #expect(SecretReference(typed: reference.typed) == reference)
    }

    @Test func `takes no command without words`() {
        #expect(SecretReference(typed: "command []") == nil)
        #expect(SecretReference(typed: "command [1]") == nil)
    }
}
