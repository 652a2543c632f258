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
    /// ``WantUse``; absent for ``WantUse/text``.
    package var use: WantUse?
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
            use = Self.written(command.use)
        case .read(let path, let use): (self.path, self.use) = (path, Self.written(use))
        case .env(let name, let use): (self.name, self.use) = (name, Self.written(use))
        case .send(let secret, let source, let origin):
            (self.secret, self.origin) = (secret, origin)
            of = source.isEmpty ? nil : source
        case .ambient(let credential, let origin): (self.credential, self.origin) = (credential, origin)
        case .route(let way, let value): (self.way, self.value) = (way, value)
        case .carry(let from, let to): (self.from, self.to) = (from, to)
        case .open(let origin): self.origin = origin
        }
    }

    /// `nil` for one that isn't whole, or of a kind that this program doesn't know.
    package var want: Want? {
        switch kind {
        case "run": argv.map { .run(CommandWant($0, takesAnswers: answers ?? false, files: files ?? [:], for: use ?? .text)) }
        case "read": path.map { .read(path: $0, for: use ?? .text) }
        case "env": name.map { .env(name: $0, for: use ?? .text) }
        case "send": both(secret, origin).map { .send(secret: $0, of: of ?? "", origin: $1) }
        case "ambient": both(credential, origin).map { .ambient(credential: $0, origin: $1) }
        case "route": both(way, value).map { .route(way: $0, value: $1) }
        case "carry": both(from, to).map { .carry(from: $0, to: $1) }
        case "open": origin.map { .open(origin: $0) }
        default: nil
        }
    }

    private static func written(_ use: WantUse) -> WantUse? { use == .text ? nil : use }

    private func both(_ one: String?, _ other: String?) -> (String, String)? {
        if let one, let other { (one, other) } else { nil }
    }
}
