/// A variable's value as one line that a person types, and back.
extension VariableDefinition.Value {
    /// A text as it is, in quotes when it would be read as a number, a boolean, a list or a map; all other JSON as JSON. `nil`: a secret,
    /// see ``SecretReference/typed``.
    package var typed: String? {
        switch self {
        case .text(let text): JSONParser.parse(text) == nil ? text : JSONValue.string(text).text(pretty: false)
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
    /// `env NAME`, `file PATH`, `prompt MESSAGE`, `command WORD WORD`.
    package var typed: String {
        switch self {
        case .environment(let name): "env \(name)"
        case .file(let path): "file \(path)"
        case .prompt(let message): "prompt \(message)"
        case .command(let words): "command \(words.joined(separator: " "))"
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
        case "command": self = .command(words[1].split(separator: " ").map(String.init))
        default: return nil
        }
    }
}
