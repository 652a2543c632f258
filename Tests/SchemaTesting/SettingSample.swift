@testable package import RequestCollections

/// What a file may say of a setting, and what it may not, made from the row's shape: whoever adds a row adds nothing here.
package struct SettingSample: Sendable, CustomStringConvertible {
    package let field: SettingField
    /// As YAML.
    package let value: String

    package static var accepted: [SettingSample] {
        samples { $0.samples }
            + SettingNode.all.filter { $0.field != nil && !$0.children.isEmpty }.map { node in
                SettingSample(field: node.fields[0], value: "{}")
            }
    }
    package static var refused: [SettingSample] { samples { $0.refusedSamples } }

    private static func samples(_ values: (FormatShape) -> [String]) -> [SettingSample] {
        SettingField.all.flatMap { field in values(field.shape).map { SettingSample(field: field, value: $0) } }
    }

    /// As one line of a request or of defaults, in braces where it stands in maps.
    package var line: String {
        field.key.split(separator: ".").reversed().reduce(value) { value, name in
            value == self.value ? "\(name): \(value)" : "\(name): { \(value) }"
        }
    }

    package var description: String { line }
}

extension FormatShape {
    var samples: [String] {
        switch self {
        case .oneOf(let names): names
        case .boolean: ["true", "false"]
        case .timeout: ["1234ms", "never"]
        case .duration: ["1234ms"]
        case .durationRange: ["1234ms", "1s..2s"]
        case .ports: ["8000", "8000-8010"]
        case .number(let range): [range.lowerBound, (range.lowerBound + range.upperBound) / 4].map(NumberText.format)
        case .count(let range): ["\(range.lowerBound)", "\(range.upperBound)"]
        case .byteCount: ["10MB", "4097"]
        case .retryTrigger: ["503", "dns"]
        case .list(let shape): ["[\(shape.samples.joined(separator: ", "))]", "[]"]
        case .either(let shapes): shapes.flatMap(\.samples)
        case .text: ["word"]
        case .name: ["'http://127.0.0.1:9'", "''"]
        default: []
        }
    }

    var refusedSamples: [String] {
        switch self {
        case .oneOf, .retryTrigger: ["nonsense", "[[]]"]
        case .boolean: ["'true'", "maybe"]
        case .timeout: ["0s", "-1s", "soon"]
        case .duration, .durationRange: ["-1s", "never"]
        case .ports: ["0", "70000", "9-8", "many"]
        case .number(let range): ["\(range.lowerBound - 0.5)", "\(range.upperBound + 1)", "nan", "many"]
        case .count(let range): ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "1.5", "many"]
        case .byteCount: ["-1", "10 parrots"]
        case .list: ["{}", "word"]
        case .either: ["{}", "nonsense"]
        case .text: ["[word]", "{}", "~"]
        case .name: ["3128", "true"]
        default: []
        }
    }
}
