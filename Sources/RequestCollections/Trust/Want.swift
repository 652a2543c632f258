import NetworkLayer

/// Something that a collection can't have unless a person allows it: it reaches beyond the collection's own files and the servers that
/// get nothing but what stands in them.
///
/// | kind      | subject                                     | comes from                                                     |
/// |-----------|---------------------------------------------|----------------------------------------------------------------|
/// | `run`     | a program and its arguments                 | `command()`, a secret's `command`, `hydrate`, a `!` filter     |
/// | `read`    | a file outside, its path without links      | `file()`, bodies, parts, `tls`, a secret's `file`, `netrc`     |
/// | `write`   | a file, or a directory and a `/`: any in it | `response: { save: … }`                                        |
/// | `env`     | the name of an environment variable         | `env()`, a secret's `env`                                      |
/// | `send`    | a secret's name, and the origin that gets it | wherever the secret stands                                    |
/// | `ambient` | credentials of the machine, and the origin  | `netrc`, `negotiate`, `ntlm`, a cookie jar, a stored token     |
/// | `route`   | the way that a secret travels; any socket   | `proxy`, `unix-socket`, `resolve`, `connection`, `tls: { verify: false }` |
/// | `carry`   | from a private server to a public one       | a capture, `response()`                                        |
/// | `open`    | the server whose page a browser opens       | `oauth2` with a sign-in                                        |
package enum Want: Sendable {
    case run(CommandWant)
    case read(path: String, for: WantUse = .text)
    /// - Parameter path: without links; of a name that is known only later the directory, with a `/` at the end.
    case write(path: String)
    case env(name: String, for: WantUse = .text)
    /// - Parameters:
    ///   - of: where the secret is read, so that another one under its name is another want; `""` for what a person has given.
    ///   - origin: as ``NetworkLayer/Origin`` writes it; ``anyOrigin`` where redirects take it along.
    case send(secret: String, of: String = "", origin: String)
    case ambient(credential: String, origin: String)
    case route(way: String, value: String)
    case carry(from: String, to: String)
    case open(origin: String)

    package static let anyOrigin = "any server that it is redirected to"

    /// The word in front of it.
    package var kind: String {
        switch self {
        case .run: "run"
        case .read: "read"
        case .write: "write"
        case .env: "env"
        case .send: "send"
        case .ambient: "ambient"
        case .route: "route"
        case .carry: "carry"
        case .open: "open"
        }
    }
}

/// Two are the same only byte by byte: what was allowed is one program, one file, one server. The Greek question mark is a semicolon to
/// Swift, and none to a shell.
extension Want: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.fields == right.fields }

    package func hash(into hasher: inout Hasher) { hasher.combine(fields) }

    private var fields: [ExactText] {
        let texts: [String] =
            switch self {
            case .run(let command): command.fields
            case .read(let path, let use): [path, use.rawValue]
            case .write(let path): [path]
            case .env(let name, let use): [name, use.rawValue]
            case .send(let secret, let source, let origin): [secret, source, origin]
            case .ambient(let credential, let origin): [credential, origin]
            case .route(let way, let value): [way, value]
            case .carry(let from, let to): [from, to]
            case .open(let origin): [origin]
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
}

/// A program that is run, as a person is to judge it.
package struct CommandWant: Sendable {
    /// The program and its arguments, all that is constant filled in; what is known only when it runs stands between `‹` and `›`.
    package var words: [String]
    /// Whether something that a server answered is among the arguments.
    package var takesAnswers: Bool
    /// Files that travel with the collection and are among the words, by ``CommandFiles/key(of:in:_:)``: each with the SHA-256 of its
    /// content, in hexadecimal. An allowed script that has changed is another one.
    package var files: [String: String]
    /// What becomes of what it prints.
    package var use: WantUse

    package init(
        _ words: [String], takesAnswers: Bool = false, files: [String: String] = [:], for use: WantUse = .text
    ) {
        self.words = words
        self.takesAnswers = takesAnswers
        self.files = files
        self.use = use
    }
}

extension CommandWant: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.fields.map { ExactText($0) } == right.fields.map { ExactText($0) }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(fields.map { ExactText($0) }) }

    fileprivate var fields: [String] {
        ["\(words.count)"] + words + [use.rawValue, "\(takesAnswers)"]
            + files.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    }
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
}
