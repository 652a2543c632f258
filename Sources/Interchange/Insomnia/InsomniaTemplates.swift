import Base
import NetworkLayer
import RequestCollections

/// Insomnia's templates: Nunjucks' `{{ _.name }}`, and its own tags (https://developer.konghq.com/insomnia/template-tags/).
enum InsomniaTemplates {
    static let delimiters = [ForeignTemplate.Delimiters.braces, .tags, comments]
    private static let comments = ForeignTemplate.Delimiters(opening: "{#", closing: "#}")

    enum Translation: Hashable {
        case expression(String)
        /// There is no equivalent; the variable that stands for it.
        case unknown(variable: String)
        /// It isn't a template.
        case text
    }

    static func translate(_ inside: String, _ opening: String) -> Translation {
        if opening == comments.opening { return .expression("") }
        return opening == "{%" ? tag(inside) : output(inside)
    }

    /// `_.name`, `_['na me']`, `name`, with a path into a map.
    private static func output(_ inside: String) -> Translation {
        guard !inside.isEmpty, !inside.contains(where: \.isNewline) else { return .text }
        var path = inside.split(separator: "|")[0].trimmingSpace.replacing(/\[\s*['"]([^'"\]]*)['"]\s*\]/) { ".\($0.1)" }
        if path.hasPrefix("_.") { path = String(path.dropFirst(2)) }
        let base = path.prefix { $0 != "[" }
        let items = path[base.endIndex...]
        let isPath = items.wholeMatch(of: /(\[\d+\](\.[A-Za-z_]\w*)*)*/) != nil
        let name = isPath && !inside.contains("|") ? VariableName.make(base) + items : VariableName.make(path)
        return inside.contains("|") ? .unknown(variable: name) : .expression(name)
    }

    /// `name 'first', 'second', 3`.
    private static func tag(_ inside: String) -> Translation {
        let name = inside.prefix { !$0.isWhitespace }
        let words = arguments(inside.dropFirst(name.count))
        func word(_ index: Int) -> String { index < words.count ? words[index] : "" }
        switch name {
        case "uuid": return .expression("uuid()")
        case "timestamp": return .expression("timestamp(\"ms\")")
        case "now":
            let formats = [
                "": "now(\"iso8601-ms\")", "iso-8601": "now(\"iso8601-ms\")", "unix": "timestamp()", "millis": "timestamp(\"ms\")",
            ]
            if let expression = formats[word(0)] { return .expression(expression) }
        case "base64":
            if word(0) == "encode", let text = expression(word(2)) { return .expression("base64(\(text))") }
        case "hash":
            let encoding = word(1) == "base64" ? ", encoding: \"base64\"" : ""
            if word(0) == "sha256", ["hex", "base64"].contains(word(1)), let text = expression(word(2)) {
                return .expression("sha256(\(text)\(encoding))")
            }
        case "file": return .expression("file(\(quoted(word(0))))")
        case "prompt":
            var more = word(2).isEmpty ? "" : ", default: \(quoted(word(2)))"
            if word(4) == "true" { more += ", secret: true" }
            return .expression("prompt(\(quoted(word(1).isEmpty ? word(0) : word(1)))\(more))")
        case "response":
            if let expression = response(words) { return .expression(expression) }
        default: break
        }
        return .unknown(
            variable: VariableName.make(([String(name)] + words.filter { !$0.hasPrefix("req_") }).prefix(2).joined(separator: "_")))
    }

    /// `{% response 'body', 'req_1', 'b64::…::46b', 'when-expired', 60 %}`.
    private static func response(_ words: [String]) -> String? {
        guard words.count >= 2 else { return nil }
        var filter = "."
        switch words[0] {
        case "raw": break
        case "body":
            guard let path = words.count > 2 ? JSONPath.filter(words[2]) : nil else { return nil }
            filter = path
        default: return nil
        }
        var age = ""
        switch words.count > 3 ? words[3] : "no-history" {
        case "always": age = ", max_age: 0s"
        case "when-expired": age = ", max_age: \(words.count > 4 ? Int(words[4]) ?? 60 : 60)s"
        default: break
        }
        return "response(\"\(ImportedRequest.reference(to: words[1]))\", \(quoted(filter))\(age))"
    }

    /// A text, or a variable inside of a tag.
    private static func expression(_ word: String) -> String? {
        if word.hasPrefix("_.") { return VariableName.make(word.dropFirst(2)) }
        return word.contains("{{") ? nil : quoted(word)
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.escaping("\\", "\"").replacing(scalars: "\n", with: "\\n"))\""
    }

    /// Separated by commas; what is in quotes without them, and `b64::…::46b` decoded.
    private static func arguments(_ text: Substring) -> [String] {
        var arguments: [String] = []
        var word = ""
        var quote: Character?
        for character in text.unicodeScalars.lazy.map(Character.init) {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == "," {
                arguments.append(word)
                word = ""
            } else if !character.isWhitespace {
                word.append(character)
            }
        }
        arguments.append(word)
        return arguments.map { word in
            guard word.hasPrefix("b64::"), word.hasSuffix("::46b"),
                let data = Data(base64Encoded: String(word.dropFirst(5).dropLast(5))),
                let decoded = String(validating: data, as: UTF8.self)
            else { return word }
            return decoded
        }
    }
}

/// What is read of Insomnia's exports.
enum InsomniaShape {
    static let document = ForeignShape.map([
        "name": .scalar, "resources": .list(node), "collection": .list(node), "environments": environment,
        "meta": .map(["description": .scalar]),
    ])

    private static let rows = ForeignShape.list(
        .map([
            "name": .scalar, "value": .scalar, "disabled": .scalar, "description": .scalar, "type": .scalar, "fileName": .scalar,
        ]))

    private static let environment: ForeignShape = .later {
        .map(["name": .scalar, "data": .map([:]), "subEnvironments": .list(environment)])
    }

    private static let node: ForeignShape = .later {
        .map([
            "name": .scalar, "method": .scalar, "url": .scalar, "description": .scalar, "headers": rows, "parameters": rows,
            "pathParameters": rows, "authentication": .map(["type": .scalar]), "environment": .map([:]), "children": .list(node),
            "body": .map(["mimeType": .scalar, "text": .scalar, "fileName": .scalar, "params": rows]), "data": .anything,
        ])
    }
}
