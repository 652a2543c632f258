import RequestCollections

/// The parts of `--form`.
extension CurlCommandReader {
    /// One part, or one for each file of `name=@file,file`.
    static func parts(
        _ argument: String, isLiteral: Bool, _ losses: inout [String], _ text: (String) -> String
    ) -> [BodyDefinition.Part] {
        let (name, value) = argument.split(at: "=")
        guard !isLiteral, let value, value.first == "@" else { return [part(argument, isLiteral: isLiteral, text)] }
        var files: [String] = [""]
        var isQuoted = false
        var isEscaped = false
        for character in value.dropFirst() {
            if character == ",", !isQuoted {
                files.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && !isEscaped
            files[files.count - 1].append(character)
        }
        if files.count > 1 {
            losses.append("curl puts the files of `\(name)` into one part (multipart/mixed); here each is a part")
        }
        return files.map { part("\(name)=@\($0)", isLiteral: false, text) }
    }

    /// `name=value`, `name=@file;type=t;filename=f`, `name=<file`.
    static func part(_ argument: String, isLiteral: Bool, _ text: (String) -> String) -> BodyDefinition.Part {
        let (name, value) = argument.split(at: "=")
        var part = BodyDefinition.Part(name: text(name), content: .text(text(value ?? "")))
        guard !isLiteral, let value else { return part }
        var rest = value.first == "@" || value.first == "<" ? value.dropFirst() : value[...]
        let content = word(&rest)
        var parameters: [(String, String?)] = []
        while rest.popFirst() == ";" {
            guard let equals = rest.firstIndex(of: "=") else {
                parameters.append((String(rest), nil))
                break
            }
            let key = String(rest[..<equals]).trimmingSpace
            rest = rest[rest.index(after: equals)...]
            parameters.append((key, word(&rest)))
        }
        // A semicolon that no parameter follows is text.
        guard parameters.allSatisfy({ $0.1 != nil && ["type", "filename", "headers", "encoder"].contains($0.0) }) else {
            return part
        }
        switch value.first {
        case "@": part.content = .file(text(content))
        case "<": part.content = .text("{{file(\"\(content)\")}}")
        default: part.content = .text(text(content))
        }
        for (key, value) in parameters {
            if key == "type" { part.contentType = value.map(text) }
            if key == "filename" { part.fileName = value.map(text) }
        }
        return part
    }

    /// Up to a semicolon, or what stands in double quotes, where backslashes escape.
    private static func word(_ rest: inout Substring) -> String {
        guard rest.first == "\"", rest.dropFirst().contains("\"") else {
            let word = rest.prefix { $0 != ";" }
            rest = rest[word.endIndex...]
            return String(word)
        }
        var word = ""
        rest = rest.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
            word.append(character == "\\" ? rest.popFirst() ?? character : character)
        }
        rest = rest.drop { $0 != ";" }
        return word
    }
}
