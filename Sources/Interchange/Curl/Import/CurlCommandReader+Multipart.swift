import RequestCollections

/// The parts of `--form`.
extension CurlCommandReader {
    /// One part, or one for each file of `name=@file,file`.
    static func parts(
        _ argument: String, isLiteral: Bool, _ losses: inout [String], _ text: (String) -> String
    ) -> [BodyDefinition.Part] {
        let (name, value) = argument.split(at: "=")
        guard !isLiteral, let value, value.first == "@" else {
            return [part(argument, isLiteral: isLiteral, &losses, text)]
        }
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
        return files.map { part("\(name)=@\($0)", isLiteral: false, &losses, text) }
    }

    /// `name=value`, `name=@file;type=t;filename=f`, `name=<file`, as curl takes them apart.
    private static func part(
        _ argument: String, isLiteral: Bool, _ losses: inout [String], _ text: (String) -> String
    ) -> BodyDefinition.Part {
        let (name, value) = argument.split(at: "=")
        var part = BodyDefinition.Part(name: text(name), content: .text(text(value ?? "")))
        guard !isLiteral, let value else { return part }
        var rest = value.first == "@" || value.first == "<" ? value.dropFirst() : value[...]
        let content = word(&rest)
        switch value.first {
        case "@": part.content = .file(text(content))
        case "<": part.content = .text(TemplateText(contentOf: content).text)
        default: part.content = .text(text(content))
        }
        var type: String?
        // Whether what comes next may be a parameter of the type: `text/plain; charset=utf-8`.
        var isInType = false
        while rest.popFirst() == ";" {
            let piece = rest.drop { $0 == " " || $0 == "\t" }
            let key = piece.firstIndex(of: "=").map { String(piece[..<$0]) }
            if let key, ["type", "filename", "headers", "encoder"].contains(key) {
                rest = piece.dropFirst(key.count + 1).drop { $0 == " " || $0 == "\t" }
                isInType = key == "type"
                if isInType {
                    type = upToSemicolon(&rest)
                    continue
                }
                let value = word(&rest)
                if key == "filename" {
                    part.fileName = text(value)
                } else {
                    losses.append("`\(key)=\(value)` of the part `\(name)`")
                }
            } else if isInType, let given = type {
                type = "\(given);\(upToSemicolon(&rest, trimsStart: false))"
            } else {
                let unknown = word(&rest).trimmingSpace
                if !unknown.isEmpty {
                    losses.append(
                        "`;\(unknown)` of the part `\(name)`, which curl leaves out, too; `--form-string` keeps a semicolon")
                }
            }
        }
        part.contentType = type.map(text)
        return part
    }

    private static func upToSemicolon(_ rest: inout Substring, trimsStart: Bool = true) -> String {
        let piece = rest.prefix { $0 != ";" }
        rest = rest[piece.endIndex...]
        let text = piece.trimmingSpace
        return (trimsStart ? "" : String(piece.prefix(while: \.isWhitespace))) + text
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
