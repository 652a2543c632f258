import Base
import HTTPTypes
package import NetworkLayer

extension CaptureDefinition {
    /// What the response gives the variable.
    ///
    /// - Throws: a ``CaptureError`` when it gives nothing and there is no default.
    package func value(
        in facts: ResponseFacts, of request: RequestID
    ) throws(CaptureError) -> CapturedValue {
        try evaluate(facts, of: request).value
    }

    /// The same, and the texts that nobody may see because of it: of a secret also what it is made of.
    ///
    /// - Parameter redactor: what a step makes of a secret that it knows is one, too.
    package func evaluate(
        _ facts: ResponseFacts, of request: RequestID, hiding redactor: Redactor = Redactor()
    ) throws(CaptureError) -> (value: CapturedValue, secrets: [String]) {
        var seen: [StepValue] = []
        do throws(CaptureError) {
            let found = try found(in: facts, hiding: redactor, &seen)
            // What a server sends back of a secret stays one.
            let isSecret = isSecret || found.leafTexts.contains(where: redactor.finds) || seen.haveSecret(redactor)
            let value = CapturedValue(
                found, isSecret: isSecret, isFlat: isFlat == true, from: request, at: Origin(answering: facts.response.info))
            // The rest of a list or map that it is taken from is no secret.
            let texts = seen.filter { !$0.isStructure }.flatMap(\.leafTexts)
            return (value, isSecret || isHidden && found.scalar != nil ? found.leafTexts + texts : [])
        } catch {
            guard let fallback else { throw error }
            let isSecret = isSecret || fallback.leafTexts.contains(where: redactor.finds)
            let value = CapturedValue(
                fallback, isSecret: isSecret, isFlat: isFlat == true, from: request, at: Origin(answering: facts.response.info))
            return (value, isSecret || isHidden && fallback.scalar != nil ? fallback.leafTexts : [])
        }
    }

    private func found(
        in facts: ResponseFacts, hiding redactor: Redactor, _ seen: inout [StepValue]
    ) throws(CaptureError) -> JSONValue {
        var context = MatchContext(now: facts.now)
        let value: JSONValue?
        switch try self.value(in: facts, &context, &seen) {
        case .success(let found): value = found
        case .failure(let error): throw missing(isHidden || seen.haveSecret(redactor) ? error.hidden : error.message)
        }
        if let problem = context.problem { throw missing(problem) }
        guard let value, value != .null else {
            let whole = isHidden || seen.haveSecret(redactor) ? nil : seen.first.flatMap { wholeText($0, redactor) }
            throw missing(
                "\(steps.map(\.description).joined(separator: " → ")) finds nothing in \(source.place)",
                whole.map { ["\(source.label): \($0)"] } ?? [])
        }
        return value
    }

    /// What the steps were given, where that is one line: a field, or the URL. What follows a `?` may be anybody's token.
    private func wholeText(_ start: StepValue, _ redactor: Redactor) -> String? {
        guard case .json(.string(let text)) = start else { return nil }
        switch source {
        case .header, .url: break
        default: return nil
        }
        let shown = redactor.text(text)
        let start = shown.prefix { $0 != "?" }.unicodeScalars.prefix(Self.mostShown)
        return ScalarWriter.doubleQuoted(String(start) + (start.count < shown.unicodeScalars.count ? "…" : ""))
    }

    private static let mostShown = 80

    private func value(
        in facts: ResponseFacts, _ context: inout MatchContext, _ seen: inout [StepValue]
    ) throws(CaptureError) -> Result<JSONValue?, ValueStepError> {
        let found = try found(by: source, in: facts)
        guard let first = steps.first else { return .success(found) }
        let start: StepValue =
            switch source {
            case .body where first.isAboutBytes: .bytes(facts.body)
            default:
                if first.isAboutAll, let subject = source.repeated, case .found(let values) = facts.values(of: subject) {
                    .json(.array(values.compactMap(\.self)))
                } else {
                    .json(found)
                }
            }
        do throws(ValueStepError) {
            return .success(try steps.applied(to: start, &context, &seen))
        } catch {
            return .failure(error)
        }
    }

    private func found(by source: CaptureSource, in facts: ResponseFacts) throws(CaptureError) -> JSONValue {
        guard let info = facts.response.info else {
            throw missing(facts.response.error.map { "there is no response: \($0.message)" } ?? "there is no response")
        }
        switch source {
        case .status: return .number("\(info.head.status.code)")
        case .url: return .string(info.finalRequest.url.absoluteString)
        case .body:
            if let problem = facts.bodyProblem { throw missing(problem) }
            return .string(facts.bodyText)
        case .header(let name):
            guard let value = facts.headers(name).first else { throw missing("the response has no header `\(name)`") }
            return .string(value)
        case .cookie(let name):
            guard let value = facts.cookies(name).first else { throw missing("the response sets no cookie `\(name)`") }
            return .string(value)
        case .subject(.locations):
            guard case .found(let values) = facts.values(of: .locations), !values.isEmpty else {
                throw missing("nothing redirected")
            }
            return .array(values.compactMap(\.self))
        case .subject(let subject):
            switch facts.values(of: subject) {
            case .found(let values):
                guard case let value?? = values.first else { throw missing("the response has no \(subject)") }
                return value
            case .none(let reason): throw missing(reason)
            }
        case .filter(let filter):
            let values: [JSONValue?]
            do throws(JSONFilterError) {
                values = try facts.found(by: filter)
            } catch {
                throw missing(error.message)
            }
            // What isn't there is null in jq.
            guard case let value?? = values.first, value != .null else { throw missing("\(filter) finds nothing in the body") }
            return value
        }
    }

    private func missing(_ reason: String, _ evidence: [String] = []) -> CaptureError {
        CaptureError(name: name, message: "nothing to capture for \(name): \(reason)", evidence: evidence, location: location)
    }
}

extension CaptureSource {
    /// What a response may have several of.
    fileprivate var repeated: ExpectationSubject? {
        switch self {
        case .header(let name): .header(name)
        case .cookie(let name): .cookie(name)
        case .subject(let subject) where subject.isRepeated: subject
        default: nil
        }
    }

    /// The label in front of the value.
    fileprivate var label: String { if case .header(let name) = self { name } else { "url" } }

    /// As the end of "finds nothing in".
    fileprivate var place: String {
        switch self {
        case .header(let name): "header \(name)"
        case .cookie(let name): "cookie \(name)"
        case .filter(let filter): "what \(filter) finds"
        case .status: "the status"
        case .url: "the URL"
        case .body: "the body"
        case .subject(let subject): "\(subject)"
        }
    }
}

/// Why a response gives a variable nothing.
package struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The variable's.
    package var name: String
    package var message: String
    /// What shows why: a line each.
    package var evidence: [String]
    package var location: SourceLocation

    package init(name: String, message: String, evidence: [String] = [], location: SourceLocation) {
        self.name = name
        self.message = message
        self.evidence = evidence
        self.location = location
    }

    package var description: String { "\(location): \(message)" }
}
