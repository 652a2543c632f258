import FoundationEssentials
import HTTPTypes
import NetworkLayer

extension CaptureDefinition {
    /// What the response gives the variable.
    ///
    /// - Parameter route: the way to the server.
    /// - Throws: a ``CaptureError`` when it gives nothing and there is no default.
    package func value(
        in facts: ResponseFacts, of request: RequestID, by route: Route = Route()
    ) throws(CaptureError) -> CapturedValue {
        do throws(CaptureError) {
            return CapturedValue(try found(in: facts), isSecret: isSecret, from: request, at: Answerer(facts.response, by: route))
        } catch {
            guard let fallback else { throw error }
            return CapturedValue(fallback, isSecret: isSecret, from: request, at: Answerer(facts.response, by: route))
        }
    }

    private func found(in facts: ResponseFacts) throws(CaptureError) -> JSONValue {
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
        case .filter(let filter):
            let values: [JSONValue?]
            do throws(JSONFilterError) {
                values = try facts.found(by: filter)
            } catch {
                throw missing(error.message)
            }
            // What isn't there is null in jq.
            guard case let value?? = values.first, value != .null else { throw missing("`\(filter)` finds nothing in the body") }
            return value
        }
    }

    private func missing(_ reason: String) -> CaptureError {
        CaptureError(name: name, message: "`\(name)` can't be captured: \(reason)", location: location)
    }
}

/// Why a response gives a variable nothing.
package struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The variable's.
    package var name: String
    package var message: String
    package var location: SourceLocation

    package init(name: String, message: String, location: SourceLocation) {
        self.name = name
        self.message = message
        self.location = location
    }

    package var description: String { "\(location): \(message)" }
}
