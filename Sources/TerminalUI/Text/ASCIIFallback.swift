/// What a terminal gets that can't show Unicode: one ASCII character per column, so that no layout moves.
package enum ASCIIFallback {
    package static func character(for character: Character) -> Character {
        if character.isASCII { return character }
        return signs[character] ?? "?"
    }

    private static let signs: [Character: Character] = {
        var signs: [Character: Character] = [:]
        func map(_ characters: String, to ascii: Character) {
            for character in characters { signs[character] = ascii }
        }
        map("─━┄┈╌═╴╶╸╺–—", to: "-")
        map("│┆┊╎║╵╷", to: "|")
        map("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬╞╡╪", to: "+")
        // A heavy line is a scrollbar's thumb on a border.
        map("█▓▉▊▋▌■▮◼┃", to: "#")
        map("▍▎▏░▒▕▁▂▃▄▅▆▇▐", to: ":")
        map("…‥·•∙⋯", to: ".")
        map("●◉◆★⬤", to: "*")
        map("○◌◇☆◦", to: "o")
        map("✓✔☑", to: "v")
        map("✗✘✕×☒", to: "x")
        map("▶▸►→›»❯⇒↦⟶", to: ">")
        map("◀◂◄←‹«❮⇐⟵", to: "<")
        map("▲▴△↑⇡⬆", to: "^")
        map("▼▾▽↓⇣⬇⤵", to: "v")
        map("↵⏎↩", to: "<")
        map("⚠", to: "!")
        map("“”„", to: "\"")
        map("‘’′", to: "'")
        map("µ", to: "u")
        map("↻⟳↺⟲", to: "@")
        map("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", to: "*")
        for code in UInt32(0)...0x1F { signs[Character(Unicode.Scalar(0x2400 + code)!)] = Character(Unicode.Scalar(0x40 + code)!) }
        signs["\u{2421}"] = "?"
        return signs
    }()
}
