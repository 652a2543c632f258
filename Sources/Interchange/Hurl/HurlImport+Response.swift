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
