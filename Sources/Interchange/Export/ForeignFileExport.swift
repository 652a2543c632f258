import RequestCollections

/// An export whose file has a piece of text for each request.
protocol ForeignFileExport {
    var plan: ExportPlan { get }
    var templates: ForeignTemplates { get set }
}

extension ForeignFileExport {
    /// What each request becomes, in their order. Those that can't be said in such a file are named.
    mutating func pieces<Piece>(
        _ write: (inout Self, MergedRequest) throws(Inexpressible) -> Piece
    ) -> [Piece] {
        var pieces: [Piece] = []
        for request in plan.requests {
            templates.request = request.definition
            templates.notes.request = request.definition.id
            do throws(Inexpressible) {
                pieces.append(try write(&self, request))
            } catch {
                templates.notes.add("left out: \(error.reason)")
            }
        }
        templates.request = nil
        templates.notes.request = nil
        return pieces
    }
}
