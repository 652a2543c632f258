import Presentation
import TerminalUI

/// How the body is looked at: its form, which part of it is in sight, and what is looked for.
///
/// It knows nothing of the body itself; every question and every step brings the document along.
struct BodyViewState: Hashable, Sendable {
    var mode = BodyMode.pretty
    /// Long lines go on in the next row.
    var wraps = false
    var showsNumbers = false
    /// What of a tree isn't shown.
    var folds = BodyFolds()
    /// In a tree, the line that folding and copying apply to; it is always in sight.
    var cursor = 0
    /// The first row in sight.
    var top = BodyPosition()
    /// The first column in sight, when lines aren't wrapped.
    var left = 0
    var search = Search()
    /// Where to go as soon as the index has reached it.
    var destination: Destination?
    /// The room it was last fitted to.
    var viewport = Size(columns: 0, rows: 0)

    struct Search: Hashable, Sendable {
        var pattern: BodyPattern?
        var current: BodyMatch?
        /// The matches counted so far.
        var tally: BodyTally?
        /// Asked, and not answered yet.
        var pending: BodySearch?
    }

    /// A place in a part of the body that isn't indexed yet.
    enum Destination: Hashable, Sendable {
        case end
        /// The line that shows it.
        case byte(Int)
    }

    /// The columns that line numbers take, a blank included.
    func gutter(of document: BodyDocument) -> Int {
        guard showsNumbers, document.mode != .hex else { return 0 }
        return String(max(100, document.lineCount.lines)).count + 1
    }

    /// Whether a cursor walks its lines, and parts of it can be folded. Wrapped lines scroll row by row instead.
    func hasCursor(_ document: BodyDocument) -> Bool { document.isTree && !wraps(document) }

    /// Whether lines of this document are wrapped.
    func wraps(_ document: BodyDocument) -> Bool { wraps && document.mode != .hex }

    /// The columns of text in a viewport.
    func columns(of document: BodyDocument, in size: Size) -> Int {
        max(1, size.columns - gutter(of: document))
    }

    mutating func toggle(_ option: WritableKeyPath<Self, Bool>, in document: BodyDocument?, size: Size) {
        self[keyPath: option].toggle()
        left = 0
        if wraps { folds.unfoldAll() }
        if let document { settle(in: document, size: size) }
    }

    /// Moves what is in sight, and not the cursor in it.
    mutating func wheel(by rows: Int, in document: BodyDocument, size: Size) {
        destination = nil
        scroll(by: rows, in: document, size: size)
    }

    /// Back to the start: another body is shown.
    mutating func reset() {
        top = BodyPosition()
        cursor = 0
        folds.unfoldAll()
        left = 0
        destination = nil
        search.current = nil
        search.tally = nil
        search.pending = nil
    }
}
