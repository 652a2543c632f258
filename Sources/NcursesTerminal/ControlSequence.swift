import TerminalUI

/// `CSI parameters final`, as xterm, rxvt, the Linux console, and terminals with the kitty or `modifyOtherKeys` protocols send it.
enum ControlSequence {
    /// Bytes of parameters.
    private static let longest = 64

    /// - Parameter bytes: begins with `ESC [`.
    static func step(_ bytes: ArraySlice<UInt8>) -> InputDecoder.Step {
        let start = bytes.startIndex + 2
        guard start < bytes.endIndex else { return .incomplete }
        // The oldest mouse protocol: three bytes that are no parameters.
        if bytes[start] == UInt8(ascii: "M") {
            guard bytes.endIndex - start >= 4 else { return .incomplete }
            let (button, column, row) = (Int(bytes[start + 1]) - 32, Int(bytes[start + 2]) - 33, Int(bytes[start + 3]) - 33)
            return result(mouse(button: button, column: column, row: row, isRelease: button & 3 == 3), length: 6)
        }
        var index = start
        while index < bytes.endIndex, (0x20...0x3F).contains(bytes[index]) {
            index += 1
            // No terminal sends so many; and it means the same whether the rest is there already or not.
            if index - start > longest { return .nothing(length: index - bytes.startIndex) }
            // rxvt marks Shift by `$`, which is no final byte elsewhere.
            if bytes[index - 1] == UInt8(ascii: "$"), index - 1 > start { return rxvt(bytes, start, index - 1) }
        }
        guard index < bytes.endIndex else { return .incomplete }
        let length = index + 1 - bytes.startIndex
        let final = bytes[index]
        if final == UInt8(ascii: "^") || final == UInt8(ascii: "@") { return rxvt(bytes, start, index) }
        let isMouse = bytes[start] == UInt8(ascii: "<")
        let parameters = numbers(bytes[(isMouse ? start + 1 : start)..<index])
        if isMouse {
            guard parameters.count == 3, final == UInt8(ascii: "M") || final == UInt8(ascii: "m") else {
                return .nothing(length: length)
            }
            let event = mouse(
                button: parameters[0], column: parameters[1] - 1, row: parameters[2] - 1, isRelease: final == UInt8(ascii: "m"))
            return result(event, length: length)
        }
        if final == UInt8(ascii: "~"), parameters.first == 200 { return .pasteBegins(length: length) }
        guard let press = key(final, parameters) else { return .nothing(length: length) }
        return .key(press, length: length)
    }

    /// `ESC O final`: what the keypad's application mode sends.
    static func applicationKey(_ final: UInt8) -> KeyPress? {
        switch final {
        case UInt8(ascii: "M"): KeyPress(.enter)
        // rxvt's Control with an arrow.
        case UInt8(ascii: "a")...UInt8(ascii: "d"): arrow(final - 32).map { KeyPress($0, .control) }
        case UInt8(ascii: "j")...UInt8(ascii: "y"): .character(Character(Unicode.Scalar(final - 0x40)))
        default: key(final, [])
        }
    }

    private static func key(_ final: UInt8, _ parameters: [Int]) -> KeyPress? {
        let modifiers = parameters.count > 1 ? modifiers(parameters[1]) : []
        switch final {
        case UInt8(ascii: "A")...UInt8(ascii: "D"): return arrow(final).map { KeyPress($0, modifiers) }
        case UInt8(ascii: "a")...UInt8(ascii: "d"): return arrow(final - 32).map { KeyPress($0, .shift) }
        case UInt8(ascii: "H"): return KeyPress(.home, modifiers)
        case UInt8(ascii: "F"): return KeyPress(.end, modifiers)
        case UInt8(ascii: "E"): return nil
        case UInt8(ascii: "Z"): return KeyPress(.tab, .shift)
        case UInt8(ascii: "P")...UInt8(ascii: "S"): return KeyPress(.function(Int(final) - 0x4F), modifiers)
        case UInt8(ascii: "u"): return parameters.first.flatMap { character($0, modifiers) }
        case UInt8(ascii: "~"):
            if parameters.first == 27, parameters.count == 3 { return character(parameters[2], modifiers) }
            return parameters.first.flatMap(numbered).map { KeyPress($0, modifiers) }
        default: return nil
        }
    }

    private static func rxvt(_ bytes: ArraySlice<UInt8>, _ start: Int, _ final: Int) -> InputDecoder.Step {
        let length = final + 1 - bytes.startIndex
        guard let key = numbers(bytes[start..<final]).first.flatMap(numbered) else { return .nothing(length: length) }
        let modifiers: KeyPress.Modifiers =
            switch bytes[final] {
            case UInt8(ascii: "$"): .shift
            case UInt8(ascii: "^"): .control
            default: [.shift, .control]
            }
        return .key(KeyPress(key, modifiers), length: length)
    }

    private static func arrow(_ final: UInt8) -> KeyPress.Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        default: nil
        }
    }

    private static func numbered(_ number: Int) -> KeyPress.Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...26: .function(number - 12)
        case 28, 29: .function(number - 13)
        case 31...34: .function(number - 14)
        default: nil
        }
    }

    /// A key by its code point (kitty, `modifyOtherKeys`).
    private static func character(_ code: Int, _ modifiers: KeyPress.Modifiers) -> KeyPress? {
        switch code {
        case 9: return KeyPress(.tab, modifiers)
        case 13, 57414: return KeyPress(.enter, modifiers)
        case 27: return KeyPress(.escape, modifiers)
        case 8, 127: return KeyPress(.backspace, modifiers)
        case 0..<32, 57344...63743: return nil
        default:
            guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
            var modifiers = modifiers
            var character = Character(scalar)
            if modifiers.contains(.shift) {
                // Shift is part of the character.
                modifiers.remove(.shift)
                if modifiers.isEmpty { character = Character(character.uppercased()) }
            }
            return .character(character, modifiers)
        }
    }

    /// 1 and a bit each: Shift 1, Alt 2, Control 4; Meta (32) counts as Alt.
    private static func modifiers(_ parameter: Int) -> KeyPress.Modifiers {
        let bits = max(0, parameter - 1)
        var modifiers: KeyPress.Modifiers = []
        if bits & 1 != 0 { modifiers.insert(.shift) }
        if bits & (2 | 32) != 0 { modifiers.insert(.alt) }
        if bits & 4 != 0 { modifiers.insert(.control) }
        return modifiers
    }

    /// Separated by `;`; what follows a `:` (kitty's details) is left out.
    private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
        if bytes.isEmpty { return [] }
        return bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { part in
            part.prefix { $0 != UInt8(ascii: ":") }.reduce(0) { value, byte in
                (0x30...0x39).contains(byte) && value < 1_000_000 ? value * 10 + Int(byte - 0x30) : value
            }
        }
    }

    private static func result(_ event: MouseEvent?, length: Int) -> InputDecoder.Step {
        event.map { .event(.mouse($0), length: length) } ?? .nothing(length: length)
    }

    private static func mouse(button: Int, column: Int, row: Int, isRelease: Bool) -> MouseEvent? {
        guard column >= 0, row >= 0 else { return nil }
        let point = Point(column: column, row: row)
        // 4, 8, 16: Shift, Alt, Control; 32: moved; 64: the wheel.
        switch button & ~(4 | 8 | 16) {
        case 0: return MouseEvent(isRelease ? .release : .press, at: point)
        case 3: return MouseEvent(.release, at: point)
        case 32: return MouseEvent(.drag, at: point)
        case 64: return isRelease ? nil : MouseEvent(.wheelUp, at: point)
        case 65: return isRelease ? nil : MouseEvent(.wheelDown, at: point)
        default: return nil
        }
    }
}

/// `ESC ] 11 ; rgb:RRRR/GGGG/BBBB`, ended by BEL or `ESC \`: what a terminal answers when it is asked for the colour of its ground.
enum GroundReport {
    private static let start = Array("\u{1B}]11;".utf8)
    private static let longest = 64

    /// Whether the bytes, which begin with `ESC ]`, are the report or its beginning; else it is Alt and a bracket.
    static func mayBe(_ bytes: ArraySlice<UInt8>) -> Bool {
        zip(bytes, start).allSatisfy { $0 == $1 }
    }

    static func step(_ bytes: ArraySlice<UInt8>) -> InputDecoder.Step {
        guard bytes.count >= start.count else { return .incomplete }
        let rest = bytes.dropFirst(start.count)
        guard let end = rest.firstIndex(where: { $0 == 0x07 || $0 == 0x1B }) else {
            return bytes.count > longest ? .nothing(length: bytes.count) : .incomplete
        }
        var next = end + 1
        if bytes[end] == 0x1B {
            guard next < bytes.endIndex else { return .incomplete }
            if bytes[next] == UInt8(ascii: "\\") { next += 1 }
        }
        let length = next - bytes.startIndex
        guard let isLight = isLight(String(decoding: rest[..<end], as: UTF8.self)) else { return .nothing(length: length) }
        return .event(.ground(isLight: isLight), length: length)
    }

    /// `rgb:` with one to four hexadecimal digits a channel.
    private static func isLight(_ text: String) -> Bool? {
        guard text.hasPrefix("rgb:") else { return nil }
        let channels = text.dropFirst(4).split(separator: "/", omittingEmptySubsequences: false).map { digits -> Double? in
            guard (1...4).contains(digits.utf8.count), let value = UInt32(digits, radix: 16) else { return nil }
            return Double(value) / Double(1 << UInt32(digits.utf8.count * 4) - 1)
        }
        guard channels.count == 3, let red = channels[0], let green = channels[1], let blue = channels[2] else { return nil }
        // As bright as the eye finds it (ITU-R BT.709).
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5
    }
}
