/// A variable's value as one line that a person types, and back.
extension VariableDefinition.Value {
    /// A text as it is, in quotes when it would be read as a number, a boolean, a list or a map; all other JSON as JSON. `nil`: a secret,
    /// see ``SecretReference/typed``.
    package var typed: String? {
        switch self {
        case .text(let text):
            JSONParser.parse(text) == nil && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
                ? text : JSONValue.string(text).text(pretty: false)
        case .json(let text): text
        case .secret: nil
        }
    }

    package init(typed text: String) {
        switch JSONParser.parse(text) {
        case nil: self = .text(text)
        case .string(let text)?: self = .text(text)
        case let value?: self = .json(value.text(pretty: false))
        }
    }
}

extension SecretReference {
    /// `env NAME`, `file PATH`, `prompt MESSAGE`, `command WORD WORD`; words with blanks in them stand in JSON: `command ["a b"]`.
    package var typed: String {
        switch self {
        case .environment(let name): "env \(name)"
        case .file(let path): "file \(path)"
        case .prompt(let message): "prompt \(message)"
        case .command(let words):
            words.allSatisfy { !$0.isEmpty && !$0.contains { $0.isWhitespace } } && words.first?.first != "["
                ? "command \(words.joined(separator: " "))"
                : "command \(JSONValue.array(words.map { .string($0) }).text(pretty: false))"
        }
    }

    /// `nil`: it is none of these.
    package init?(typed text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "env": self = .environment(words[1])
        case "file": self = .file(words[1])
        case "prompt": self = .prompt(words[1])
        case "command":
            guard case .array(let items)? = JSONParser.parse(words[1]) else {
                self = .command(words[1].split(separator: " ").map(String.init))
                return
            }
            let texts = items.compactMap { if case .string(let text) = $0 { text } else { nil } }
            guard !texts.isEmpty, texts.count == items.count else { return nil }
            self = .command(texts)
        default: return nil
        }
    }
}
