import Presentation
import RequestCollections

/// What a collection wants, line by line.
enum TrustLines {
    /// `  CHANGED  send  token → https://api.examp1e.net   was https://api.example.com   shop.yaml:7`; nothing of it is cut.
    static func lines(_ review: TrustReview) -> [String] {
        let marks = review.rows.map(\.mark.count).max() ?? 0
        return review.rows.map { row in
            let mark = row.mark + String(repeating: " ", count: marks - row.mark.count)
            let kind = row.noted.want.kind + String(repeating: " ", count: max(0, 7 - row.noted.want.kind.count))
            return SafeText.line(([("  \(mark)  \(kind) \(row.noted.want.subject)")] + row.details).joined(separator: "   "))
        }
    }

    /// What is said where nobody can be asked.
    static func refusal(_ review: TrustReview, isNever: Bool) -> [String] {
        let path = SafeText.line(review.path)
        let way =
            isNever
            ? "turnstone: you said never to \(path); take it back: turnstone trust \(path) --remove"
            : "turnstone: nothing was run, read or sent; allow it: turnstone trust \(path)"
        return ["turnstone: \(SafeText.line(review.name)) (\(path)) wants what isn't allowed:"] + lines(review) + [way]
    }
}
