import NetworkLayer

/// The way out of the collection: everything that a template or a key wants of the machine goes through here.
extension VariableScope {
    /// Permission to have it. What is wanted is noted in any case.
    ///
    /// - Parameter purpose: what wants it; `nil`: the variable that is being filled in, else the request.
    /// - Returns: `nil` when nobody has allowed it.
    mutating func permit(_ want: Want, for purpose: String? = nil, at location: SourceLocation?) -> Permission? {
        note(NotedWant(want, for: purpose ?? self.purpose, at: location))
        return sources.trust.permit(want, in: place)
    }

    /// A file that may be read: the collection's own, or one that was allowed.
    ///
    /// - Parameter path: as it is written, from the current directory.
    mutating func file(
        _ path: String, as use: WantUse = .text, for purpose: String? = nil, at location: SourceLocation?
    ) -> PermittedFile? {
        takesWhatChanges = true
        // A secret may lie elsewhere on each machine.
        if use != .secret { files.append((path, location)) }
        let real = RealPath.of(path)
        if let own = PermittedFile(ownOf: place, real, named: path) { return own }
        guard let permit = permit(.read(path: real, for: use), for: purpose, at: location) else { return nil }
        return PermittedFile(real, named: path, permit)
    }

    /// A file that may be written: one that was allowed, or in a directory that was.
    ///
    /// - Parameters:
    ///   - path: from the current directory.
    ///   - text: the path with its templates. When they make the name, whoever allows it allows any name there.
    mutating func output(
        _ path: String, namedBy text: String, for purpose: String, at location: SourceLocation?
    ) throws(ResolutionError) -> PermittedOutput? {
        takesWhatChanges = true
        let real = RealPath.of(path)
        let pattern = text.pieces(at: "/").last ?? ""
        let isAnyName = pattern.firstRange(of: "{{") != nil || pattern.firstRange(of: "}}") != nil
        let name = real.pieces(at: "/").last ?? ""
        if path.unicodeScalars.last == "/" || FileContents.exists(real) && !FileContents.isRegular(real) {
            throw ResolutionError(.file, "`\(purpose)` takes the name of a file, and \(path) is something else", at: location)
        }
        let complaint: String? =
            if collection.files.keys.contains(where: { RealPath.of($0) == real }) {
                "\(path) is the collection itself, and no answer is written over it"
            } else if place.covers(real) {
                "\(path) would lie among the collection's own files, which are read without asking; save it outside of the collection"
            } else if isAnyName, name.first == ".", pattern.first != "." {
                "\(path) is a hidden file, and no value may make the name of one"
            } else {
                nil
            }
        if let complaint { throw ResolutionError(.definition, complaint, at: location) }
        let wanted = isAnyName ? String(real.dropLast(name.count)) : real
        return permit(.write(path: wanted), for: purpose, at: location).map { PermittedOutput(real, named: path, $0) }
    }

    /// Permission to read a secret; `nil` when nobody has given it.
    mutating func permitted(_ reference: SecretReference, at location: SourceLocation?) -> PermittedSecret? {
        let directory = collection.directory
        switch reference {
        case .environment(let name):
            return permit(.env(name: name, for: .secret), at: location).map { .environment(name, $0) }
        case .file(let path):
            return file(joined(directory, path), as: .secret, at: location).map { .file($0) }
        case .command(let words):
            let want = CommandWant(words, files: commandFiles(of: words, in: directory), for: .secret)
            return permit(.run(want), at: location).map { .command(words, directory: directory, $0) }
        case .prompt(let message): return .prompt(message)
        }
    }

    /// The command of some words, as a person is to judge it.
    ///
    /// - Parameter texts: fills the words in, by the scope that it is given.
    mutating func command(
        in directory: String, as use: WantUse = .text, for purpose: String? = nil, at location: SourceLocation?,
        _ texts: (inout VariableScope) throws(ResolutionError) -> [LabelledText]
    ) throws(ResolutionError) -> (want: CommandWant, permit: Permission?) {
        var judged = judging()
        let words = try texts(&judged).map(\.text)
        if let program = words.first, judged.answersTaken.contains(where: { program.firstRange(of: $0) != nil }) {
            throw ResolutionError(
                .notAllowed, "a server's answer would say which program is run; only its arguments may come from one", at: location)
        }
        // What is read into the words is as much a part of them.
        let files = commandFiles(of: words, in: directory) + judged.filesRead
        let want = CommandWant(words, files: files, for: use)
        return (want, permit(.run(want), for: purpose, at: location))
    }

    /// What stands in a command for a call whose value isn't known before it runs: the same text whenever and wherever the same file is
    /// judged.
    ///
    /// - Returns: `nil` for a call that may be evaluated as always: what it gives depends on its arguments alone.
    mutating func judged(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> String? {
        if call.function == .env { return nil }
        var words: [String] = []
        for (parameter, node) in call.arguments.sorted(by: { $0.key < $1.key }) {
            do throws(ResolutionError) {
                words.append(try value(of: node, at: location).text.text)
            } catch {
                guard call.function == .default, parameter == "value", error.code == .variable else { throw error }
            }
        }
        words += try texts(of: call.rest, at: location).map(\.text)
        switch call.function {
        case .base64, .sha256, .hmac, .item, .default:
            if !words.contains(where: { $0.firstRange(of: "‹") != nil }) { return nil }
        case .file:
            let path = joined(directory(of: location), words.first ?? "")
            if let hash = CommandFiles.hash(of: path, of: place, memory: sources.commandFiles) { filesRead.append(hash) }
        default: break
        }
        // A format of the time is any text, which a shell would run.
        let text = "‹\(([call.function.rawValue] + words).joined(separator: " "))›"
        if call.function == .response { answersTaken.append(text) }
        return text
    }

    /// Permission for a filter in the file that is a command for a shell; `nil` for any other, and without it.
    mutating func permit(filter source: String, for purpose: String, at location: SourceLocation?) -> Permission? {
        guard let line = JSONFilter.shellLine(source) else { return nil }
        let want = CommandWant(["sh", "-c", line], files: commandFiles(of: [line], in: ""), for: .filter)
        return permit(.run(want), for: purpose, at: location)
    }

    private mutating func commandFiles(of words: [String], in directory: String) -> [String] {
        CommandFiles.hashes(of: words, in: directory, of: place, memory: sources.commandFiles)
    }

    /// The variable, and the environment that it stands in.
    private var purpose: String {
        guard let name = stack.last else { return request?.rawValue ?? "" }
        if case .environment(let environment)? = source(of: name) { return "\(environment).\(name)" }
        return name
    }
}

extension JSONFilter {
    /// What stands behind the exclamation mark of a filter that is a command.
    package static func shellLine(_ source: String) -> String? {
        let text = source.drop { $0 == " " }
        return text.hasPrefix("!") ? String(text.dropFirst()) : nil
    }
}
