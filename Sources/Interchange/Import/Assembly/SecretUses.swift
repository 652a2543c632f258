import NetworkLayer
import RequestCollections

/// The variables that stand where a secret belongs, whatever they are called: a token, a password, a header or member of such a name.
struct SecretUses {
    private(set) var names: Set<String> = []

    init(_ tree: ImportedCollection) {
        var tree = tree
        note(tree.auth)
        note(tree.headers)
        tree.nodes.forEachFolder { folder, _ in
            note(folder.auth)
            note(folder.headers)
        }
        tree.nodes.forEachRequest { request, _ in
            var definition = request.definition
            note(definition.auth)
            note(definition.headers + definition.query + definition.cookies)
            note(definition.settings.passphrase ?? "")
            func look(_ part: BodyPart, _ text: inout String) {
                switch part {
                case .field(let name), .part(let name): note(text, named: name)
                case .json: if let value = JSONValue.standingAsYAML(text) { note(value) }
                case .text where text.trimmingSpace.hasPrefix("{"): if let value = JSONParser.parse(text) { note(value) }
                default: break
                }
            }
            _ = definition.body?.mapTexts(look)
            definition.mapMessages(look)
        }
        // What a secret is made of is one, too.
        var made: [String: Set<String>] = [:]
        tree.forEachVariable { variable, _ in
            if case .text(let text) = variable.value { made[variable.name, default: []].formUnion(Template.variables(in: text)) }
        }
        var rest = Array(names)
        while let name = rest.popLast() {
            for part in made[name] ?? [] where names.insert(part).inserted { rest.append(part) }
        }
    }

    private mutating func note(_ text: String) { names.formUnion(Template.variables(in: text)) }

    private mutating func note(_ text: String, named name: String) { if SecretName.matches(name) { note(text) } }

    private mutating func note(_ rows: [RequestDefinition.Row]) { for row in rows { note(row.value, named: row.name) } }

    private mutating func note(_ auth: AuthDefinition?) {
        _ = auth?.mapTexts { part, text in if part.isSecret { note(text) } }
    }

    private mutating func note(_ value: JSONValue) {
        for item in value.items { note(item) }
        for member in value.members {
            if let text = member.value.string { note(text, named: member.name) } else { note(member.value) }
        }
    }
}

extension Template {
    /// A text with other names for the variables in its templates.
    static func mapVariables(in text: String, _ change: (String) -> String) -> String {
        guard isIn(text) else { return text }
        var result = ""
        var rest = Substring(text).utf8
        while let piece = nextPiece(of: &rest), let inside = piece.inside {
            result += "\(piece.before){{\(mapNames(in: Array(inside.utf8), change))}}"
        }
        return result + String(Substring(rest))
    }

    /// The variables that the templates of a text name.
    static func variables(in text: String) -> [String] {
        var names: [String] = []
        _ = mapVariables(in: text) { name in
            names.append(name)
            return name
        }
        return names
    }

    /// What stands in quotes, before `(` or `:`, or behind `|` is no variable.
    private static func mapNames(in bytes: [UInt8], _ change: (String) -> String) -> String {
        func isName(_ byte: UInt8) -> Bool {
            byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "_-.".utf8.contains(byte)
        }
        var result: [UInt8] = []
        var position = 0
        var isBehindPipe = false
        while position < bytes.count {
            let start = position
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                position += 1
                while position < bytes.count, bytes[position] != byte { position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1 }
                position = min(position + 1, bytes.count)
                result += bytes[start..<position]
            } else if isName(byte) {
                position = bytes[start...].firstIndex { !isName($0) } ?? bytes.count
                let next = bytes[position...].first { $0 > 0x20 }
                let isVariable = !isBehindPipe && next != UInt8(ascii: "(") && next != UInt8(ascii: ":")
                let name = String(decoding: bytes[start..<position], as: UTF8.self)
                result += Array((isVariable ? change(name) : name).utf8)
                isBehindPipe = false
            } else {
                if byte > 0x20 { isBehindPipe = byte == UInt8(ascii: "|") }
                result.append(byte)
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// Whether a name says that its value is a secret.
enum SecretName {
    static func matches(_ name: String) -> Bool {
        let lower = name.lowercased()
        if pages.contains(where: lower.filter({ $0.isLetter }).hasSuffix) { return false }
        if Redaction.standard.redacts(lower) { return true }
        let plain = lower.filter { $0.isLetter || $0.isNumber }
        // What is said about a secret is none.
        guard
            !["url", "uri", "name", "type", "expiry", "expires", "expiresin", "endpoint", "path", "field", "header", "length"]
                .contains(where: plain.hasSuffix)
        else { return false }
        return parts.contains(where: plain.contains) || ["pwd", "jwt", "bearer"].contains(where: plain.hasSuffix)
            || Redaction.standard.redacts(parameter: lower)
    }

    /// Where a list goes on.
    private static let pages = ["pagetoken", "nexttoken", "continuationtoken", "synctoken"]

    private static let parts = [
        "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "credential", "authorization",
        "sessionid",
    ]
}
