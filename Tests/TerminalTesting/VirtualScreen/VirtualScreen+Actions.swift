import TerminalUI

extension VirtualScreen {
    mutating func perform(_ action: Action) {
        switch action {
        case .print(let character): print(character)
        case .control(let byte): control(byte)
        case .escape(let intermediates, let final): escape(intermediates, final, action)
        case .sequence(nil, let parameters, let intermediates, let final):
            if intermediates.isEmpty {
                sequence(final, parameters, action)
            } else if intermediates != [UInt8(ascii: " ")] && intermediates != [UInt8(ascii: "!")] {
                unknown.append("\(action)")
            }
        case .sequence(UInt8(ascii: "?"), let parameters, [], let final)
        where final == UInt8(ascii: "h") || final == UInt8(ascii: "l"):
            for mode in parameters.compactMap(\.self) { setMode(mode, final == UInt8(ascii: "h")) }
        case .sequence(UInt8(ascii: ">"), _, _, _): break
        // The Linux console's shape of the cursor.
        case .sequence(UInt8(ascii: "?"), _, [], UInt8(ascii: "c")): break
        case .command(let bytes): command(bytes)
        case .sequence, .broken: unknown.append("\(action)")
        }
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x07: bells += 1
        case 0x08:
            cursor.column = max(0, cursor.column - 1)
            isWrapping = false
        case 0x09: cursor.column = min(size.columns - 1, (cursor.column / 8 + 1) * 8)
        case 0x0A, 0x0B, 0x0C: lineFeed()
        case 0x0D:
            cursor.column = 0
            isWrapping = false
        case 0x0E: activeCharset = 1
        case 0x0F: activeCharset = 0
        case 0x00: break
        default: unknown.append("control \(byte)")
        }
    }

    private mutating func escape(_ intermediates: [UInt8], _ final: UInt8, _ action: Action) {
        switch (intermediates.first.map(Unicode.Scalar.init), Unicode.Scalar(final)) {
        case ("(", let set): charsets[0] = set == "0"
        case (")", let set): charsets[1] = set == "0"
        case (nil, "7"): savedCursor = (cursor, look)
        case (nil, "8"): (cursor, look) = savedCursor
        case (nil, "M"):
            if cursor.row == region.lowerBound { scroll(region, by: -1) } else { cursor.row = max(0, cursor.row - 1) }
        case (nil, "D"): lineFeed()
        case (nil, "E"):
            cursor.column = 0
            lineFeed()
        case (nil, "="), (nil, ">"), (nil, "H"), (nil, "\\"): break
        case (nil, "c"): self = VirtualScreen(size: size)
        default: unknown.append("\(action)")
        }
    }

    private mutating func sequence(_ final: UInt8, _ parameters: [Int?], _ action: Action) {
        func number(_ index: Int, _ standard: Int = 1) -> Int {
            guard parameters.indices.contains(index), let value = parameters[index] else { return standard }
            return value == 0 && standard == 1 ? 1 : value
        }
        let moves = "ABCDEFGHdf`ae"
        if moves.unicodeScalars.contains(Unicode.Scalar(final)) { isWrapping = false }
        switch Unicode.Scalar(final) {
        case "A": cursor.row = max(cursor.row >= region.lowerBound ? region.lowerBound : 0, cursor.row - number(0))
        case "B", "e":
            cursor.row = min(cursor.row < region.upperBound ? region.upperBound - 1 : size.rows - 1, cursor.row + number(0))
        case "C", "a": cursor.column = min(size.columns - 1, cursor.column + number(0))
        case "D": cursor.column = max(0, cursor.column - number(0))
        case "G", "`": cursor.column = min(size.columns - 1, number(0) - 1)
        case "d": cursor.row = min(size.rows - 1, number(0) - 1)
        case "H", "f": cursor = Point(column: min(size.columns, number(1)) - 1, row: min(size.rows, number(0)) - 1)
        case "J": eraseScreen(number(0, 0))
        case "K": eraseLine(number(0, 0))
        case "X": erase(row: cursor.row, columns: cursor.column..<min(size.columns, cursor.column + number(0)))
        case "P": deleteCharacters(number(0))
        case "@": insertCharacters(number(0))
        case "L": if region.contains(cursor.row) { scroll(cursor.row..<region.upperBound, by: -number(0)) }
        case "M": if region.contains(cursor.row) { scroll(cursor.row..<region.upperBound, by: number(0)) }
        case "S": scroll(region, by: number(0))
        case "T": scroll(region, by: -number(0))
        case "b": if let lastCharacter { for _ in 0..<number(0) { put(lastCharacter) } }
        case "m": setLook(parameters.isEmpty ? [0] : parameters.map { $0 ?? 0 }, action)
        case "r":
            region = max(0, number(0) - 1)..<min(size.rows, number(1, size.rows))
            cursor = Point(column: 0, row: 0)
        case "h" where parameters == [4]: insertMode = true
        case "l" where parameters == [4]: insertMode = false
        // The cursor of screen and tmux: usual.
        case "h" where parameters == [34], "l" where parameters == [34]: break
        case "t", "c", "n", "g": break
        case "Z": cursor.column = max(0, (cursor.column - 1) / 8 * 8)
        default: unknown.append("\(action)")
        }
    }

    private mutating func setMode(_ mode: Int, _ isOn: Bool) {
        switch mode {
        case 25: isCursorVisible = isOn
        case 47, 1047, 1049:
            guard isOn != isAlternate else { break }
            if mode == 1049, isOn { savedCursor = (cursor, look) }
            swap(&rows, &otherRows)
            isAlternate = isOn
            if isOn { rows = VirtualScreen.blank(size) }
            if mode == 1049, !isOn { (cursor, look) = savedCursor }
        default: break
        }
        if isOn { modes.insert(mode) } else { modes.remove(mode) }
    }

    private mutating func command(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
        switch parts.first {
        case "0", "2": title = parts.dropFirst().joined(separator: ";")
        case "52" where parts.count == 3: clipboard = String(parts[2])
        case "4", "8", "104", "10", "11", "12", "112": break
        default: unknown.append("OSC \(text)")
        }
    }

    private mutating func setLook(_ parameters: [Int], _ action: Action) {
        var rest = parameters[...]
        while let code = rest.popFirst() {
            switch code {
            case 0: look = Look()
            case 1: look.attributes.insert(.bold)
            case 2: look.attributes.insert(.dim)
            case 3: look.attributes.insert(.italic)
            case 4: look.attributes.insert(.underline)
            case 7: look.attributes.insert(.reverse)
            case 9: look.attributes.insert(.strikethrough)
            case 5, 8, 10, 11, 25, 28: break
            case 22: look.attributes.subtract([.bold, .dim])
            case 23: look.attributes.remove(.italic)
            case 24: look.attributes.remove(.underline)
            case 27: look.attributes.remove(.reverse)
            case 29: look.attributes.remove(.strikethrough)
            case 30...37: look.foreground = code - 30
            case 90...97: look.foreground = code - 90 + 8
            case 40...47: look.background = code - 40
            case 100...107: look.background = code - 100 + 8
            case 39: look.foreground = nil
            case 49: look.background = nil
            case 38: look.foreground = extendedColor(&rest)
            case 48: look.background = extendedColor(&rest)
            default: unknown.append("\(action)")
            }
        }
    }

    private func extendedColor(_ rest: inout ArraySlice<Int>) -> Int? {
        switch rest.popFirst() {
        case 5: return rest.popFirst()
        case 2:
            let (red, green, blue) = (rest.popFirst() ?? 0, rest.popFirst() ?? 0, rest.popFirst() ?? 0)
            return 256 + red << 16 + green << 8 + blue
        default: return nil
        }
    }
}
