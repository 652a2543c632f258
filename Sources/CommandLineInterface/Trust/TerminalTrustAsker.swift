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
