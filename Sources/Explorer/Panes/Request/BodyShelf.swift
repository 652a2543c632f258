import Presentation
import RequestCollections

/// The bodies of a request that other kinds have taken the place of, until it is saved: choosing a kind again brings back what it had.
struct BodyShelf: Hashable, Sendable {
    private var bodies: [RequestBodyKind: BodyDefinition] = [:]

    /// What takes the place of a body. Rows of a form and parts, JSON and text are carried over, when they were changed since.
    mutating func swapIn(_ kind: RequestBodyKind, insteadOf body: BodyDefinition) -> BodyDefinition {
        func empty(_ kind: RequestBodyKind) -> BodyDefinition { BodyDefinition.none.converted(to: kind) }
        let kept = bodies[kind]
        // What nobody has put anything into is no content.
        guard body != empty(body.kind) else { return kept ?? empty(kind) }
        bodies[body.kind] = body
        let carried = body.converted(to: kind)
        guard let kept else { return carried }
        let isUnchanged = carried == empty(kind) || kept.converted(to: body.kind) == body
        return isUnchanged ? kept : carried
    }
}

extension RequestDefinition {
    /// That a JSON body is none, and where.
    var bodyComplaint: String? {
        guard case .json(let text) = body, let fault = JSONFault(in: text, limit: .max) else { return nil }
        return "the body is no JSON: line \(fault.line), \(fault.reason); it is sent as it stands"
    }
}
