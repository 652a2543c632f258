import RequestCollections
package import TerminalUI

/// What a theme file says, read without giving up: whatever is wrong becomes a problem, and the rest holds.
///
///     name: dusk
///     extends: dark
///     palette: { rose: "#ff9fb0" }
///     roles:
///       error: rose bold                          # colour, `on` colour, attributes
///       selection: { bg: "#203040", bold: true }  # or in full
package struct ThemeFile: Sendable, Hashable {
    package var name: String
    private let path: String
    /// The theme whose looks hold where this one says nothing. They take the colours of this one's palette.
    package var extends: String?
    package var palette: [String: Color] = [:]
    /// What the roles are to look like, with the colours by their names.
    var looks: [ThemeRole: Look] = [:]
    package var problems: [ThemeProblem] = []

    struct Look: Hashable, Sendable {
        var foreground: Ink?
        var background: Ink?
        var attributes: Style.Attributes = []

        var inks: [Ink] { [foreground, background].compactMap(\.self) }

        func style(_ palette: [String: Color]) -> Style {
            Style(foreground: foreground?.color(palette), background: background?.color(palette), attributes: attributes)
        }
    }

    /// A colour as it is written: `#rrggbb`, or a name.
    struct Ink: Hashable, Sendable {
        var name: String
        var line: Int

        func color(_ palette: [String: Color]) -> Color? { palette[name] ?? Color(hexadecimal: name) }
    }

    /// The styles, with the colours of the theme's own palette.
    package var styles: [ThemeRole: Style] { looks.mapValues { $0.style(palette) } }

    /// - Parameters:
    ///   - text: YAML.
    ///   - path: for problems; its last part without `.yaml` is the name of a theme that has none.
    package init(_ text: String, path: String) {
        self.path = path
        name = Self.name(ofPath: path)
        var reader = Reader(path: path)
        do throws(CollectionProblem) {
            guard let root = try YAMLDocument(path: path, bytes: Array(text.utf8)).root else { return }
            reader.read(root, into: &self)
        } catch {
            reader.report(error.message, line: error.location.line)
        }
        problems = reader.problems
        if extends == nil { problems += unknownColors(among: palette) }
        problems = problems.enumerated().sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
            .map(\.element)
    }

    /// The names that no palette has.
    func unknownColors(among palette: [String: Color]) -> [ThemeProblem] {
        let known = palette.keys.sorted() + ThemeFormat.attributes.keys.sorted()
        return looks.values.flatMap(\.inks).filter { $0.color(palette) == nil && !$0.name.hasPrefix("#") }.map { ink in
            ThemeProblem(
                path: path, line: ink.line, message: "there is no colour \"\(ink.name)\"" + Reader.suggestion(ink.name, known))
        }
    }

    static func name(ofPath path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file.hasSuffix(".yml") ? String(file.dropLast(4)) : file
    }
}

/// What is wrong with a theme file; the theme works without it.
package struct ThemeProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: String
    /// From 1.
    package var line: Int?
    package var message: String

    package init(path: String, line: Int? = nil, message: String) {
        self.path = path
        self.line = line
        self.message = message
    }

    /// `Themes/dusk.yaml:7: there is no role "eror"; did you mean "error"?`
    package var description: String { "\(path):\(line.map { "\($0):" } ?? "") \(message)" }
}

/// Goes over the nodes of a theme file.
private struct Reader {
    let path: String
    var problems: [ThemeProblem] = []
    var palette: [String: Color] = [:]

    init(path: String) {
        self.path = path
    }

    mutating func report(_ message: String, line: Int?) {
        problems.append(ThemeProblem(path: path, line: line, message: message))
    }

    private mutating func report(_ message: String, at node: YAMLNode) {
        report(message, line: node.location(in: path).line)
    }

    mutating func read(_ root: YAMLNode, into file: inout ThemeFile) {
        guard let members = root.pairs else {
            return report("a theme is a mapping with `name`, `palette` and `roles`", at: root)
        }
        // Roles use the palette wherever it stands.
        for pair in members where pair.key.text == "palette" { readPalette(pair.value) }
        for member in members {
            let (key, value) = (member.key, member.value)
            switch key.text {
            case "name": file.name = value.text ?? file.name
            case "extends": file.extends = value.text
            case "palette": file.palette = palette
            case "roles": readRoles(value, into: &file)
            default: unknown("key", key, known: ThemeFormat.keys.map(\.key))
            }
        }
    }

    private mutating func readPalette(_ node: YAMLNode) {
        guard let members = node.pairs else { return report("`palette` must map names to #rrggbb", at: node) }
        for member in members {
            let (key, value) = (member.key, member.value)
            guard let name = key.text else { continue }
            if let color = Color(hexadecimal: value.text ?? "") {
                palette[name] = color
            } else {
                report("`\(name)` must be a colour such as \"#7db7ff\", in quotes", at: value)
            }
        }
    }

    private mutating func readRoles(_ node: YAMLNode, into file: inout ThemeFile) {
        guard let members = node.pairs else { return report("`roles` must map roles to looks", at: node) }
        for member in members {
            let (key, value) = (member.key, member.value)
            guard let name = key.text, let role = ThemeRole(kebabCase: name) else {
                unknown("role", key, known: ThemeRole.allCases.map(\.kebabCase))
                continue
            }
            if let look = look(value) { file.looks[role] = look }
        }
    }

    private mutating func look(_ node: YAMLNode) -> ThemeFile.Look? {
        if let members = node.pairs { return look(members) }
        guard let text = node.text else {
            report("a look is text such as `red bold` or a mapping such as { fg: red, bold: true }", at: node)
            return nil
        }
        var look = ThemeFile.Look()
        var isBackground = false
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\"" }).map(String.init) {
            if word == "on" {
                isBackground = true
            } else if let attribute = ThemeFormat.attributes[word] {
                look.attributes.insert(attribute)
            } else if let ink = ink(word, node) {
                if isBackground { look.background = ink } else { look.foreground = ink }
            }
        }
        return look
    }

    private mutating func look(_ members: [YAMLPair]) -> ThemeFile.Look {
        var look = ThemeFile.Look()
        for member in members {
            let (key, value) = (member.key, member.value)
            let name = key.text ?? ""
            if name == "fg" {
                look.foreground = ink(value.text ?? "", value)
            } else if name == "bg" {
                look.background = ink(value.text ?? "", value)
            } else if let attribute = ThemeFormat.attributes[name] {
                guard let isOn = value.boolean else {
                    report("`\(name)` must be true or false", at: value)
                    continue
                }
                if isOn { look.attributes.insert(attribute) }
            } else {
                unknown("part of a look", key, known: ThemeFormat.lookKeys)
            }
        }
        return look
    }

    /// A name is looked up when all palettes are known.
    private mutating func ink(_ name: String, _ node: YAMLNode) -> ThemeFile.Ink? {
        if name.hasPrefix("#"), Color(hexadecimal: name) == nil {
            report("\"\(name)\" is no colour: write six digits, such as \"#7db7ff\"", at: node)
            return nil
        }
        return ThemeFile.Ink(name: name, line: node.location(in: path).line)
    }

    private mutating func unknown(_ what: String, _ key: YAMLNode, known: [String]) {
        let name = key.text ?? ""
        report("there is no \(what) \"\(name)\"" + Self.suggestion(name, known), at: key)
    }

    /// `; did you mean "error"?`
    static func suggestion(_ name: String, _ known: [String]) -> String {
        let nearest = known.map { ($0, Self.distance(name, $0)) }.min { $0.1 < $1.1 }
        guard let nearest, nearest.1 <= max(2, name.count / 3) else { return "" }
        return "; did you mean \"\(nearest.0)\"?"
    }

    /// Levenshtein's.
    private static func distance(_ one: String, _ other: String) -> Int {
        let other = Array(other)
        var row = Array(0...other.count)
        for (index, character) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, candidate) in other.enumerated() {
                let above = row[column + 1]
                row[column + 1] = min(above + 1, row[column] + 1, diagonal + (character == candidate ? 0 : 1))
                diagonal = above
            }
        }
        return row[other.count]
    }
}

extension ThemeRole {
    /// `statusLine` is `status-line`, `status2xx` is `status-2xx`.
    package var kebabCase: String {
        var result = ""
        var isBehindDigit = false
        for character in rawValue {
            if character.isUppercase || (character.isNumber && !isBehindDigit) { result += "-" }
            isBehindDigit = character.isNumber
            result += character.lowercased()
        }
        return result
    }

    package init?(kebabCase: String) {
        guard let role = Self.byKebabCase[kebabCase] else { return nil }
        self = role
    }

    private static let byKebabCase = Dictionary(uniqueKeysWithValues: allCases.map { ($0.kebabCase, $0) })
}

extension Color {
    /// `#7db7ff`
    package init?(hexadecimal: String) {
        guard hexadecimal.utf8.count == 7, hexadecimal.hasPrefix("#"), let value = UInt32(hexadecimal.dropFirst(), radix: 16)
        else { return nil }
        self.init(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }
}
