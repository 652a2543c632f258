import TerminalUI

/// Writing, erasing and moving cells. Erased cells have the present background, as xterm's do (`bce`).
extension VirtualScreen {
    mutating func print(_ character: Character) {
        let isDrawing = charsets[activeCharset]
        let character = isDrawing ? VirtualScreen.lineDrawing[character] ?? character : character
        put(character)
        lastCharacter = character
    }

    mutating func put(_ character: Character) {
        let width = character.unicodeScalars.first.map { DisplayWidth.of($0) } ?? 1
        if width == 0 {
            attach(character)
            return
        }
        if isWrapping || cursor.column + width > size.columns {
            cursor.column = 0
            lineFeed()
        }
        isWrapping = false
        if insertMode { insertCharacters(width) }
        separate(cursor.column)
        if width == 2 { separate(cursor.column + 1) }
        rows[cursor.row][cursor.column] = Cell(String(character), look: look)
        if width == 2 { rows[cursor.row][cursor.column + 1] = Cell("", look: look) }
        if cursor.column + width < size.columns {
            cursor.column += width
        } else {
            cursor.column = size.columns - 1
            isWrapping = true
        }
    }

    /// A mark goes onto the character before the cursor.
    private mutating func attach(_ mark: Character) {
        var column = isWrapping ? cursor.column : cursor.column - 1
        if column > 0, rows[cursor.row][column].text.isEmpty { column -= 1 }
        if column >= 0 { rows[cursor.row][column].text.unicodeScalars.append(contentsOf: mark.unicodeScalars) }
    }

    /// A double-width character that loses a half is gone.
    private mutating func separate(_ column: Int) {
        if rows[cursor.row][column].text.isEmpty, column > 0 {
            rows[cursor.row][column - 1].text = " "
            rows[cursor.row][column].text = " "
        }
        if column + 1 < size.columns, rows[cursor.row][column + 1].text.isEmpty { rows[cursor.row][column + 1].text = " " }
    }

    mutating func lineFeed() {
        isWrapping = false
        if cursor.row == region.upperBound - 1 {
            scroll(region, by: 1)
        } else {
            cursor.row = min(size.rows - 1, cursor.row + 1)
        }
    }

    /// Moves lines up (or, with a negative number, down); what comes in is blank.
    mutating func scroll(_ range: Range<Int>, by count: Int) {
        let blank = Array(repeating: erased, count: size.columns)
        let count = min(max(count, -range.count), range.count)
        let lines = Array(repeating: blank, count: abs(count))
        rows.replaceSubrange(
            range, with: count > 0 ? Array(rows[range].dropFirst(count)) + lines : lines + Array(rows[range].dropLast(-count)))
    }

    mutating func erase(row: Int, columns: Range<Int>) {
        for column in columns { rows[row][column] = erased }
    }

    mutating func eraseLine(_ part: Int) {
        switch part {
        case 0: erase(row: cursor.row, columns: cursor.column..<size.columns)
        case 1: erase(row: cursor.row, columns: 0..<cursor.column + 1)
        default: erase(row: cursor.row, columns: 0..<size.columns)
        }
    }

    mutating func eraseScreen(_ part: Int) {
        switch part {
        case 0:
            eraseLine(0)
            for row in cursor.row + 1..<max(cursor.row + 1, size.rows) { erase(row: row, columns: 0..<size.columns) }
        case 1:
            eraseLine(1)
            for row in 0..<cursor.row { erase(row: row, columns: 0..<size.columns) }
        case 2: for row in 0..<size.rows { erase(row: row, columns: 0..<size.columns) }
        default: break
        }
    }

    mutating func deleteCharacters(_ count: Int) {
        let count = min(count, size.columns - cursor.column)
        rows[cursor.row].removeSubrange(cursor.column..<cursor.column + count)
        rows[cursor.row] += Array(repeating: erased, count: count)
    }

    mutating func insertCharacters(_ count: Int) {
        let count = min(count, size.columns - cursor.column)
        rows[cursor.row].insert(contentsOf: Array(repeating: erased, count: count), at: cursor.column)
        rows[cursor.row].removeLast(count)
    }

    private var erased: Cell { Cell(" ", look: Look(background: look.background)) }

    static let lineDrawing: [Character: Character] = [
        "q": "─", "x": "│", "l": "┌", "k": "┐", "m": "└", "j": "┘", "t": "├", "u": "┤", "w": "┬", "v": "┴", "n": "┼",
        "a": "▒", "`": "◆", "~": "·", "0": "█",
    ]
}
