/// Bodies that would take over a terminal, or break a viewer, if they were printed as they are.
enum HostileBytes {
    static let escapes = Array(
        """
        Colours: \u{1B}[31mred \u{1B}[1;42mbold on green\u{1B}[0m plain.
        Erase the screen: \u{1B}[2J\u{1B}[H and go home.
        Window title: \u{1B}]0;owned by the server\u{7} set.
        Clipboard: \u{1B}]52;c;cm0gLXJmIH4=\u{7} filled.
        Hyperlink: \u{1B}]8;;http://example.com\u{1B}\\looks innocent\u{1B}]8;;\u{1B}\\ linked.
        Alternate screen: \u{1B}[?1049h entered, \u{1B}[?1049l left.
        Mouse: \u{1B}[?1003h on. Cursor: \u{1B}[?25l hidden.
        What are you? \u{1B}[c \u{1B}[6n \u{1B}[21t
        Bell: \u{7}\u{7} Backspace: secret\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}public
        Carriage return: this is hidden\rthis hides it
        C1 control: \u{9B}31mred by one character\u{9B}0m
        Reset everything: \u{1B}c done.

        """.utf8)

    static let controls: [UInt8] =
        Array("before".utf8) + [0] + Array("after a NUL\n".utf8)
        + (0..<32).filter { $0 != 10 && $0 != 13 }.flatMap { [$0] + Array(" is \($0)\n".utf8) } + [0x7F] + Array(" is 127\n".utf8)
        + [UInt8](repeating: 0, count: 64) + Array("after 64 NULs\n".utf8)

    static let invalidUTF8: [UInt8] =
        Array("a lone continuation: ".utf8) + [0x80] + Array("\ncut off: ".utf8) + [0xE2, 0x82] + Array("\noverlong slash: ".utf8)
        + [0xC0, 0xAF] + Array("\na surrogate: ".utf8) + [0xED, 0xA0, 0x80] + Array("\nbeyond Unicode: ".utf8)
        + [0xF4, 0x90, 0x80, 0x80] + Array("\nnever in UTF-8: ".utf8) + [0xFE, 0xFF] + Array("\nlatin-1: caf".utf8) + [0xE9]
        + Array("\nand fine again: caf\u{E9} 東京 🐦\n".utf8)

    static let wide = """
        East Asian: 東京 서울 北京市 ＦＵＬＬ ﾊﾝｶｸ
        Emoji: 🐦 👩‍💻 👨‍👩‍👧‍👦 🇨🇭 👍🏽 ❤️ ❤ 1️⃣
        Combining: e\u{301} a\u{30A} n\u{303} Z\u{351}\u{36B}\u{343}a\u{328}\u{34E}\u{348}l\u{35C}\u{321}g\u{321}\u{32B}o\u{322}\u{33C}
        Right to left: שלום עולם, مرحبا بالعالم, and back.
        Turned around: \u{202E}gpj.exe\u{202C} is not a picture.
        Invisible: a\u{200B}b\u{2060}c\u{FEFF}d\u{AD}e
        Widths of doubt: ± … “ ” ① Ⅳ ■ α я
        Lines: one\u{2028}two\u{2029}three\u{85}four
        Tabs:\ta\tbb\tccc\tdddd

        """

    static let jsonCorners = """
        {
          "beyond 2^53": 9007199254740993,
          "beyond 64 bits": 123456789012345678901234567890,
          "many digits": 3.141592653589793238462643383279502884197,
          "huge": 1e400,
          "tiny": -1.5E-400,
          "minus zero": -0,
          "kept zeros": 1.50,
          "twice": 1,
          "twice": 2,
          "": "an empty name",
          "escapes": "\\u0041\\n\\t\\\\ \\/ \\u001b[31m \\ud83d\\udc26",
          "lone surrogate": "\\ud800",
          "line": "a\u{2028}b",
          "not ASCII: 東京": true,
          "empty": [{}, [], "", null, false]
        }

        """
}
