import RequestCollections

extension MockDefinition {
    /// Takes an example of a body, as a value or as its text.
    mutating func readBody(_ value: JSONValue, type: String?) {
        let isJSON = MediaType.isJSON(MediaType.essence(type))
        let parsed = isJSON ? value.string.flatMap(JSONParser.parse) ?? value : value
        if parsed.standsAsYAML {
            body = .json(parsed.mapTexts { TemplateText($0).text }.text(pretty: true))
            if isJSON { return }
        } else {
            body = .text(TemplateText(parsed.string ?? parsed.text(pretty: true)).text)
        }
        guard let type, !type.contains("*"), !headers.contains(where: { $0.name.lowercased() == "content-type" }) else { return }
        headers.append(.init(name: "content-type", value: TemplateText(type).text))
    }
}
