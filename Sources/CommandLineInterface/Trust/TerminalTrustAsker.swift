import Base
import CollectionRunner
import Presentation
import RequestCollections

/// Asks at the terminal what a collection may have. Whatever isn't a clear yes refuses.
struct TerminalTrustAsker: TrustAsker {
    private let context: CommandLineContext

    /// - Returns: `nil` when nobody sits there.
    init?(_ context: CommandLineContext) {
        guard context.standardInput.isTerminal, context.standardError.isTerminal else { return nil }
        self.context = context
    }

    func ask(about review: TrustReview) async -> TrustAnswer {
        let name = "\(SafeText.line(review.name)) (\(SafeText.line(review.path)))"
        say("\(name) wants what you have not allowed. Nothing was run, read or sent for it so far.\n")
        say(TrustLines.lines(review).joined(separator: "\n") + "\n")
        while true {
            let answer = context.askLine("Allow once [o], allow these [t], refuse [N], never ask here [x], view again [v]: ")
            switch answer?.lowercased() {
            case "o": return isConfirmed(review) ? .once : .refuse
            case "t": return isConfirmed(review) ? .these : .refuse
            case "x": return .never
            case "v": say(TrustLines.lines(review).joined(separator: "\n") + "\n")
            default: return .refuse
            }
        }
    }

    /// A name that looks like another one is seen by whoever has to type it.
    private func isConfirmed(_ review: TrustReview) -> Bool {
        for host in review.changedHosts {
            let typed = context.askLine("A secret would go to a server that did not get it before. Type its name to allow it: ")
            guard typed == host else {
                say("That isn't its name; nothing is allowed.\n")
                return false
            }
        }
        return true
    }

    private func say(_ text: String) {
        try? context.standardError.show(Data(text.utf8))
    }
}

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
