/// Keys as text, `abc<enter><c-s>`, and the bytes that an xterm sends for them.
enum TypedKeys {
    static func bytes(_ keys: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = keys[...]
        while let character = rest.first {
            if character == "<", let end = rest.firstIndex(of: ">"), let key = named(rest[rest.index(after: rest.startIndex)..<end])
            {
                bytes += key
                rest = rest[rest.index(after: end)...]
            } else {
                bytes += Array(String(character).utf8)
                rest = rest.dropFirst()
            }
        }
        return bytes
    }

    private static func named(_ name: Substring) -> [UInt8]? {
        if let text = names[String(name)] { return Array(text.utf8) }
        guard name.count == 3, let last = name.unicodeScalars.last, last.isASCII else { return nil }
        switch name.prefix(2) {
        case "c-": return [UInt8(last.value) & 0x1F]
        case "a-": return [0x1B, UInt8(last.value)]
        default: return nil
        }
    }

    private static let names = [
        "enter": "\r", "esc": "\u{1B}", "tab": "\t", "s-tab": "\u{1B}[Z", "bs": "\u{7F}", "del": "\u{1B}[3~", "space": " ",
        "up": "\u{1B}OA", "down": "\u{1B}OB", "right": "\u{1B}OC", "left": "\u{1B}OD", "home": "\u{1B}OH", "end": "\u{1B}OF",
        "pgup": "\u{1B}[5~", "pgdn": "\u{1B}[6~", "ins": "\u{1B}[2~", "lt": "<", "gt": ">",
        "f1": "\u{1B}OP", "f2": "\u{1B}OQ", "f3": "\u{1B}OR", "f4": "\u{1B}OS", "f5": "\u{1B}[15~", "f6": "\u{1B}[17~",
        "f7": "\u{1B}[18~", "f8": "\u{1B}[19~", "f9": "\u{1B}[20~", "f10": "\u{1B}[21~", "f11": "\u{1B}[23~", "f12": "\u{1B}[24~",
    ]
}
