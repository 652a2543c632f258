import Base
import NetworkLayer

/// Something that a collection can't have unless a person allows it: it reaches beyond the collection's own files and the servers that
/// get nothing but what stands in them.
///
/// | kind    | subject                                        | comes from                                                         |
/// |---------|------------------------------------------------|--------------------------------------------------------------------|
/// | `run`   | a program and its arguments                    | `command()`, a secret's `command`, `hydrate`, a `!` filter         |
/// | `read`  | a file outside, its path without links         | `file()`, bodies, parts, `tls`, a secret's `file`, `netrc`         |
/// | `write` | a file, any in a directory, or a Unix socket   | `response: { save: … }`, `unix-socket`                             |
/// | `env`   | the name of an environment variable            | `env()`, a secret's `env`                                          |
/// | `send`  | a secret, and the origin that gets it by which way | wherever a secret stands; credentials that this machine has    |
package enum Want: Sendable {
    case run(CommandWant)
    case read(path: String, for: WantUse = .text)
    /// - Parameter path: without links; of a name that is known only later the directory, with a `/` at the end.
    case write(path: String)
    case env(name: String, for: WantUse = .text)
    /// - Parameters:
    ///   - of: where the secret is read, so that another secret under its name is another want; `""` for what a person has given.
    ///   - origin: as ``NetworkLayer/Origin`` writes it, and how the secret gets there; ``anyOrigin`` where redirects take it along.
    case send(secret: String, of: String = "", origin: String)

    package static let anyOrigin = "any server that it is redirected to"

    /// The word in front of it.
    package var kind: String {
        switch self {
        case .run: "run"
        case .read: "read"
        case .write: "write"
        case .env: "env"
        case .send: "send"
        }
    }

    /// What follows the kind, as people read it. Control characters are still in it.
    package var subject: String {
        switch self {
        case .run(let command): command.text
        case .read(let path, _): path
        case .write(let path): path.hasSuffix("/") ? "any file in \(path)" : path
        case .env(let name, _): name
        case .send(let secret, _, let origin): "\(secret) → \(origin)"
        }
    }

    /// What two wants of one subject differ in: what it is for, or where a secret comes from. `nil` where there is nothing to say.
    package var manner: String? {
        switch self {
        case .run(let command): command.use.manner
        case .read(_, let use), .env(_, let use): use.manner
        case .send(_, let source, _): source.isEmpty ? "given by a person" : "of \(source)"
        case .write: nil
        }
    }

    /// Whether they are about the same thing, in whatever ``manner``.
    func isAbout(_ other: Want) -> Bool { kind == other.kind && subject == other.subject }
}

/// Two wants are the same only byte by byte: what was allowed is one program, one file, one server. Swift takes the Greek question mark for
/// a semicolon, and a shell doesn't.
extension Want: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.fields == right.fields }

    package func hash(into hasher: inout Hasher) { hasher.combine(fields) }

    private var fields: [ExactText] {
        let texts: [String] =
            switch self {
            case .run(let command): ["\(command.words.count)"] + command.words + [command.use.rawValue] + command.files
            case .read(let path, let use): [path, use.rawValue]
            case .write(let path): [path]
            case .env(let name, let use): [name, use.rawValue]
            case .send(let secret, let source, let origin): [secret, source, origin]
            }
        return ([kind] + texts).map { ExactText($0) }
    }
}

/// What becomes of what is read or printed.
///
/// Whoever lets a secret be read has not allowed the same as a plain text: that is masked nowhere, and goes to any server.
package enum WantUse: String, Hashable, Sendable, Codable {
    /// In a request, wherever that goes.
    case text
    case secret
    /// Certificates, keys and authorities.
    case certificate
    case netrc
    /// The file of a request itself.
    case request
    /// A request on its way.
    case hydrate
    /// A value that is captured or compared.
    case filter

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

/// A program that is run, as a person is to judge it.
package struct CommandWant: Sendable {
    /// The program and its arguments, all that is constant filled in; what is known only when it runs stands between `‹` and `›`.
    package var words: [String]
    /// The collection's files among the words, each with the SHA-256 of its content, as ``CommandFiles`` writes them: an allowed script that
    /// has changed is another one.
    package var files: [String]
    /// What becomes of what it prints.
    package var use: WantUse

    package init(_ words: [String], files: [String] = [], for use: WantUse = .text) {
        self.words = words
        self.files = files
        self.use = use
    }

    /// Word by word as a shell takes them, and the beginning of each file's hash.
    var text: String {
        ([words.map(\.shellWord).joined(separator: " ")] + files.map { "\($0.dropLast(56))…" }).joined(separator: "  ")
    }
}

extension CommandWant: Hashable {
    package static func == (left: Self, right: Self) -> Bool { Want.run(left) == Want.run(right) }

    package func hash(into hasher: inout Hasher) { hasher.combine(Want.run(self)) }
}

/// A ``Want`` and where it stands.
package struct NotedWant: Hashable, Sendable {
    package var want: Want
    /// What wants it: `production.password`, `hydrate`, `tls.key`.
    package var purpose: String
    package var location: SourceLocation?

    package init(_ want: Want, for purpose: String, at location: SourceLocation?) {
        self.want = want
        self.purpose = purpose
        self.location = location
    }

    /// What it is known by where another want has taken its place: an allowed secret that is to go elsewhere has *changed*, and so has a
    /// command or file that another line of the file wanted before.
    var slot: String {
        if case .send(let secret, _, _) = want { "send \(secret)" } else { "\(want.kind) \(purpose)" }
    }
}

/// A want as it is kept in a file: the keys of its kind, the others absent.
///
///     {"kind":"run","argv":["pass","show","shop/password"],"use":"secret"}
///     {"kind":"send","secret":"token","of":"the environment variable `TOKEN`","origin":"https://api.example.com"}
package struct WantRecord: Hashable, Sendable, Codable {
    package var kind: String
    package var argv: [String]?
    package var files: [String]?
    /// ``WantUse``. A record without it was written before uses were told apart: nobody knows what was allowed, so it is asked again.
    package var use: WantUse?
    package var path: String?
    package var name: String?
    package var secret: String?
    package var of: String?
    package var origin: String?
    /// ``NotedWant/purpose``: by it a change is recognised.
    package var purpose: String?

    package init(_ want: Want, purpose: String? = nil) {
        kind = want.kind
        self.purpose = purpose
        switch want {
        case .run(let command): (argv, files, use) = (command.words, command.files.isEmpty ? nil : command.files, command.use)
        case .read(let path, let use): (self.path, self.use) = (path, use)
        case .write(let path): self.path = path
        case .env(let name, let use): (self.name, self.use) = (name, use)
        case .send(let secret, let source, let origin): (self.secret, of, self.origin) = (secret, source, origin)
        }
    }

    /// `nil` for a record that isn't whole, or of a kind that this program doesn't know.
    package var want: Want? {
        switch (kind, argv, path, name, use) {
        case ("run", let words?, _, _, let use?): .run(CommandWant(words, files: files ?? [], for: use))
        case ("read", _, let path?, _, let use?): .read(path: path, for: use)
        case ("write", _, let path?, _, _): .write(path: path)
        case ("env", _, _, let name?, let use?): .env(name: name, for: use)
        case ("send", _, _, _, _):
            if let secret, let of, let origin { .send(secret: secret, of: of, origin: origin) } else { nil }
        default: nil
        }
    }
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
