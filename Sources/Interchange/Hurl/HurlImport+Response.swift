import NetworkLayer
import RequestCollections

extension HurlImport {
    mutating func read(_ response: HurlEntry.Response, into definition: inout RequestDefinition) {
        if let version = response.version {
            expect(.httpVersion, .equals(.string("HTTP/\(version)")), response.line, in: &definition)
        }
        if let status = response.status { expect(.status, .equals(.number(status)), response.line, in: &definition) }
        for pair in response.headers {
            expect(.header(pair.name), .equals(.string(template(pair.value, pair.line).text)), pair.line, in: &definition)
        }
        if let body = response.body { read(body, into: &definition) }
        var captured: [String: HurlValue] = [:]
        for claim in response.captures {
            do throws(HurlProblem) {
                let (capture, value) = try Self.capture(claim, captured)
                guard RequestDefinition.canHold(definition.captures + [capture], []) else {
                    throw HurlProblem("a collection can't hold what it says")
                }
                captured[capture.name] = value
                definition.captures.append(capture)
            } catch {
                note(claim.line, "the capture `\(claim.text)`: \(error.reason)")
            }
        }
        for claim in response.asserts {
            do throws(HurlProblem) {
                var tokens = claim.tokens[...]
                let value = try HurlValue(&tokens, captured: captured)
                if let name = HurlTemplates.variables(in: claim.text).first(where: { captured[$0] != nil }) {
                    throw HurlProblem("`\(name)` comes from the same response; here it is known only to those that follow")
                }
                let predicate = try HurlPredicate(tokens, of: value) { HurlImport.template($0) }
                let (subject, steps) = (predicate.value.subject, predicate.value.steps)
                let expectation = ExpectationDefinition(subject, then: steps, predicate.matcher, location: .none)
                guard definition.expect(expectation) else { throw HurlProblem("a collection can't hold what it says") }
                noteLaxer(claim, expectation)
            } catch {
                note(claim.line, "the assert `\(claim.text)`: \(error.reason)")
            }
        }
    }

    /// What a number or a field must be there and needn't here.
    private mutating func noteLaxer(_ claim: HurlEntry.Claim, _ expectation: ExpectationDefinition) {
        if claim.tokens.contains(.word("isInteger")) || claim.tokens.contains(.word("isFloat")) {
            note(claim.line, "the assert `\(claim.text)`: 1.0 is a float there, and an integer here")
        }
        guard case .header(let name) = expectation.subject, expectation.steps.isEmpty, case .equals = expectation.matcher else {
            return
        }
        if !comparedHeaders.contains(name) { comparedHeaders.append(name) }
    }

    private mutating func expect(
        _ subject: ExpectationSubject, _ matcher: Matcher, _ line: Int, in definition: inout RequestDefinition
    ) {
        if definition.expect(ExpectationDefinition(subject, matcher, location: .none)) { return }
        note(line, "what is expected of \(subject): a collection can't hold what it says")
    }

    private mutating func read(_ body: HurlBody, into definition: inout RequestDefinition) {
        switch body.content {
        case .json(let text):
            guard let value = JSONParser.parse(text) else {
                return note(body.line, "the expected body: it isn't JSON as it stands")
            }
            expect(.filter("."), .equals(value.mapTexts { template($0, body.line).text }), body.line, in: &definition)
        case .xml(let text), .text(let text, _):
            expect(.body, .equals(.string(template(text, body.line).text)), body.line, in: &definition)
        case .literal(let text, _): expect(.body, .equals(.string(TemplateText(text).text)), body.line, in: &definition)
        case .bytes(let bytes):
            let digits = JSONValue.string(HurlText.hexadecimal(bytes))
            let expectation = ExpectationDefinition(.body, then: [.word(.hex)], .equals(digits), location: .none)
            if !definition.expect(expectation) { note(body.line, "the expected body: a collection can't hold what it says") }
        case .file: note(body.line, "the expected body: it is given as a file")
        }
    }

    private static func capture(
        _ claim: HurlEntry.Claim, _ captured: [String: HurlValue]
    ) throws(HurlProblem) -> (CaptureDefinition, HurlValue) {
        var tokens = claim.tokens[...]
        var value = try HurlValue(&tokens, captured: captured)
        let isSecret = tokens.first == .word("redact")
        if isSecret { tokens.removeFirst() }
        guard tokens.isEmpty else { throw HurlProblem("there is more in it than is understood") }
        guard value.days == nil else { throw HurlProblem("days from now can't be captured") }
        let isDigest = value.steps == [.word(.md5)] || value.steps == [.word(.sha256)]
        guard !value.isBytes || isDigest else { throw HurlProblem("bytes can't be captured") }
        let found = value
        if value.isCount, value.subject != .redirects {
            if case .filter(let filter) = value.subject, filter.hasPrefix("xpath:") || filter.hasPrefix("/") {
                throw HurlProblem("what XPath or an expression finds can't be counted for a capture")
            }
            value.steps.append(.word(.count))
        }
        let name = VariableName.make(claim.name ?? "")
        return (
            CaptureDefinition(
                name: name, source: CaptureSource(value.subject), then: value.steps, isSecret: isSecret, location: .none), found
        )
    }
}

extension RequestDefinition {
    /// Adds what is expected; of one thing several may be, which must all hold.
    ///
    /// - Returns: whether a file can say it.
    fileprivate mutating func expect(_ expectation: ExpectationDefinition) -> Bool {
        var all = expectations
        var expectation = expectation
        let whole = ExpectationSubject.filter("/(?s).*/")
        if expectation.subject == .body, !expectation.isAboutBytes, all.contains(where: { $0.subject == whole }) {
            expectation.subject = whole
        }
        if let index = all.firstIndex(where: { $0.subject == expectation.subject && $0.steps == expectation.steps }) {
            guard all[index].matcher != expectation.matcher else { return true }
            if case .all(let matchers) = all[index].matcher {
                all[index].matcher = .all(matchers + [expectation.matcher])
            } else {
                all[index].matcher = .all([all[index].matcher, expectation.matcher])
            }
        } else {
            all.append(expectation)
        }
        all = all.sideBySide
        if !Self.canHold([], all) {
            // Filters can't stand beside what is said of the whole text; but this expression finds that, too.
            guard all.contains(where: { $0.subject == .body }), all.allSatisfy({ $0.subject != .body || !$0.isAboutBytes }) else {
                return false
            }
            for index in all.indices where all[index].subject == .body { all[index].subject = whole }
            guard Self.canHold([], all) else { return false }
        }
        expectations = all
        return true
    }
}

extension ExpectationDefinition {
    /// Whether its steps take the bytes of the body, and not its text.
    fileprivate var isAboutBytes: Bool {
        switch steps.first {
        case .word(.md5)?, .word(.sha1)?, .word(.sha256)?, .word(.sha512)?, .word(.hex)?, .word(.gunzip)?, .word(.toBase64)?,
            .word(.toBase64url)?, .charset?:
            true
        default: false
        }
    }
}

extension [ExpectationDefinition] {
    /// Those about one thing side by side, and so those below one key, as a file has them; else in their order.
    fileprivate var sideBySide: [ExpectationDefinition] {
        let keys = map(\.subject.key)
        let names = map(\.subject.name)
        let order = indices.map { index in
            (keys.firstIndex(of: keys[index]) ?? index, names.firstIndex(of: names[index]) ?? index, index)
        }
        return indices.sorted { order[$0] < order[$1] }.map { self[$0] }
    }
}

extension ExpectationSubject {
    /// `header` of `header x-a`
    fileprivate var key: Substring { description.prefix { $0 != " " } }

    /// All of a cookie is in one map.
    fileprivate var name: String {
        switch self {
        case .cookie(let name), .cookieAttribute(let name, _): "cookie \(name)"
        default: description
        }
    }
}
