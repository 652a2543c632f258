/// What is expected, as a person types it in one row: `header etag` must be `exists`, `.items` must be `length > 0`.
extension ExpectationDefinition {
    /// - Parameters:
    ///   - subject: as ``subjectText`` gives it.
    ///   - matcher: as a file may write it, quotes and brackets included.
    /// - Throws: a sentence about what can't be read, at `location`.
    package init(subject: String, matcher: String, location: SourceLocation) throws(CollectionProblem) {
        guard let parsed = ExpectationSubject(typed: subject) else {
            throw CollectionProblem(
                location: location,
                message:
                    "nothing of a response is called `\(subject)`: it takes status, a path such as .id, header NAME, cookie NAME, "
                    + "cookie NAME ATTRIBUTE, body, time PHASE, size, tls PROPERTY, attempts, redirects, retries, polls, locations, "
                    + "link RELATION, ip, http, url, contract or error")
        }
        if parsed == .contract {
            self.init(parsed, .schema(SchemaReference(path: String(Substring(matcher).trimmed))), location: location)
            return
        }
        let isEmpty = Substring(matcher).trimmed.isEmpty
        self.init(
            parsed, isEmpty ? .exists : try Matcher(typed: matcher, kind: parsed.kind, location: location), location: location)
    }

    package var subjectText: String { subject.typed }
    package var matcherText: String {
        if subject == .contract, case .schema(let reference) = matcher { reference.path } else { matcher.typed }
    }
}

extension ExpectationSubject {
    /// What a person types: a filter stands without the word `body`.
    var typed: String {
        if case .filter(let filter) = self { filter } else { description }
    }

    init?(typed: String) {
        let text = Substring(typed).trimmed
        let words = text.split(separator: " ", maxSplits: 1)
        let rest = words.count > 1 ? String(words[1].trimmed) : nil
        switch (words.first.map(String.init) ?? "", rest) {
        case ("status", nil): self = .status
        case ("body", nil): self = .body
        case ("size", nil): self = .size
        case ("attempts", nil): self = .attempts
        case ("redirects", nil): self = .redirects
        case ("retries", nil): self = .retries
        case ("http", nil): self = .httpVersion
        case ("url", nil): self = .url
        case ("error", nil): self = .error
        case ("contract", nil): self = .contract
        case ("polls", nil): self = .polls
        case ("locations", nil): self = .locations
        case ("ip", nil): self = .address
        case ("link", let relation?): self = .link(relation)
        case ("header", let name?): self = .header(name)
        case ("cookie", let cookie?):
            // A cookie's name has no space.
            let words = cookie.split(separator: " ").map(String.init)
            if words.count == 1 {
                self = .cookie(cookie)
            } else {
                guard words.count == 2, let attribute = CookieAttribute(rawValue: words[1]) else { return nil }
                self = .cookieAttribute(words[0], attribute)
            }
        case ("time", let name?): self = .time(name)
        case ("tls", let name?): self = .tls(name)
        case ("body", let filter?): self = .filter(filter)
        default:
            guard text.hasPrefix(".") || text.contains("|") else { return nil }
            self = .filter(String(text))
        }
    }
}

extension Matcher {
    /// What a person types: the description, and lists in brackets.
    var typed: String {
        switch self {
        case .any(let matchers): "[\(matchers.map(\.item).joined(separator: ", "))]"
        case .all(let matchers): "{ all: [\(matchers.map(\.item).joined(separator: ", "))] }"
        case .schema: inWords ?? description
        default: description
        }
    }

    /// As an item of a list in brackets.
    private var item: String {
        let text = typed
        switch self {
        case .any, .all: return text
        case .equals(.string):
            return text.first == "\"" || ScalarWriter.isPlainSafe(text, .text, isFlow: true)
                ? text : ScalarWriter.doubleQuoted(text)
        default: return ScalarWriter.isPlainSafe(text, .text, isFlow: true) ? text : ScalarWriter.doubleQuoted(text)
        }
    }

    init(typed: String, kind: MatcherKind, location: SourceLocation) throws(CollectionProblem) {
        let text = String(Substring(typed).trimmed)
        // Outside of a file a sign needs no quotes: `> 0`.
        let isYAML = "[\"'".contains(text.prefix(1)) || text.hasPrefix("{") && !text.hasPrefix("{{")
        guard isYAML else {
            do throws(MatcherError) {
                self = try MatcherText(kind: kind).parse(text)
                return
            } catch {
                throw CollectionProblem(location: location, message: error.message)
            }
        }
        let (matcher, problems) = try Self.read(text, kind: kind)
        if let problem = problems.first { throw CollectionProblem(location: location, message: problem.message) }
        self = matcher
    }

    /// The expectation, as a person types it, that only this text of a response meets.
    package static func typed(equalTo text: String) -> String { Matcher.equals(.string(text)).typed }

    /// What a file makes of a text behind a key.
    private static func read(_ text: String, kind: MatcherKind) throws(CollectionProblem) -> (Matcher, [CollectionProblem]) {
        let document = try YAMLDocument(path: "", bytes: Array("it: \(text)\n".utf8))
        guard let pairs = document.root?.pairs, pairs.count == 1, let value = pairs.first?.value else {
            throw CollectionProblem(location: SourceLocation.none, message: "`\(text)` is more than one value")
        }
        var reader = MatcherReader(path: "", kind: kind)
        let matcher = reader.read(value)
        return (matcher, reader.problems)
    }

    /// The map that says the same, for a text that YAML would take for something else: `{ contains: "a: b" }`.
    private var inWords: String? {
        switch self {
        case .contains(.string(let text)): "{ contains: \(ScalarWriter.doubleQuoted(text)) }"
        case .startsWith(let text): "{ starts-with: \(ScalarWriter.doubleQuoted(text)) }"
        case .endsWith(let text): "{ ends-with: \(ScalarWriter.doubleQuoted(text)) }"
        case .matches(let pattern, ignoringCase: false): "{ matches: \(ScalarWriter.doubleQuoted(pattern)) }"
        case .schema(let schema): "{ schema: \(ScalarWriter.doubleQuoted(schema.path)) }"
        default: nil
        }
    }

    /// What is to stand in a file; `nil`: it reads back as something else, however it is quoted.
    func desired(_ kind: MatcherKind) -> DesiredValue? {
        for text in [typed, ScalarWriter.doubleQuoted(description)] + [inWords].compactMap({ $0 })
        where !text.contains(where: \.isNewline) && Self.isOneValueInFlow(text) {
            guard let (matcher, problems) = try? Self.read(text, kind: kind), problems.isEmpty, matcher == self else { continue }
            return .scalar(text, .literal)
        }
        return nil
    }

    /// A short map is written in braces, in which these signs end a plain scalar.
    private static func isOneValueInFlow(_ text: String) -> Bool {
        text.first.map { "[{\"'".contains($0) } == true && !text.hasPrefix("{{") || !text.contains { "{}[],".contains($0) }
    }
}
