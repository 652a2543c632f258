/// Where the lines of a pane are scrolled to.
///
/// Nothing in it depends on how many lines there are or how many fit: those change while a body arrives and when the terminal
/// is resized, so that every question and every step brings them along.
struct ScrollPosition: Hashable, Sendable {
    /// The first line to show, from 0; may lie beyond what there is.
    private var top = 0
    /// Stays at the end while lines are added.
    private(set) var follows: Bool

    /// - Parameter follows: begins at the end, and stays there (a log).
    init(follows: Bool = false) {
        self.follows = follows
    }

    /// What moves it.
    enum Step: Hashable, Sendable {
        case lines(Int)
        /// Pages leave one line of the old page in sight.
        case pages(Int)
        case start, end

        /// `nil`: the command doesn't move up or down.
        init?(_ command: Command.ID) {
            switch command {
            case .up: self = .lines(-1)
            case .down: self = .lines(1)
            case .pageUp: self = .pages(-1)
            case .pageDown: self = .pages(1)
            case .top: self = .start
            case .bottom: self = .end
            default: return nil
            }
        }
    }

    /// The first line to show: no further down than the last page, never negative.
    func firstLine(of count: Int, rows: Int) -> Int {
        let last = max(0, count - max(1, rows))
        return follows ? last : min(max(0, top), last)
    }

    /// - Parameter logs: whether the end is where new lines appear, so that reaching it means following.
    mutating func move(_ step: Step, count: Int, rows: Int, logs: Bool = false) {
        let last = max(0, count - max(1, rows))
        let first = firstLine(of: count, rows: rows)
        switch step {
        case .lines(let lines): top = first + lines
        case .pages(let pages): top = first + pages * max(1, rows - 1)
        case .start: top = 0
        case .end: top = last
        }
        top = min(max(0, top), last)
        follows = logs && top == last
    }

    /// Brings a line into sight, a third from the top when it isn't.
    mutating func reveal(_ line: Int, count: Int, rows: Int) {
        let first = firstLine(of: count, rows: rows)
        guard line < first || line >= first + max(1, rows) else { return }
        follows = false
        top = min(max(0, line - rows / 3), max(0, count - max(1, rows)))
    }
}
