import Base
import NetworkLayer

extension Want {
    /// What follows the kind, as people read it. Control characters are still in it.
    package var subject: String {
        switch self {
        case .run(let command): command.text
        case .read(let path, _): path
        case .write(let path): path.hasSuffix("/") ? "any file in \(path)" : path
        case .env(let name, _): name
        case .send(let secret, _, let origin): "\(secret) → \(origin)"
        case .ambient(let credential, let origin): "\(credential) → \(origin)"
        case .route(let way, let value): "\(way) \(value)"
        case .carry(let from, let to): "what \(from) answers → \(to)"
        case .open(let origin): "\(origin) in a browser"
        }
    }

    /// What two wants of one subject differ in: what it is for, or where a secret comes from. `nil` where there is nothing to say.
    package var manner: String? {
        switch self {
        case .run(let command): command.use.manner
        case .read(_, let use), .env(_, let use): use.manner
        case .send(_, let source, _): source.isEmpty ? "given by a person" : "of \(source)"
        case .write, .ambient, .route, .carry, .open: nil
        }
    }

    /// Whether they are about the same thing, in whatever ``manner``.
    func isAbout(_ other: Want) -> Bool { kind == other.kind && subject == other.subject }
}

extension WantUse {
    fileprivate var manner: String {
        switch self {
        case .text: "as a text"
        case .secret: "as a secret"
        case .certificate: "for TLS"
        case .netrc: "as a netrc file"
        case .request: "as a request"
        case .hydrate: "for `hydrate`"
        case .filter: "as a filter"
        }
    }
}

extension CommandWant {
    /// Word by word as a shell takes them, and the beginning of each file's hash, of many files' one.
    package var text: String {
        var text = words.map(\.shellWord).joined(separator: " ")
        for limit in limits {
            if let hash = files[limit.key] { text += "  all scripts beside it sha256 \(hash.prefix(8))…" }
        }
        let files = files.filter { CommandLimit(key: $0.key) == nil }.sorted { $0.key < $1.key }
        for (file, hash) in files.prefix(Self.mostFiles) { text += "  \(file) sha256 \(hash.prefix(8))…" }
        let others = files.dropFirst(Self.mostFiles)
        if !others.isEmpty {
            let hash = DigestFunction.sha256.hash(Data(others.map { "\($0.key) \($0.value)\n" }.joined().utf8)).hexadecimal
            text += "  and \(others.count) more \(others.count == 1 ? "file" : "files") sha256 \(hash.prefix(8))…"
        }
        return takesAnswers ? "\(text)  with a server's answer in it" : text
    }

    private var limits: [CommandLimit] { CommandLimit.allCases.filter { files[$0.key] != nil } }

    /// Why more than the files that it names is a part of it, and the way out.
    var notes: [String] { limits.map(\.note) }

    private static let mostFiles = 12
}

extension String {
    /// As one word of a command for a shell.
    var shellWord: String {
        let isPlain = unicodeScalars.allSatisfy { scalar in
            !scalar.isASCII
                ? scalar.properties.isAlphabetic || scalar == "‹" || scalar == "›"
                : "%+,-./:=@_^".unicodeScalars.contains(scalar)
                    || ("0"..."9").contains(scalar) || ("A"..."Z").contains(scalar) || ("a"..."z").contains(scalar)
        }
        return isPlain && !isEmpty ? self : "'\(replacing(scalars: "'", with: "'\\''"))'"
    }
}

extension NotedWant {
    /// What it is known by where another one has taken its place: an allowed secret that is to go elsewhere has *changed*, and so has a
    /// command or file that another line of the file wanted before.
    package var slot: String {
        switch want {
        case .send(let secret, _, _): "send \(secret)"
        case .ambient(let credential, _): "ambient \(credential)"
        case .route(let way, _): "route \(way)"
        case .carry(let from, _): "carry \(from)"
        case .run, .read, .write, .env, .open: "\(want.kind) \(purpose)"
        }
    }
}
