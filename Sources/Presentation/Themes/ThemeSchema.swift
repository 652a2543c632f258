import RequestCollections
import TerminalUI

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
            "properties": .object(
                ThemeFormat.keys.map { key, doc in .init(name: key, value: described(doc, shape(of: key))) }),
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
                    value: .object(
                        ThemeRole.allCases.map { .init(name: $0.kebabCase, value: .object(["$ref": "#/$defs/look"])) })),
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
                            return .init(
                                name: key, value: .object(isAttribute ? ["type": "boolean"] : ["$ref": "#/$defs/colour"]))
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
