import ArgumentParser
import Base
import CollectionRunner
import RequestCollections

/// Which requests of a collection somebody means.
///
/// | word           | means                                           |
/// |----------------|-------------------------------------------------|
/// | `orders/create`| that request                                    |
/// | `orders`       | everything in the folder                        |
/// | `create`       | a request of that last name, wherever it stands |
/// | `create[sku=A7]` | one item of its `for-each`                    |
/// | `*/create`     | a pattern with `*`, `?` and `[...]`; `*` also takes slashes |
struct RequestSelection: Hashable, Sendable {
    /// The names of which a request must have one; empty: every request is selected.
    var names: [String] = []
    /// The tags of which a request must have one, and, behind a `!`, those that it must not have; empty: any.
    var tags: [String] = []

    private var wanted: [String] { tags.filter { !$0.hasPrefix("!") } }
    private var unwanted: [String] { tags.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) } }

    func includes(_ request: RequestDefinition) -> Bool {
        (names.isEmpty || names.contains { Self.matches(request.id.rawValue, $0) })
            && (wanted.isEmpty || wanted.contains { request.tags.contains($0) })
            && !unwanted.contains { request.tags.contains($0) }
    }

    /// Whether somebody wants this one, and not only all of a folder.
    func names(_ request: RequestDefinition) -> Bool {
        let id = request.id.rawValue
        return names.contains { id == $0 || id.hasSuffix("/\($0)") || Self.item($0, of: id) != nil }
    }

    /// In the collection's order.
    func requests(of collection: RequestCollection) -> [RequestDefinition] {
        collection.requests(where: includes)
    }

    /// Whether this item of a request that is sent once for each item is meant, as in `orders/create[sku=A7]`.
    func includes(itemOf job: RunJob) -> Bool {
        let id = job.definition.id.rawValue
        guard let name = job.name, name != id else { return true }
        let meant = names.filter { Self.matches(id, $0) }
        return meant.isEmpty || meant.contains { Self.item($0, of: id).map { id + $0 == name } ?? true }
    }

    /// The first name of an item that isn't among all that could be sent, as a sentence.
    func complaint(about jobs: some Sequence<RunJob>) -> String? {
        let wrong = names.first { name in
            name.hasSuffix("]")
                && !jobs.contains { job in
                    let id = job.definition.id.rawValue
                    return Self.item(name, of: id).map { id + $0 == job.name } ?? Self.matches(id, name)
                }
        }
        return wrong.map { "There is no item \($0). `turnstone run --plan` shows all of them." }
    }

    /// `[sku=A7]` of `create[sku=A7]`, where that names the request.
    private static func item(_ name: String, of id: String) -> String? {
        guard name.hasSuffix("]"), let bracket = name.firstIndex(of: "["), !name.contains(where: { "*?".contains($0) }) else {
            return nil
        }
        let request = name[..<bracket]
        return id == request || id.hasSuffix("/\(request)") ? String(name[bracket...]) : nil
    }

    /// The first name that means nothing in any of the collections, as a sentence with the nearest one.
    func complaint(about collections: [RequestCollection]) -> String? {
        guard !names.isEmpty || !tags.isEmpty else { return nil }
        let requests = collections.flatMap(\.requests)
        let ids = requests.map(\.id.rawValue)
        for name in names where !ids.contains(where: { Self.matches($0, name) }) {
            let near = nearestName(to: name, in: ids) ?? nearestName(to: name, in: requests.map { String($0.id.name) })
            let places = collections.map(\.path).joined(separator: ", ")
            return "There is no request \(name) in \(places)." + (near.map { " Did you mean \($0)?" } ?? "")
                + " `turnstone list` shows all of them."
        }
        let known = Set(requests.flatMap(\.tags))
        for tag in wanted + unwanted where !known.contains(tag) {
            let all = known.isEmpty ? "No request has a tag." : "There are \(known.sorted().joined(separator: ", "))."
            return "There is no tag \(tag). \(all)"
        }
        return nil
    }

    static func matches(_ id: String, _ name: String) -> Bool {
        if id == name || id.hasPrefix("\(name)/") || id.hasSuffix("/\(name)") || item(name, of: id) != nil { return true }
        guard name.contains(where: { "*?[".contains($0) }) else { return false }
        return fnmatch(name, id, 0) == 0
    }
}

/// `--var` and `--var-text`: variables over all others.
struct VariableOptions: ParsableArguments {
    @Option(
        name: .customLong("var"),
        help: ArgumentHelp(
            "A variable, which wins over all others: a number (7), true, null, a list ([1, 2]) or a map; anything else is a text. Repeatable.",
            valueName: "NAME=VALUE"))
    var typed: [String] = []

    @Option(
        name: .customLong("var-text"),
        help: ArgumentHelp("The same, but always a text, whatever it looks like. Repeatable.", valueName: "NAME=TEXT"))
    var texts: [String] = []

    var isEmpty: Bool { typed.isEmpty && texts.isEmpty }

    func values() throws -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for word in typed {
            let (name, text) = try Self.pair(word, of: "--var")
            values[name] = JSONValue(given: text)
        }
        for word in texts {
            let (name, text) = try Self.pair(word, of: "--var-text")
            values[name] = .string(text)
        }
        return values
    }

    private static func pair(_ word: String, of option: String) throws -> (name: String, text: String) {
        guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
            throw CommandFailure(.usage, "\(option) \(word) has no =. It takes NAME=VALUE.")
        }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
}
