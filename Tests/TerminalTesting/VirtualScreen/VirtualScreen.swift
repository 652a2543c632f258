package import TerminalUI

/// A terminal's screen, from the bytes that a program writes to it: as much of a VT100, xterm, screen or tmux as ncurses makes
/// use of. Unlike a real one it is strict: what it doesn't know is kept in `unknown`, and a test can hold that empty.
package struct VirtualScreen: Sendable {
    package private(set) var size: Size
    package internal(set) var cursor = Point(column: 0, row: 0)
    package internal(set) var isCursorVisible = true
    package internal(set) var isAlternate = false
    /// Private modes that are on (`CSI ? n h`), such as 2004 for bracketed paste.
    package internal(set) var modes: Set<Int> = []
    /// Sequences that it didn't understand.
    package internal(set) var unknown: [String] = []
    /// What the program put into the clipboard (OSC 52), as base64.
    package internal(set) var clipboard: String?
    package internal(set) var title = ""
    package internal(set) var bells = 0

    var rows: [[Cell]]
    var otherRows: [[Cell]]
    var look = Look()
    var region: Range<Int>
    /// A character in the last column has been written; the next one goes to the next line.
    var isWrapping = false
    var savedCursor: (Point, Look) = (Point(column: 0, row: 0), Look())
    var charsets = [false, false]
    var activeCharset = 0
    var lastCharacter: Character?
    var parser = Parser()
    var insertMode = false

    /// A cell as a terminal has it: colours are numbers of its palette.
    package struct Cell: Hashable, Sendable {
        /// Empty behind a double-width character.
        package var text: String
        package var look: Look

        package init(_ text: String = " ", look: Look = Look()) {
            self.text = text
            self.look = look
        }
    }

    package struct Look: Hashable, Sendable {
        /// `nil`: the terminal's own. From 256 on: 24 bits, above 256.
        package var foreground: Int?
        package var background: Int?
        package var attributes: Style.Attributes

        package init(foreground: Int? = nil, background: Int? = nil, attributes: Style.Attributes = []) {
            self.foreground = foreground
            self.background = background
            self.attributes = attributes
        }
    }

    package init(size: Size = Size(columns: 80, rows: 24)) {
        self.size = size
        rows = VirtualScreen.blank(size)
        otherRows = rows
        region = 0..<size.rows
    }

    // MARK: What is seen

    /// The screen as text, without blanks at line ends and without empty lines at its end.
    package var text: String {
        var lines = self.lines
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// One string a row, without blanks at the end.
    package var lines: [String] {
        rows.map { row in
            var line = row.map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    package func cell(column: Int, row: Int) -> Cell { rows[row][column] }

    /// Where this text first stands, in one row.
    package func find(_ text: String) -> Point? {
        for (row, cells) in rows.enumerated() {
            var line = ""
            var columns: [Int] = []
            for (column, cell) in cells.enumerated() {
                line += cell.text
                columns += Array(repeating: column, count: cell.text.count)
            }
            if let range = line.firstRange(of: text) {
                return Point(column: columns[line.distance(from: line.startIndex, to: range.lowerBound)], row: row)
            }
        }
        return nil
    }

    package func contains(_ text: String) -> Bool { find(text) != nil }

    // MARK: What happens

    package mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if let action = parser.take(byte) { perform(action) }
        }
    }

    /// As a terminal does it: lines are cut or filled, the cursor stays inside.
    package mutating func resize(_ new: Size) {
        func fitted(_ rows: [[Cell]]) -> [[Cell]] {
            let cut = rows.prefix(new.rows).map { row in
                Array(row.prefix(new.columns)) + Array(repeating: Cell(), count: max(0, new.columns - row.count))
            }
            return cut + VirtualScreen.blank(Size(columns: new.columns, rows: max(0, new.rows - cut.count)))
        }
        rows = fitted(rows)
        otherRows = fitted(otherRows)
        size = new
        region = 0..<new.rows
        cursor = Point(column: min(cursor.column, new.columns - 1), row: min(cursor.row, new.rows - 1))
        isWrapping = false
    }

    static func blank(_ size: Size, _ cell: Cell = Cell()) -> [[Cell]] {
        Array(repeating: Array(repeating: cell, count: size.columns), count: size.rows)
    }
}
