import Presentation
import RequestCollections

/// What a collection wants, line by line.
enum TrustLines {
    /// `  CHANGED  send  token → https://api.examp1e.net   was https://api.example.com   shop.yaml:7`; nothing of it is cut.
    ///
    /// - Parameter isAsked: as a question has them, what has changed marked; otherwise it is only said whether it is allowed.
    static func lines(_ review: TrustReview, isAsked: Bool = true) -> [String] {
        func mark(_ row: TrustReview.Row) -> String { isAsked || row.state == .allowed ? row.mark : "not allowed" }
        let marks = review.rows.map { mark($0).count }.max() ?? 0
        return review.rows.map { row in
            let mark = mark(row) + String(repeating: " ", count: marks - mark(row).count)
            let kind = row.noted.want.kind + String(repeating: " ", count: max(0, 7 - row.noted.want.kind.count))
            return SafeText.line(([("  \(mark)  \(kind) \(row.noted.want.subject)")] + row.details).joined(separator: "   "))
        }
    }

    /// What is said below a request that is only looked at; nothing when all of it is allowed.
    static func footnote(_ review: TrustReview) -> [String] {
        guard !review.isEmpty else { return [] }
        return ["turnstone: sending it wants what isn't allowed yet:"] + lines(review)
    }

    /// What is said where nobody can be asked.
    static func refusal(_ review: TrustReview, isNever: Bool) -> [String] {
        let path = SafeText.line(review.path)
        if review.path == CollectionChoice.standardInput {
            // There is no file that could be trusted.
            return ["turnstone: what came on standard input wants what isn't allowed:"] + lines(review) + [
                "turnstone: nothing was run, read or sent; allow it for this run: --trust, or --trust with a hash"
            ]
        }
        let way =
            isNever
            ? "turnstone: you said never to \(path); take it back: turnstone trust \(path) --remove"
            : "turnstone: nothing was run, read or sent; allow it: turnstone trust \(path)"
        return ["turnstone: \(SafeText.line(review.name)) (\(path)) wants what isn't allowed:"] + lines(review) + [way]
    }
}
