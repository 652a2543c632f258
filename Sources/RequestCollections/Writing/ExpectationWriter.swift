/// The entries of expectations that are new, as their reader takes them.
enum ExpectationWriter {
    /// - Parameter expectations: of several about one subject at least one has steps; of the body either its text or filters.
    static func value(_ expectations: [ExpectationDefinition]) -> DesiredValue {
        var entries: CollectionWriter.Entries = []
        func add(_ key: String, _ name: String, _ value: DesiredValue) {
            let entry = DesiredEntry(source: nil, key: name, value: value)
            guard let index = entries.firstIndex(where: { $0.key == key }), case .map(let others, let layout) = entries[index].value
            else {
                entries.append((key, .map([entry], .automatic)))
                return
            }
            entries[index].value = .map(others + [entry], layout)
        }
        let withAttributes = Set(
            expectations.compactMap { if case .cookieAttribute(let name, _) = $0.subject { name } else { nil } })
        /// What is expected of a cookie is in one map.
        func add(_ fact: String, ofCookie name: String, _ value: DesiredValue) {
            let fact = DesiredEntry(source: nil, key: fact, value: value)
            guard let place = entries.firstIndex(where: { $0.key == "cookie" }),
                case .map(var cookies, let layout) = entries[place].value,
                let index = cookies.firstIndex(where: { $0.key == name }), case .map(let facts, let inner) = cookies[index].value
            else { return add("cookie", name, .map([fact], .automatic)) }
            cookies[index].value = .map(facts + [fact], inner)
            entries[place].value = .map(cookies, layout)
        }
        var written: Set<ExpectationSubject> = []
        var writtenPlaces: Set<MessagePlace> = []
        for expectation in expectations where written.insert(expectation.subject).inserted {
            let value = value(of: expectations.filter { $0.subject == expectation.subject })
            let (key, name) = expectation.subject.place
            if case .message(let place, _) = expectation.subject {
                guard writtenPlaces.insert(place).inserted else { continue }
                let others = expectations.compactMap { $0.ofMessage(at: place) }
                add(key, place.rawValue, Self.value(others)["body"] ?? value)
                continue
            }
            switch (expectation.subject, name) {
            case (.cookieAttribute(_, let attribute), let name?): add(attribute.rawValue, ofCookie: name, value)
            case (.cookie, let name?) where withAttributes.contains(name): add("value", ofCookie: name, value)
            case (_, let name?): add(key, name, value)
            case (_, nil): entries.append((key, value))
            }
        }
        return .map(entries)
    }

    /// - Parameter expectations: those about one subject.
    static func value(of expectations: [ExpectationDefinition]) -> DesiredValue {
        let parts = expectations.map { DesiredEntry(source: nil, key: "", value: value(of: $0)) }
        return parts.count == 1 ? parts[0].value : .map([("all", .list(parts, .automatic))])
    }

    static func value(of expectation: ExpectationDefinition) -> DesiredValue {
        if expectation.subject == .contract, case .schema(let reference) = expectation.matcher {
            return .scalar(reference.path, .string)
        }
        if expectation.steps.isEmpty { return value(expectation.matcher) }
        return .map([("then", .texts(expectation.steps.map(\.description))), ("all", list([expectation.matcher]))])
    }

    static func value(_ matcher: Matcher) -> DesiredValue {
        switch matcher {
        case .equals(.string(let text)) where MatcherText.isItself(text) || PlainScalar(text) != .text: .scalar(text, .string)
        case .equals(.number(let digits)): .scalar(digits, .literal)
        case .equals(.boolean(let flag)): .scalar(flag ? "true" : "false", .literal)
        case .equals(let json): .map([("equals", DesiredValue(json: json))])
        case .matches(let pattern, let ignoringCase):
            // Slashes of its own would be taken for those around a pattern.
            ignoringCase
                ? .scalar(matcher.description, .text)
                : .map([("matches", .scalar(pattern, pattern.hasPrefix("/") ? .quoted : .string))])
        case .contains(let json): .map([("contains", DesiredValue(json: json))])
        case .startsWith(let text): .map([("starts-with", .scalar(text, .string))])
        case .endsWith(let text): .map([("ends-with", .scalar(text, .string))])
        case .type(let type): .map([("type", .scalar(type.rawValue, .text))])
        case .length(let inner): .map([("length", value(inner))])
        case .not(let inner): .map([("not", value(inner))])
        case .each(let inner): .map([("each", value(inner))])
        case .some(let inner): .map([("any", value(inner))])
        case .schema(let schema): .map([("schema", .scalar(schema.path, .string))])
        case .all(let inner): .map([("all", list(inner))])
        case .any(let inner): list(inner)
        case .compares, .range, .exists, .missing, .empty, .statusClass: .scalar(matcher.description, .text)
        }
    }

    private static func list(_ matchers: [Matcher]) -> DesiredValue {
        .list(matchers.map { DesiredEntry(source: nil, key: "", value: value($0)) }, .automatic)
    }
}

extension ExpectationSubject {
    /// The key below `expect`, and the name below that.
    var place: (key: String, name: String?) {
        switch self {
        case .status: ("status", nil)
        case .header(let name): ("header", name)
        case .cookie(let name): ("cookie", name)
        case .cookieAttribute(let name, _): ("cookie", name)
        case .locations: ("locations", nil)
        case .link(let relation): ("link", relation)
        case .polls: ("polls", nil)
        case .address: ("ip", nil)
        case .body: ("body", nil)
        case .filter(let filter): ("body", filter)
        case .time(let name): ("time", name)
        case .size: ("size", nil)
        case .attempts: ("attempts", nil)
        case .redirects: ("redirects", nil)
        case .retries: ("retries", nil)
        case .tls(let name): ("tls", name)
        case .httpVersion: ("http", nil)
        case .url: ("url", nil)
        case .contract: ("contract", nil)
        case .close: ("close", nil)
        case .messageCount: ("messages", "count")
        case .message(let place, _): ("messages", place.rawValue)
        case .step: ("messages", nil)
        case .error: ("error", nil)
        }
    }
}
