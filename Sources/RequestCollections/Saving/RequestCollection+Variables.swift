import OrderedCollections

/// A change of one variable or one environment of a collection: what was shown of it, and what it is to be.
package enum VariableEdit: Hashable, Sendable {
    /// In an environment, or with `nil` for all of the collection. Without a base it is new, without `edited` it goes.
    case variable(base: VariableDefinition?, edited: VariableDefinition?, in: String?)
    /// Changes an environment, not its variables. When it gets another name, the environments that extend it follow.
    case environment(base: EnvironmentDefinition?, edited: EnvironmentDefinition?)
}

extension RequestCollection {
    /// The edit after which a variable has this text; its base is what this collection says of it.
    ///
    /// - Parameter environment: `nil`: for all of the collection, under `variables`. Another name makes an environment.
    package func setting(_ variable: String, to text: String, in environment: String?) -> VariableEdit {
        let old = variables(in: environment).first { $0.name == variable }
        return .variable(
            base: old, edited: VariableDefinition(name: variable, value: .text(text), location: .none), in: environment)
    }

    /// What has to change on disk for an edit of a variable or an environment; nothing else in the file changes.
    ///
    /// - Throws: ``CollectionProblem`` when it can't be so, when others have changed the same since it was shown, or when the file has a
    ///   form that can't be edited in place; ``CollectionFileError`` when it can't be read or isn't any more what the collection was
    ///   read from.
    package func applying(_ edit: VariableEdit) throws -> CollectionChange {
        let wanted = try edited(by: edit)
        let file = isFile ? path : "\(path)/\(Self.mainFile)"
        let bytes = try FileContents.read(file, limit: YAMLDocument.Limits.size)
        guard files[file] == FileFingerprint(bytes) else { throw CollectionChange.changedOnDisk(file) }
        if wanted.others(than: nil) == others(than: nil) { return CollectionChange(steps: [], collection: self) }
        let document = try YAMLDocument(path: file, bytes: bytes)
        guard let root = document.root else { throw CollectionChange.changedOnDisk(file) }
        var editor = SpliceEditor(document)
        let heads = try [self, wanted].map { DesiredValue.map(try CollectionWriter($0).head(), layout: .block) }
        try editor.update(
            root, to: .replacing(root, heads[0], with: heads[1]),
            at: .init(head: editor.source.start(of: root), indent: 0, isFlow: root.isFlow))
        guard let changed = editor.source.applying(editor.edits), let after = Optional(rereading(main: file, changed)),
            after.others(than: nil) == wanted.others(than: nil)
        else {
            throw Self.complaint(
                "`\(edit.oldName)` can't be set in place without changing more; set it in the file", root.location(in: file))
        }
        return CollectionChange(steps: [.replace(file, before: bytes, after: changed)], collection: after)
    }

    /// The collection as an edit of a variable or an environment leaves it.
    ///
    /// - Throws: when it can't be so, or when what it was made from isn't there any more.
    package func edited(by edit: VariableEdit) throws(CollectionProblem) -> RequestCollection {
        if isForeign, let problem = problems.first { throw problem }
        var copy = self
        switch edit {
        case .variable(let base, let edited, let environment):
            var list = variables(in: environment)
            if let name = edited?.name {
                guard TemplateName.isValid(name) else { throw Self.complaint(RequestReader.notAName(name)) }
                guard environment == nil || name != "extends" else {
                    throw Self.complaint("`extends` says what an environment builds on; a variable needs another name")
                }
            }
            let index = list.firstIndex { $0.name == (base ?? edited)?.name }
            let current = index.map { list[$0] }
            if let edited, current.map({ $0.says(sameAs: edited) }) ?? false { return copy }
            if let edited, base == nil, current != nil { throw Self.complaint("`\(edited.name)` is there already") }
            guard current.map({ now in base.map { now.says(sameAs: $0) } ?? false }) ?? (base == nil || edited == nil) else {
                throw Self.complaint(
                    "`\((base ?? edited)?.name ?? "")` was changed in the file meanwhile; what it says now is shown, so edit it again"
                )
            }
            if let edited, edited.name != base?.name, list.contains(where: { $0.name == edited.name }) {
                throw Self.complaint("`\(edited.name)` is there already")
            }
            if let index { list.remove(at: index) }
            if let edited { list.insert(edited, at: index ?? list.endIndex) }
            copy.set(list, in: environment)
        case .environment(let base, let edited):
            let current = base.flatMap { environments[$0.name] }
            guard base == nil || edited == nil || current?.extends == base?.extends, base == nil || edited == nil || current != nil
            else {
                throw Self.complaint("`\(base?.name ?? "")` was changed in the file meanwhile; what it says now is shown")
            }
            let others = environments.values.filter { $0.extends == base?.name && $0.name != base?.name && base != nil }
            if let other = others.first, edited?.name != base?.name {
                throw Self.complaint("`\(other.name)` extends `\(base?.name ?? "")`: change that first")
            }
            guard let edited else {
                if let base { copy.environments[base.name] = nil }
                break
            }
            try check(edited, base: base)
            var list = Array(environments.values)
            let new = EnvironmentDefinition(
                name: edited.name, extends: edited.extends, variables: current?.variables ?? [], location: .none)
            if let index = list.firstIndex(where: { $0.name == base?.name }) { list[index] = new } else { list.append(new) }
            copy.environments = OrderedDictionary(uniqueKeysWithValues: list.map { ($0.name, $0) })
        }
        return copy
    }

    private func check(_ edited: EnvironmentDefinition, base: EnvironmentDefinition?) throws(CollectionProblem) {
        guard !edited.name.isEmpty else { throw Self.complaint("the environment needs a name") }
        if edited.name != base?.name, environments[edited.name] != nil {
            throw Self.complaint("`\(edited.name)` is there already")
        }
        var seen = [edited.name] + (base.map { [$0.name] } ?? [])
        var next = edited.extends
        while let name = next {
            guard !seen.contains(name) else { throw Self.complaint("the environment `\(edited.name)` would extend itself") }
            guard let environment = environments[name] else {
                throw Self.complaint("there is no environment `\(name)` that it could extend")
            }
            seen.append(name)
            next = environment.extends
        }
    }

    static let mainFile = "_collection.yaml"

    private func variables(in environment: String?) -> [VariableDefinition] {
        environment.map { environments[$0]?.variables ?? [] } ?? variables
    }

    private mutating func set(_ list: [VariableDefinition], in environment: String?) {
        guard let environment else {
            variables = list
            return
        }
        environments[environment, default: EnvironmentDefinition(name: environment, location: .none)].variables = list
    }

    private static func complaint(_ message: String, _ location: SourceLocation = .none) -> CollectionProblem {
        CollectionProblem(location: location, message: message)
    }

    private func rereading(main file: String, _ bytes: [UInt8]) -> RequestCollection {
        let main = Self.load(path: file, bytes: bytes)
        if isFile { return main }
        var after = self
        after.variables = main.variables
        after.environments = main.environments
        after.files[file] = FileFingerprint(bytes)
        return after
    }
}

extension VariableDefinition {
    /// Whether two mean the same, wherever they stand.
    package func says(sameAs other: VariableDefinition) -> Bool {
        name == other.name && value == other.value && origins == other.origins
    }
}

extension VariableEdit {
    /// The name before the change; for something new, the name after it.
    fileprivate var oldName: String {
        switch self {
        case .variable(let base, let edited, _): (base ?? edited)?.name ?? ""
        case .environment(let base, let edited): (base ?? edited)?.name ?? ""
        }
    }
}

/// A variable's value as one line that a person types, and back.
extension VariableDefinition.Value {
    /// A text as it is, in quotes when it would be read as a number, a boolean, a list or a map; all other JSON as JSON. `nil`: a secret,
    /// see ``SecretReference/typed``.
    package var typed: String? {
        switch self {
        case .text(let text):
            JSONParser.parse(text) == nil && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
                ? text : JSONValue.string(text).text(pretty: false)
        case .json(let text): text
        case .secret: nil
        }
    }

    package init(typed text: String) {
        switch JSONParser.parse(text) {
        case nil: self = .text(text)
        case .string(let text)?: self = .text(text)
        case let value?: self = .json(value.text(pretty: false))
        }
    }
}

extension SecretReference {
    /// `env NAME`, `file PATH`, `prompt MESSAGE`, `command WORD WORD`; words with blanks in them stand in JSON: `command ["a b"]`.
    package var typed: String {
        switch self {
        case .environment(let name): "env \(name)"
        case .file(let path): "file \(path)"
        case .prompt(let message): "prompt \(message)"
        case .command(let words):
            words.allSatisfy { !$0.isEmpty && !$0.contains { $0.isWhitespace } } && words.first?.first != "["
                ? "command \(words.joined(separator: " "))"
                : "command \(JSONValue.array(words.map { .string($0) }).text(pretty: false))"
        }
    }

    /// `nil`: it is none of these.
    package init?(typed text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "env": self = .environment(words[1])
        case "file": self = .file(words[1])
        case "prompt": self = .prompt(words[1])
        case "command":
            guard case .array(let items)? = JSONParser.parse(words[1]) else {
                self = .command(words[1].split(separator: " ").map(String.init))
                return
            }
            let texts = items.compactMap { if case .string(let text) = $0 { text } else { nil } }
            guard !texts.isEmpty, texts.count == items.count else { return nil }
            self = .command(texts)
        default: return nil
        }
    }
}
