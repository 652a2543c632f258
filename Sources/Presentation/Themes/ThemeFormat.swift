import TerminalUI

/// What a theme file may say: one table for its reader and for its schema.
enum ThemeFormat {
    /// The keys of the format, each with what it is for.
    static let keys: KeyValuePairs = [
        "name": "What `--theme` and the explorer call it; without one, the file's name without `.yaml`.",
        "extends": "The theme whose looks hold where this one says nothing.",
        "palette": "Colours by a name of your own, for the looks below.",
        "roles": "The look of everything on the screen, by what it is for.",
    ]

    static let attributes: [String: Style.Attributes] = [
        "bold": .bold, "dim": .dim, "italic": .italic, "underline": .underline, "reverse": .reverse,
        "strikethrough": .strikethrough,
    ]

    /// The keys of a look in full.
    static var lookKeys: [String] { ["fg", "bg"] + attributes.keys.sorted() }
}
