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
    package var path: String?
    package var name: String?
    package var secret: String?
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
        case .read(let path): self.path = path
        case .env(let name): self.name = name
        case .send(let secret, let origin): (self.secret, self.origin) = (secret, origin)
        case .ambient(let credential, let origin): (self.credential, self.origin) = (credential, origin)
        case .route(let way, let value): (self.way, self.value) = (way, value)
        case .carry(let from, let to): (self.from, self.to) = (from, to)
        case .open(let origin): self.origin = origin
        }
    }

    /// `nil` for one that isn't whole, or of a kind that this program doesn't know.
    package var want: Want? {
        switch kind {
        case "run": argv.map { .run(CommandWant($0, takesAnswers: answers ?? false, files: files ?? [:])) }
        case "read": path.map { .read(path: $0) }
        case "env": name.map { .env(name: $0) }
        case "send": both(secret, origin).map { .send(secret: $0, origin: $1) }
        case "ambient": both(credential, origin).map { .ambient(credential: $0, origin: $1) }
        case "route": both(way, value).map { .route(way: $0, value: $1) }
        case "carry": both(from, to).map { .carry(from: $0, to: $1) }
        case "open": origin.map { .open(origin: $0) }
        default: nil
        }
    }

    private func both(_ one: String?, _ other: String?) -> (String, String)? {
        if let one, let other { (one, other) } else { nil }
    }
}
