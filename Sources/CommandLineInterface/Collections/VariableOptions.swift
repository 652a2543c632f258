import ArgumentParser
import RequestCollections

/// `--var` and `--var-text`: variables over all others.
struct VariableOptions: ParsableArguments {
    @Option(
        name: .customLong("var"),
        help: ArgumentHelp(
            "A variable, which wins over all others: a number (7), true, null, a list ([1, 2]) or a map; anything else is a text. Repeatable.",
            valueName: "NAME=VALUE"))
    var typed: [String] = []

    @Option(
        name: .customLong("var-text"),
        help: ArgumentHelp("The same, but always a text, whatever it looks like. Repeatable.", valueName: "NAME=TEXT"))
    var texts: [String] = []

    var isEmpty: Bool { typed.isEmpty && texts.isEmpty }

    func values() throws -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for word in typed {
            let (name, text) = try Self.pair(word, of: "--var")
            values[name] = JSONValue(given: text)
        }
        for word in texts {
            let (name, text) = try Self.pair(word, of: "--var-text")
            values[name] = .string(text)
        }
        return values
    }

    private static func pair(_ word: String, of option: String) throws -> (name: String, text: String) {
        guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
            throw CommandFailure(status: .usage, message: "\(option) \(word) has no =. It takes NAME=VALUE.")
        }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
}
