/// A terminal that shows frames and tells what was typed. Confined to the main actor, as curses is.
@MainActor
package protocol Terminal: AnyObject {
    var size: Size { get }
    var colorDepth: ColorDepth { get }

    /// Whether it shows the images of frames.
    var showsImages: Bool { get }

    /// Can be called from any thread, as often as one likes: the next or present wait returns.
    var waker: any TerminalWaker { get }

    /// Shows the frame. Only what differs from the frame before is written.
    func draw(_ frame: Frame)

    /// What it shows isn't known any more: the next frame is drawn in full.
    func invalidate()

    /// Blocks until something happens, `waker` wakes, or the time is over (`nil`: never); returns all that has happened, in order.
    func waitForEvents(timeout: Duration?) -> [TerminalEvent]

    /// Gives the terminal back as it was before, for an editor or the shell.
    func leave()

    /// Takes it again; the next frame is drawn in full.
    func enter()

    /// Stops the program as Ctrl+Z does, until the shell continues it. Leaves before and enters after.
    func suspend()

    /// The terminal's own clipboard (OSC 52), which reaches through ssh and tmux where they allow it.
    func copyToClipboard(_ text: String)
}

extension Terminal {
    package var showsImages: Bool { false }
}

package protocol TerminalWaker: Sendable {
    func wake()
}

/// The colours that a terminal has.
package enum ColorDepth: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Attributes only.
    case none = 0
    case eight = 8
    case sixteen = 16
    case palette = 256
    /// 24 bits each.
    case direct = 16_777_216

    package static func < (one: ColorDepth, other: ColorDepth) -> Bool { one.rawValue < other.rawValue }
}
