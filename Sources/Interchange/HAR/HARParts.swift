import NetworkLayer
import RequestCollections

/// The parts of a form that a recording has as one text.
struct HARParts {
    private(set) var parts: [BodyDefinition.Part] = []
    private(set) var losses: [String] = []

    /// - Returns: `nil` for a text that isn't what its type says.
    init?(_ text: String, type: String) {
        guard let match = type.firstMatch(of: /(?i)boundary=(?:"([^"]+)"|([^";\s]+))/),
            let boundary = match.1 ?? match.2, let start = text.firstRange(ofScalars: "--\(boundary)")
        else { return nil }
        var rest = text[start.upperBound...]
        while !rest.begins(with: "--") {
            guard let end = rest.firstRange(ofScalars: "\r\n--\(boundary)") else { return nil }
            guard let part = part(rest[..<end.lowerBound]) else { return nil }
            parts.append(part)
            rest = rest[end.upperBound...]
        }
    }

    /// - Parameter text: from the line break in front of its fields to its end.
    private mutating func part(_ text: Substring) -> BodyDefinition.Part? {
        guard text.begins(with: "\r\n"), let head = text.firstRange(ofScalars: "\r\n\r\n") else { return nil }
        let value = String(text[head.upperBound...])
        var part = BodyDefinition.Part(name: "", content: .text(TemplateText(value).text))
        var hasName = false
        for line in text[..<head.lowerBound].lines where !line.isEmpty {
            guard let (name, value) = line.halves(at: ":") else { return nil }
            switch name.lowercased() {
            case "content-disposition":
                guard let found = Self.parameter("name", of: value) else { return nil }
                part.name = TemplateText(found).text
                part.fileName = Self.parameter("filename", of: value).map { TemplateText($0).text }
                hasName = true
            case "content-type": part.contentType = TemplateText(value.trimmingSpace).text
            default: losses.append("the field `\(line)` of the part `\(part.name)`")
            }
        }
        // Browsers leave out what is in a file.
        if value.isEmpty, let file = part.fileName, !file.isEmpty { part.content = .file(file) }
        return hasName ? part : nil
    }

    /// As browsers write it (HTML, section 4.10.21.8): only line breaks and quotes are encoded.
    private static func parameter(_ name: String, of field: Substring) -> String? {
        for piece in [";\(name)=\"", "; \(name)=\""] {
            guard let start = field.firstRange(ofScalars: piece) else { continue }
            let text = field[start.upperBound...].unicodeScalars.prefix { $0 != "\"" }
            return String(text).replacing(scalars: "%22", with: "\"").replacing(scalars: "%0D%0A", with: "\r\n")
        }
        return nil
    }
}
