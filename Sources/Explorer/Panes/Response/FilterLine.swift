import Presentation
import TerminalUI

/// The line over the body that a filter is typed into.
struct FilterLine: Hashable, Sendable {
    var line: LineEditor
    /// The filter before: Escape brings it back.
    var before: String
    /// Whether it filters the events, by words that their lines have, and not the body.
    var isOfEvents = false

    /// What it does as it stands, while it is typed. A command may have effects, so it waits for Enter.
    var liveFilter: String? {
        let text = ExplorerState.filter(from: line.text)
        return text.hasPrefix("!") ? nil : text
    }
}

/// What a filter makes of a body.
struct FilteredBody: Sendable {
    /// The filter that was asked for last.
    var filter: String
    /// What it found; while it is at work, and when it fails, what the one before it found.
    var document: BodyDocument?
    /// Why it found nothing.
    var failure: String?
    var isRunning = true
}
