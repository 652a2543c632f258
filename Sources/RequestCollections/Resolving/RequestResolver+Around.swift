import Base
import HTTPTypes
import NetworkLayer

/// What happens before and after the request.
extension RequestResolver {
    func needs() throws(ResolutionError) -> [ResolvedNeed] {
        var needs: [ResolvedNeed] = []
        for need in definition.needs {
            guard let id = scope.collection.find(need.name, from: definition.id) else {
                throw ResolutionError(
                    .definition, "`needs` names the request \(scope.collection.isMissing(need.name))", at: need.location)
            }
            needs.append(ResolvedNeed(request: id, maxAge: need.maxAge, location: need.location))
        }
        return needs
    }

    mutating func hydrate() throws(ResolutionError) -> ResolvedHydrate? {
        guard let hydrate = definition.hydrate else { return nil }
        var words: [LabelledText] = []
        for word in hydrate.words { words.append(try scope.text(word, at: hydrate.location)) }
        let directory = RequestCollections.directory(of: hydrate.location.path)
        // A program without a slash in its name is looked for in PATH, and several words are a command for the shell.
        let program = hydrate.words.prefix(2) == ["sh", "-c"] ? words.dropFirst(2).first?.text : words.first?.text
        if let program, program.contains("/"), program.utf8.allSatisfy(Self.isPathByte) {
            scope.files.append((joined(directory, program), hydrate.location))
        }
        let (_, permit) = try scope.command(in: directory, as: .hydrate, for: "hydrate", at: hydrate.location) {
            (scope) throws(ResolutionError) in
            var judged: [LabelledText] = []
            for word in hydrate.words { judged.append(try scope.text(word, at: hydrate.location)) }
            return judged
        }
        return ResolvedHydrate(
            words: try scope.arguments(words, of: "hydrate", at: hydrate.location), directory: directory, permit: permit,
            location: hydrate.location)
    }

    /// Whether a byte stands for itself in a path that a shell reads.
    private static func isPathByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte >= 0x80 || URLCoding.isUnreserved(byte) && byte != UInt8(ascii: "~")
    }

    mutating func expectations() throws(ResolutionError) -> [ExpectationDefinition] {
        try filledIn(definition.expectations, of: "expect")
    }

    mutating func until() throws(ResolutionError) -> UntilDefinition? {
        guard var until = definition.until else { return nil }
        until.conditions = try filledIn(until.conditions, of: "until")
        until.giveUp = try filledIn(until.giveUp, of: "until")
        return until
    }

    mutating func filledIn(
        _ expectations: [ExpectationDefinition], of key: String
    ) throws(ResolutionError) -> [ExpectationDefinition] {
        var filled: [ExpectationDefinition] = []
        for var expectation in expectations {
            if let source = expectation.subject.filter {
                filterPermits[ExactText(source)] = scope.permit(filter: source, for: key, at: expectation.location)
            }
            expectation.matcher = try filledIn(expectation.matcher, of: expectation.subject, at: expectation.location)
            filled.append(expectation)
        }
        return filled
    }

    mutating func filledIn(
        _ matcher: Matcher, of subject: ExpectationSubject, at location: SourceLocation
    ) throws(ResolutionError) -> Matcher {
        switch matcher {
        case .equals(let value): return .equals(try filledIn(value, at: location))
        case .contains(let value): return .contains(try filledIn(value, at: location))
        case .matches(let pattern, let ignoringCase):
            let pattern = try scope.text(pattern, at: location).text
            do throws(MatcherError) {
                try MatcherText.check(pattern: pattern)
            } catch {
                throw ResolutionError(.template, error.message, at: location)
            }
            return .matches(pattern, ignoringCase: ignoringCase)
        case .startsWith(let text): return .startsWith(try scope.text(text, at: location).text)
        case .endsWith(let text): return .endsWith(try scope.text(text, at: location).text)
        case .compares(let comparison, let operand):
            return .compares(comparison, try filledIn(operand, of: subject, at: location))
        case .range(let low, let high):
            return .range(try filledIn(low, of: subject, at: location), try filledIn(high, of: subject, at: location))
        case .length(let inner): return .length(try filledIn(inner, of: .attempts, at: location))
        case .not(let inner): return .not(try filledIn(inner, of: subject, at: location))
        case .each(let inner): return .each(try filledIn(inner, of: subject, at: location))
        case .some(let inner): return .some(try filledIn(inner, of: subject, at: location))
        case .any(let matchers):
            var filled: [Matcher] = []
            for matcher in matchers { filled.append(try filledIn(matcher, of: subject, at: location)) }
            return .any(filled)
        case .all(let matchers):
            var filled: [Matcher] = []
            for matcher in matchers { filled.append(try filledIn(matcher, of: subject, at: location)) }
            return .all(filled)
        case .schema(let reference):
            return .schema(
                try subject == .contract ? contract(reference, at: location) : loaded(reference, at: location))
        case .exists, .missing, .empty, .type, .statusClass: return matcher
        }
    }

    private mutating func filledIn(
        _ operand: Matcher.Operand, of subject: ExpectationSubject, at location: SourceLocation
    ) throws(ResolutionError) -> Matcher.Operand {
        guard Template.isIn(operand.text) else { return operand }
        let text = try scope.text(operand.text, at: location).text
        guard let quantity = Quantity(text), quantity.fits(subject.kind) else {
            throw ResolutionError(
                .template, "`\(operand.text)` became `\(text)`, which isn't \(subject.kind.takes)", at: location)
        }
        return Matcher.Operand(text)
    }

    private mutating func filledIn(_ value: JSONValue, at location: SourceLocation) throws(ResolutionError) -> JSONValue {
        switch value {
        case .string(let text): return try scope.value(text, at: location).value
        case .array(let values):
            var filled: [JSONValue] = []
            for value in values { filled.append(try filledIn(value, at: location)) }
            return .array(filled)
        case .object(let members):
            var filled: [JSONValue.Member] = []
            for member in members { filled.append(.init(name: member.name, value: try filledIn(member.value, at: location))) }
            return .object(filled)
        case .null, .boolean, .number: return value
        }
    }

    mutating func mock() throws(ResolutionError) -> ResolvedMock? {
        guard let mock = definition.mock else { return nil }
        var resolved = ResolvedMock()
        if let status = mock.status { resolved.status = HTTPResponse.Status(code: status) }
        for row in mock.headers where row.isEnabled {
            let name = try scope.text(row.name, at: row.location).text
            let field = try field(name, scope.text(row.value, at: row.location).text, at: row.location)
            try add(field, to: &resolved.headers, at: row.location)
        }
        var type: String?
        switch mock.body {
        case nil: break
        case .text(let text):
            resolved.body = .data(Data(try scope.text(text, at: mock.location).text.utf8))
            type = "text/plain; charset=utf-8"
        case .json(let text):
            resolved.body = .data(Data(try scope.json(text, at: mock.location).text.utf8))
            type = "application/json"
        case .file(let template):
            let (file, _) = try file(template, for: "mock", at: mock.location)
            resolved.body = .file(file)
            type = ContentType.forFile(file.path).rawValue
        }
        if let type, resolved.headers[.contentType] == nil { resolved.headers[.contentType] = type }
        resolved.delay = mock.delay ?? .zero ... .zero
        resolved.latency = mock.latency ?? .zero
        resolved.bytesPerSecond = mock.rate ?? 0
        resolved.error = mock.error
        return resolved
    }
}
