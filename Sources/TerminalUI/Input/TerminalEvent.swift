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
