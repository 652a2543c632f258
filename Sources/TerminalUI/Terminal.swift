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

    /// By a program that keeps a clipboard, or else by the terminal itself (OSC 52), which reaches through ssh; not every terminal allows it.
    ///
    /// - Returns: whether it surely is there now.
    @discardableResult func copyToClipboard(_ text: String) -> Bool
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

/// What a terminal tells us.
package enum TerminalEvent: Hashable, Sendable {
    case key(KeyPress)
    /// Text from a bracketed paste, in one piece, line ends as LF.
    case paste(String)
    case mouse(MouseEvent)
    case resize(Size)
    /// Back from Ctrl+Z: draw everything anew.
    case resumed
    /// The terminal has said which colour its ground has.
    case ground(isLight: Bool)
    /// SIGTERM, SIGHUP or SIGINT (its number): save what must be saved, and end.
    case terminate(signal: Int32)
}

/// A key with its modifiers, as far as a terminal reports them.
package struct KeyPress: Hashable, Sendable {
    package var key: Key
    package var modifiers: Modifiers

    package init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    package static func character(_ character: Character, _ modifiers: Modifiers = []) -> KeyPress {
        KeyPress(.character(character), modifiers)
    }

    package enum Key: Hashable, Sendable {
        /// Control+R is `r` with `control`. Shift is part of the character.
        case character(Character)
        case enter, escape, tab, backspace, delete, insert
        case up, down, left, right, home, end, pageUp, pageDown
        case function(Int)
    }

    package struct Modifiers: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let shift = Modifiers(rawValue: 1)
        package static let control = Modifiers(rawValue: 2)
        package static let alt = Modifiers(rawValue: 4)
    }
}

/// What the mouse did, at a cell.
package struct MouseEvent: Hashable, Sendable {
    package var action: Action
    package var point: Point

    package init(_ action: Action, at point: Point) {
        self.action = action
        self.point = point
    }

    package enum Action: Hashable, Sendable {
        case press, drag, release, doubleClick, wheelUp, wheelDown
    }
}

/// How pictures are shown.
package enum PictureMode: String, Sendable, Hashable, CaseIterable {
    /// Whatever the terminal supports, by what it says about itself.
    case auto
    /// Not at all.
    case none
    /// By kitty's graphics protocol.
    case kitty

    /// Whether the terminal is told by kitty's protocol.
    ///
    /// Only those are taken for able that keep quiet when they are told to: the answers of others would be read as keys. tmux and screen
    /// pass nothing on.
    package func usesKitty(_ environment: [String: String]) -> Bool {
        switch self {
        case .none: return false
        case .kitty: return true
        case .auto:
            let term = environment["TERM"] ?? ""
            guard environment["TMUX"] == nil, environment["STY"] == nil, environment["NO_COLOR", default: ""].isEmpty else {
                return false
            }
            return term == "xterm-kitty" || term == "xterm-ghostty"
        }
    }
}
