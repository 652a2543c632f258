package import NetworkLayer

/// Something that a template needs and that takes its time to get: a program, a person or another request.
///
/// Resolving never waits. It ends with ``ResolutionError/requirements``, all of them at once; whoever resolves gets the answers, puts
/// them into ``TemplateEnvironment/answers``, and resolves again.
package enum TemplateRequirement: Hashable, Sendable {
    /// `{ secret: ... }`. Its text is never shown.
    case secret(SecretReference)
    /// `command("git", "rev-parse")`: what the program prints, without the last line break.
    case command(CommandRequirement)
    /// `prompt("Code")`: what a person types.
    case prompt(PromptRequirement)
    /// `select("Region", ["eu", "us"])`: the one of the options that a person chooses.
    case select(SelectRequirement)
    /// `response("login", ".token")`: the first value that the filter finds.
    case response(ResponseRequirement)
}

package struct CommandRequirement: Hashable, Sendable {
    /// The program, looked up in `PATH`, and its arguments as they are: no shell reads them.
    package var words: [String] {
        get { exactWords.map(\.wrappedValue) }
        set { exactWords = newValue.map { ExactText($0) } }
    }
    private var exactWords: [ExactText]
    /// Where it runs: the directory of the file in which the template stands; `""` for the current one.
    package var directory: String
    /// What a person allows.
    package var want: CommandWant

    package init(words: [String], directory: String, want: CommandWant? = nil) {
        exactWords = words.map { ExactText($0) }
        self.directory = directory
        self.want = want ?? CommandWant(words)
    }
}

package struct PromptRequirement: Hashable, Sendable {
    package var message: String
    package var defaultText: String?
    /// What is typed isn't shown, then or later.
    package var isSecret: Bool

    package init(message: String, defaultText: String? = nil, isSecret: Bool = false) {
        self.message = message
        self.defaultText = defaultText
        self.isSecret = isSecret
    }
}

package struct SelectRequirement: Hashable, Sendable {
    package var message: String
    /// At least one.
    package var options: [String]
    /// One of the options.
    package var defaultText: String?

    package init(message: String, options: [String], defaultText: String? = nil) {
        self.message = message
        self.options = options
        self.defaultText = defaultText
    }
}

package struct ResponseRequirement: Hashable, Sendable {
    /// A request of the same collection, which is there.
    package var request: RequestID
    /// In jq's language; `.` for the whole body.
    package var filter: JSONFilter
    /// How old the response may be; `nil`: any that there is will do, and the request is only sent when there is none.
    package var maxAge: Duration?

    package init(request: RequestID, filter: JSONFilter, maxAge: Duration? = nil) {
        self.request = request
        self.filter = filter
        self.maxAge = maxAge
    }
}

/// What became of a ``TemplateRequirement``.
package struct TemplateAnswer: Hashable, Sendable {
    package var value: JSONValue
    /// Nobody may see it. A secret's answer is one in any case.
    package var isSecret: Bool
    /// For a response: the server that gave it.
    package var server: Origin?

    package init(_ value: JSONValue, isSecret: Bool = false, from server: Origin? = nil) {
        self.value = value
        self.isSecret = isSecret
        self.server = server
    }
}

extension TemplateRequirement: CustomStringConvertible {
    /// As a part of a sentence: "`token` needs …".
    package var description: String {
        switch self {
        case .secret(let reference): reference.description
        case .command(let command): "the command `\(command.words.joined(separator: " "))`"
        case .prompt(let prompt): "an answer to `\(prompt.message)`"
        case .select(let select): "a choice for `\(select.message)`"
        case .response(let response): "the response of `\(response.request)`"
        }
    }

    /// What an answer that nobody may see is known by.
    var label: SecretLabel {
        switch self {
        case .secret(let reference): SecretLabel("\(reference)", .reference(reference, environment: nil))
        case .prompt(let prompt): SecretLabel(prompt.message, .prompt(prompt.message))
        case .command(let command):
            SecretLabel(command.words.joined(separator: " "), .reference(.command(command.words), environment: nil))
        case .select(let select): SecretLabel(select.message, .prompt(select.message))
        case .response(let response):
            SecretLabel("\(response.request) \(response.filter.source)", .response(response.request))
        }
    }

    /// What is shown instead of an answer.
    var placeholder: String {
        switch self {
        case .secret: Redactor.mask
        case .prompt(let prompt) where prompt.isSecret: Redactor.mask
        case .command(let command): "‹\(command.words.joined(separator: " "))›"
        case .prompt(let prompt): "‹\(prompt.message)›"
        case .select(let select): "‹\(select.message)›"
        case .response(let response): "‹\(response.request) \(response.filter.source)›"
        }
    }
}

extension SecretReference: CustomStringConvertible {
    package var description: String {
        switch self {
        case .environment(let name): "the environment variable `\(name)`"
        case .command(let words): "the command `\(words.joined(separator: " "))`"
        case .file(let path): "the file \(path)"
        case .prompt(let message): "an answer to `\(message)`"
        }
    }
}
