import Base
import RequestCollections
package import TerminalUI

/// The themes there are: the built-in one, and those of theme files. Never empty, whatever is on the disk.
package struct ThemeLibrary: Sendable, Hashable {
    /// The themes, sorted by name. A file named `dark` replaces the built-in theme of that name.
    package var themes: [Theme]
    package var problems: [ThemeProblem]
    /// The name of the theme that was chosen by the path of its file.
    package var chosen: String?

    package init(themes: [Theme] = [.builtin], problems: [ThemeProblem] = []) {
        self.themes = themes
        self.problems = problems
    }

    /// `nil`: there is no such theme.
    package func theme(named name: String) -> Theme? { themes.first { $0.name == name } }

    /// Reads every `*.yaml` in the folders. A name in an earlier folder hides the same one in a later folder, so that users
    /// can replace what is shipped. A folder that isn't there is skipped.
    ///
    /// - Parameters:
    ///   - shipped: files that the program carries in itself, hidden by all others.
    ///   - chosen: the path of one more file, which hides all others of its name.
    package static func load(
        searchPaths: [String], shipped: [(path: String, text: String)] = [], chosen: String? = nil
    ) -> ThemeLibrary {
        var files: [ThemeFile] = []
        var problems: [ThemeProblem] = []
        func add(_ text: String, _ path: String) {
            let file = ThemeFile(text, path: path)
            if !files.contains(where: { $0.name == file.name }) { files.append(file) }
            problems += file.problems
        }
        func read(_ path: String) {
            do {
                add(String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self), path)
            } catch {
                problems.append(ThemeProblem(path: path, message: "can't be read"))
            }
        }
        if let chosen { read(chosen) }
        let chosenName = files.first?.name
        for folder in searchPaths {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names.sorted() where name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
                read("\(folder)/\(name)")
            }
        }
        for file in shipped { add(file.text, file.path) }
        var library = resolve(files, problems: problems)
        library.chosen = chosenName
        return library
    }

    /// Lays each theme over the one it extends.
    static func resolve(_ files: [ThemeFile], problems: [ThemeProblem] = []) -> ThemeLibrary {
        var problems = problems
        let byName = Dictionary(files.map { ($0.name, $0) }) { first, _ in first }
        func styles(_ file: ThemeFile) -> [ThemeRole: Style] {
            var chain = [file]
            var inherited: [ThemeRole: Style] = [:]
            while let child = chain.last, let parent = child.extends {
                if !chain.contains(where: { $0.name == parent }), let other = byName[parent] {
                    chain.append(other)
                    continue
                }
                inherited = Theme.builtin.styles
                if chain.contains(where: { $0.name == parent }) {
                    problems.append(ThemeProblem(path: file.name, message: "themes extend each other in a circle: `\(parent)`"))
                } else if parent != Theme.builtin.name {
                    problems.append(ThemeProblem(path: file.name, message: "extends `\(parent)`, which is not there"))
                }
                break
            }
            // From the outermost one in: each lays its colours and its looks over those of the one that it extends.
            let palette = chain.reversed().reduce(into: [String: Color]()) { $0.merge($1.palette) { $1 } }
            if file.extends != nil { problems += file.unknownColors(among: palette) }
            return chain.reversed().reduce(into: inherited) { styles, file in
                styles.merge(file.looks.mapValues { $0.style(palette) }) { $1 }
            }
        }
        var themes = files.map { Theme(name: $0.name, styles: styles($0)) }
        if byName[Theme.builtin.name] == nil { themes.append(.builtin) }
        return ThemeLibrary(themes: themes.sorted { $0.name < $1.name }, problems: problems)
    }
}

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

/// A theme file as a JSON Schema (draft 2020-12), for editors: made from the table that ``ThemeFile`` reads with.
///
/// Whether a colour's name is in the palette no schema can say.
package enum ThemeSchema {
    /// Pretty-printed, with a line break at its end.
    package static func text() -> String { root.text(pretty: true) + "\n" }

    private static var root: JSONValue {
        .object([
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Turnstone theme",
            "type": "object",
            "properties": .object(ThemeFormat.keys.map { key, doc in .init(name: key, value: described(doc, shape(of: key))) }),
            "additionalProperties": false,
            "$defs": .object(["colour": colour, "look": look]),
        ])
    }

    private static func described(_ doc: String, _ members: [JSONValue.Member]) -> JSONValue {
        .object([JSONValue.Member(name: "description", value: .string(doc))] + members)
    }

    private static func shape(of key: String) -> [JSONValue.Member] {
        switch key {
        case "palette":
            [
                .init(name: "type", value: "object"),
                .init(name: "additionalProperties", value: .object(["type": "string", "pattern": .string("^\(hexadecimal)$")])),
            ]
        case "roles":
            [
                .init(name: "type", value: "object"),
                .init(
                    name: "properties",
                    value: .object(ThemeRole.allCases.map { .init(name: $0.kebabCase, value: .object(["$ref": "#/$defs/look"])) })),
                .init(name: "additionalProperties", value: false),
            ]
        default: [.init(name: "type", value: "string")]
        }
    }

    private static var look: JSONValue {
        .object([
            "anyOf": .array([
                .object([
                    "type": "string",
                    "description": "A colour, `on` and a colour, attributes: `red on panel bold`.",
                    "pattern": .string("^ *\"?(\(word)(\"? +\"?\(word))*)?\"? *$"),
                ]),
                .object([
                    "type": "object",
                    "properties": .object(
                        ThemeFormat.lookKeys.map { key in
                            let isAttribute = ThemeFormat.attributes[key] != nil
                            return .init(name: key, value: .object(isAttribute ? ["type": "boolean"] : ["$ref": "#/$defs/colour"]))
                        }),
                    "additionalProperties": false,
                ]),
            ])
        ])
    }

    private static var colour: JSONValue {
        .object([
            "type": "string", "description": "#rrggbb in quotes, or a name of the palette.", "pattern": .string("^\(word)$"),
        ])
    }

    private static let hexadecimal = "#[0-9A-Fa-f]{6}"
    private static let word = "(\(hexadecimal)|[^# \"][^ \"]*)"
}
