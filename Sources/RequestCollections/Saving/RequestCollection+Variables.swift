import OrderedCollections

extension RequestCollection {
    /// What has to change on disk so that a variable has this text; nothing else in the file changes.
    ///
    /// - Parameter environment: `nil`: for all of the collection, under `variables`. Another name makes an environment.
    /// - Throws: ``CollectionProblem`` when the file has a form that can't be edited in place, ``CollectionFileError`` when it can't be
    ///   read or isn't any more what the collection was read from.
    package func setting(_ variable: String, to text: String, in environment: String?) throws -> CollectionChange {
        let file = isFile ? path : "\(path)/\(Self.mainFile)"
        let bytes = try FileContents.read(file, limit: YAMLDocument.Limits.size)
        guard files[file] == FileFingerprint(bytes) else { throw CollectionChange.changedOnDisk(file) }
        let document = try YAMLDocument(path: file, bytes: bytes)
        guard let root = document.root else { throw CollectionChange.changedOnDisk(file) }
        let keys = (environment.map { ["environments", $0] } ?? ["variables"]) + [variable]
        var editor = SpliceEditor(document)
        try editor.update(
            root, to: Self.desired(root, keys[...], text),
            at: .init(head: editor.source.start(of: root), indent: 0, isFlow: root.isFlow))
        guard let after = editor.source.applying(editor.edits),
            let collection = reread(after, of: file, variable, text, environment)
        else {
            throw CollectionProblem(
                location: root.location(in: file),
                message: "`\(variable)` can't be set in place without changing more; set it in the file")
        }
        return CollectionChange(steps: [.replace(file, before: bytes, after: after)], collection: collection)
    }

    static let mainFile = "_collection.yaml"

    private static func desired(_ node: YAMLNode?, _ keys: ArraySlice<String>, _ text: String) -> DesiredValue {
        guard let key = keys.first else { return .scalar(text, .string) }
        var isThere = false
        var entries = (node?.pairs ?? []).enumerated().map { index, pair in
            guard pair.key.text == key, !isThere else {
                return DesiredEntry(source: index, key: pair.key.text ?? "", value: .keep(pair.value))
            }
            isThere = true
            return DesiredEntry(source: index, key: key, value: desired(pair.value, keys.dropFirst(), text))
        }
        if !isThere { entries.append(DesiredEntry(source: nil, key: key, value: desired(nil, keys.dropFirst(), text))) }
        return .map(entries, .block)
    }

    /// The collection with the file's new bytes; `nil` when anything but the variable has changed.
    private func reread(
        _ bytes: [UInt8], of file: String, _ variable: String, _ text: String, _ environment: String?
    ) -> RequestCollection? {
        var after = self
        if isFile {
            after = Self.load(path: file, bytes: bytes)
        } else {
            let main = Self.load(path: file, bytes: bytes)
            after.variables = main.variables
            after.environments = main.environments
            after.files[file] = FileFingerprint(bytes)
        }
        func without(_ variables: [VariableDefinition]) -> [VariableDefinition] { variables.filter { $0.name != variable } }
        var (old, new) = (self, after)
        let found: VariableDefinition?
        if let environment {
            found = after.environments[environment]?.variables.first { $0.name == variable }
            if old.environments[environment] == nil { new.environments[environment] = nil }
            old.environments[environment]?.variables = without(environments[environment]?.variables ?? [])
            new.environments[environment]?.variables = without(after.environments[environment]?.variables ?? [])
        } else {
            found = after.variables.first { $0.name == variable }
            old.variables = without(variables)
            new.variables = without(after.variables)
        }
        return found?.value == .text(text) && old.others(than: nil) == new.others(than: nil) ? after : nil
    }
}
