import NetworkLayer
import RequestCollections

/// The parts of `--form`.
extension CurlCommandReader {
    func multipart(_ losses: inout [String], _ translate: (String) -> TemplateText) -> [BodyDefinition.Part] {
        var result: [BodyDefinition.Part] = []
        for (argument, isLiteral) in parts {
            guard let form = CurlFormArgument(argument, isLiteral: isLiteral) else {
                losses.append("`\(argument)` of `--form`, which has no `=`: curl refuses it")
                continue
            }
            switch form.group {
            case .begins:
                losses.append(
                    "curl puts the parts from `\(form.name)=(` to `=)` into one part; here each is one of the form itself")
                continue
            case .ends: continue
            case nil: break
            }
            if form.name.isEmpty { losses.append("a part without a name has an empty one here") }
            if form.contents.count > 1 {
                losses.append("curl puts the files of `\(form.name)` into one part (multipart/mixed); here each is a part")
            }
            result += form.contents.map { part(form.name, $0, &losses, translate) }
        }
        return result
    }

    private func part(
        _ name: String, _ content: CurlFormArgument.Content, _ losses: inout [String], _ translate: (String) -> TemplateText
    ) -> BodyDefinition.Part {
        func text(_ text: String) -> String { translate(text).text }
        var part = BodyDefinition.Part(name: text(name), content: .text(text(content.text)))
        part.fileName = content.fileName.map(text)
        part.contentType = content.type.map(text)
        let isInput = content.source != .text && Self.isStandardInput(content.text)
        if isInput {
            if input == nil { losses.append("the part `\(name)`, which comes from standard input") }
            part.content = .text(text(input ?? ""))
            if content.source == .upload { part.fileName = part.fileName ?? "-" }
        } else if content.source == .upload {
            part.content = .file(text(content.text))
            if content.type == nil { part.contentType = Self.impliedType(of: content) }
        } else if content.source == .file {
            part.content = .text(TemplateText(contentOf: content.text, &losses, translate).text)
            losses.append(Self.lineEndLoss(content.text))
        }
        if let type = content.type, !Self.isType(type) {
            losses.append("the type `\(type)` of the part `\(name)`, which curl refuses: it has no `/`")
        }
        losses += content.others.map { "`\($0)` of the part `\(name)`" }
        losses += content.unknown.map {
            "`;\($0)` of the part `\(name)`, which curl leaves out, too; `--form-string` keeps a semicolon"
        }
        return part
    }

    private static func isType(_ type: String) -> Bool {
        if ShellVariable.isIn(type) || Template.isIn(type) { return true }
        guard let (major, minor) = type.halves(at: "/") else { return false }
        return !major.isEmpty && !major.unicodeScalars.contains(" ") && !minor.isEmpty
    }

    /// The type that curl gives a file by the name that it is sent with, else by its own, where it isn't the one that is given here to the file.
    private static func impliedType(of content: CurlFormArgument.Content) -> String? {
        let name = content.fileName ?? content.text
        guard ![name, content.text].contains(where: { ShellVariable.isIn($0) || Template.isIn($0) }) else { return nil }
        let implied =
            [name, content.text].lazy.compactMap { name in
                types.first { name.lowercased().hasSuffix($0.ending) }?.type
            }.first ?? ContentType.octetStream.rawValue
        return ContentType.forFile(content.text).rawValue == implied ? nil : implied
    }

    /// All that curl knows by its ending, as it was seen.
    private static let types: [(ending: String, type: String)] = [
        (".gif", "image/gif"), (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"), (".png", "image/png"),
        (".svg", "image/svg+xml"), (".txt", "text/plain"), (".htm", "text/html"), (".html", "text/html"),
        (".pdf", "application/pdf"), (".xml", "application/xml"),
    ]
}
