import NetworkLayer

/// The reference page of the format, `docs/format.md`: made from the tables that the reader uses, so it can't say anything else.
package struct FormatReference {
    private var sections: [String] = []
    private var anchors: [ObjectIdentifier: String] = [:]

    /// In Markdown, with a line break at its end.
    package static func text() -> String {
        var reference = FormatReference()
        for table in [FormatTable.collection, .collectionFile, .folder, .folderFile, .request, .defaults, .secret] {
            _ = reference.link(to: table)
        }
        reference.addSettings()
        for table in [FormatTable.matcher, .plainMatcher] { _ = reference.link(to: table) }
        return ([head] + reference.sections).joined(separator: "\n")
    }

    private static let head = """
        # The format, key by key

        `make reference` writes this page from the table of fields that the program itself reads with; [Collections](collections.md)
        explains the format by examples. Wherever a key takes text, the text may hold templates, unless it is for people only.

        """

    /// Links to the section of a table, which is written when it is first asked for; tables may lead back to themselves.
    private mutating func link(to table: FormatTable) -> String {
        if let anchor = anchors[ObjectIdentifier(table)] { return "[\(table.subject)](#\(anchor))" }
        let base = Self.anchor(of: table.subject)
        let others = anchors.values.count { $0 == base || $0.hasPrefix(base + "-") && Int($0.dropFirst(base.count + 1)) != nil }
        let anchor = others == 0 ? base : "\(base)-\(others)"
        anchors[ObjectIdentifier(table)] = anchor
        let place = sections.count
        sections.append("")
        var lines = ["## \(table.subject.prefix(1).uppercased())\(table.subject.dropFirst())", ""]
        lines += ["| key | takes | what it does |", "|---|---|---|"]
        let isAmongSettings = table.keys.contains { $0.setting?.key == SettingField.all.last?.key }
        for key in table.keys where !isAmongSettings || SettingNode.named(key.name) == nil {
            lines.append(Self.row(["`\(key.name)`", cell(key.takes), key.doc]))
        }
        lines += notes(of: table, isAmongSettings: isAmongSettings)
        sections[place] = lines.joined(separator: "\n") + "\n"
        return "[\(table.subject)](#\(anchor))"
    }

    private func notes(of table: FormatTable, isAmongSettings: Bool) -> [String] {
        var notes = table.rules.map { rule in
            switch rule {
            case .required(let names): "It has \(Self.names(names, "and"))."
            case .exactlyOne(let names): "It has exactly one of \(Self.names(names, "and"))."
            case .atMostOne(let names): "It has at most one of \(Self.names(names, "and"))."
            case .notEmpty: "It isn't empty."
            case .requiredBy(let key, let names):
                names.sorted { $0.key ?? "" < $1.key ?? "" }.map { value, names in
                    "\(value.map { "With `\(key): \($0)`" } ?? "Without `\(key)`") it has \(Self.names(names, "and"))."
                }.joined(separator: " ")
            }
        }
        if isAmongSettings { notes.append("It also takes every one of the [settings](#settings).") }
        if table.takesOthers { notes.append("Keys that begin with `x-` mean nothing.") }
        return notes.isEmpty ? [] : ["", notes.joined(separator: " ")]
    }

    /// Settings are in a request and in defaults; each line of theirs has the whole key path.
    private mutating func addSettings() {
        var lines = [
            "## Settings", "",
            "How a request is sent. What the request doesn't say, the nearest of the folders around it says, then the collection, and then",
            "what stands here under \"unless said\". Each key of a map is inherited by itself.", "",
            "| key | takes | unless said | what it does |", "|---|---|---|---|",
        ]
        for field in SettingField.all {
            let standard = field.text(in: .library).map { "`\($0)`" } ?? ""
            let place = field.texts == .path || field.texts == .file ? " Relative to the file that names it." : ""
            let map = SettingNode.named(field.key)?.children.isEmpty == false ? ", or a map of the keys below" : ""
            lines.append(Self.row(["`\(field.key)`", cell(field.shape) + map, standard, field.help + place]))
        }
        sections.append(lines.joined(separator: "\n") + "\n")
    }

    private mutating func cell(_ shape: FormatShape) -> String {
        switch shape {
        case .keys(let table): return link(to: table)
        case .list(.keys(let table)): return "a list, each item \(link(to: table))"
        case .either(let shapes):
            var cells: [String] = []
            for shape in shapes { cells.append(cell(shape)) }
            return cells.joined(separator: " or ")
        case .named(let shape), .variables(let shape): return "a map of names, each with \(cell(shape))"
        case .conditions: return "a map of names, each with \(cell(.matcher(.json)))"
        case .loop(let table):
            let items = table["in"].map { cell($0.takes) } ?? ""
            return "a map of a variable with \(items); or \(link(to: table)); or a list of such maps"
        case .matcher(let kind): return "\(shape), as \(link(to: kind == .json ? .matcher : .plainMatcher))"
        case .bodyMatcher: return "\(shape), as \(link(to: .plainMatcher)); or a map of filters, each with \(link(to: .matcher))"
        default: return shape.description
        }
    }

    private static func row(_ cells: [String]) -> String {
        "| \(cells.map { $0.replacing(scalars: "|", with: "\\|") }.joined(separator: " | ")) |"
    }

    private static func names(_ names: [String], _ word: String) -> String {
        let quoted = names.map { "`\($0)`" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
        return "\(quoted.dropLast().joined(separator: ", ")) \(word) \(last)"
    }

    /// As GitHub makes it of a heading.
    private static func anchor(of heading: String) -> String {
        String(heading.lowercased().compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil })
    }
}
