/// A want as it is kept in a file: the keys of its kind, the others absent.
///
///     {"kind":"run","argv":["pass","show","shop/password"]}
///     {"kind":"send","secret":"token","origin":"https://api.example.com"}
package struct WantRecord: Hashable, Sendable, Codable {
    package var kind: String
    package var argv: [String]?
    /// `true`: something that a server answered is among them.
    package var answers: Bool?
    package var files: [String: String]?
    /// ``WantUse``. One without it was written before uses were told apart: nobody knows what was allowed, so it is asked again.
    package var use: String?
    package var path: String?
    package var name: String?
    package var secret: String?
    package var of: String?
    package var credential: String?
    package var origin: String?
    package var way: String?
    package var value: String?
    package var from: String?
    package var to: String?
    /// ``NotedWant/purpose``: by it a change is recognised.
    package var purpose: String?

    package init(_ want: Want, purpose: String? = nil) {
        kind = want.kind
        self.purpose = purpose
        switch want {
        case .run(let command):
            argv = command.words
            answers = command.takesAnswers ? true : nil
            files = command.files.isEmpty ? nil : command.files
            use = command.use.rawValue
        case .read(let path, let use): (self.path, self.use) = (path, use.rawValue)
        case .write(let path): self.path = path
        case .env(let name, let use): (self.name, self.use) = (name, use.rawValue)
        case .send(let secret, let source, let origin):
            (self.secret, self.origin) = (secret, origin)
            of = source
        case .ambient(let credential, let origin): (self.credential, self.origin) = (credential, origin)
        case .route(let way, let value): (self.way, self.value) = (way, value)
        case .carry(let from, let to): (self.from, self.to) = (from, to)
        case .open(let origin): self.origin = origin
        }
    }

    /// `nil` for one that isn't whole, or of a kind that this program doesn't know.
    package var want: Want? {
        switch kind {
        case "run":
            both(argv, known).map { .run(CommandWant($0, takesAnswers: answers ?? false, files: files ?? [:], for: $1)) }
        case "read": both(path, known).map { .read(path: $0, for: $1) }
        case "write": path.map { .write(path: $0) }
        case "env": both(name, known).map { .env(name: $0, for: $1) }
        case "send": both(secret, both(of, origin)).map { .send(secret: $0, of: $1.0, origin: $1.1) }
        case "ambient": both(credential, origin).map { .ambient(credential: $0, origin: $1) }
        case "route": both(way, value).map { .route(way: $0, value: $1) }
        case "carry": both(from, to).map { .carry(from: $0, to: $1) }
        case "open": origin.map { .open(origin: $0) }
        default: nil
        }
    }

    private var known: WantUse? { use.flatMap(WantUse.init(rawValue:)) }

    private func both<One, Other>(_ one: One?, _ other: Other?) -> (One, Other)? {
        if let one, let other { (one, other) } else { nil }
    }
}
