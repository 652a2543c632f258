import Base
import HTTPTypes
import NetworkLayer

/// How what was found is told: texts are in quotes, numbers aren't, and where a number stands beside a text of the same digits both have
/// their types.
struct ExpectationWording {
    let subject: ExpectationSubject
    let kind: MatcherKind
    let matcher: Matcher
    /// Takes secrets out before a text is cut: a part of one is no longer known for one.
    let redactor: Redactor

    private static let mostValues = 8
    private static let mostCharacters = 200

    /// The values in one line, which is cut if it is long.
    func text(_ values: [JSONValue?], _ facts: ResponseFacts) -> String {
        guard !values.isEmpty else { return isXPath ? "no node" : "nothing" }
        if subject == .status, let status = facts.response.info?.head.status {
            let phrase = StatusPhrases.phrase(status)
            return "\(status.code)" + (phrase.isEmpty ? "" : " \(redactor.text(phrase))")
        }
        return cut(values.prefix(Self.mostValues).map { redactor.text(text($0)) }.joined(separator: ", "))
    }

    /// The demand on a value of another type, and what was found, with their types; `nil` where these can be seen.
    func types(_ found: JSONValue?) -> (demand: String, found: String)? {
        guard kind == .json, case .equals(let expected) = matcher, let found, expected.differsInType(from: found) else {
            return nil
        }
        return ("to be \(expected.typed)", cut(redactor.text(found.typed)))
    }

    private var isXPath: Bool {
        if case .filter(let source) = subject, case .xpath = JSONFilter(source).language { true } else { false }
    }

    private func text(_ value: JSONValue?) -> String {
        switch value {
        case nil: "nothing"
        case .null: "null"
        case .string?: kind.quoted(value ?? .null)
        case .number(let digits)? where kind == .json && matcher.isAboutTexts: "the number \(digits)"
        case .boolean(let flag)? where kind == .json && matcher.isAboutTexts: "the boolean \(flag)"
        // The report has the rest of an answer with a token in it.
        case let value?: value.hidingCredentials.text(pretty: false)
        }
    }

    private func cut(_ text: String) -> String {
        let line = text.prefix { !$0.isNewline }
        return line.count > Self.mostCharacters
            ? "\(line.prefix(Self.mostCharacters - 1))…" : line.count < text.count ? "\(line)…" : String(line)
    }
}

extension MatcherKind {
    /// A text in quotes, with its control characters escaped; durations, sizes and names of failures are no texts.
    func quoted(_ value: JSONValue) -> String {
        switch (self, value) {
        case (.json, .string(let text)), (.text, .string(let text)): JSONText.quoted(text)
        case (_, .string(let text)): text
        default: value.text(pretty: false)
        }
    }
}

extension JSONValue {
    /// Whether two values that look alike, or could, differ in type: each is a text, a number or a boolean.
    func differsInType(from other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string, .number), (.string, .boolean), (.number, .string), (.number, .boolean), (.boolean, .string),
            (.boolean, .number):
            true
        default: false
        }
    }
}
