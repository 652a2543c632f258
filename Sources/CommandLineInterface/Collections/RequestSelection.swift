import Glibc
import RequestCollections

/// Which requests of a collection somebody means.
///
/// | word           | means                                           |
/// |----------------|-------------------------------------------------|
/// | `orders/create`| that request                                    |
/// | `orders`       | everything in the folder                        |
/// | `create`       | a request of that last name, wherever it stands |
/// | `*/create`     | a pattern with `*`, `?` and `[...]`; `*` also takes slashes |
struct RequestSelection: Hashable, Sendable {
    /// One of these; empty: all.
    var names: [String] = []
    /// One of these too, and none of those behind a `!`; empty: any.
    var tags: [String] = []

    private var wanted: [String] { tags.filter { !$0.hasPrefix("!") } }
    private var unwanted: [String] { tags.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) } }

    func includes(_ request: RequestDefinition) -> Bool {
        (names.isEmpty || names.contains { Self.matches(request.id.rawValue, $0) })
            && (wanted.isEmpty || wanted.contains { request.tags.contains($0) })
            && !unwanted.contains { request.tags.contains($0) }
    }

    /// In the collection's order.
    func requests(of collection: RequestCollection) -> [RequestDefinition] {
        collection.requests(where: includes)
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
        if id == name || id.hasPrefix("\(name)/") || id.hasSuffix("/\(name)") { return true }
        guard name.contains(where: { "*?[".contains($0) }) else { return false }
        return fnmatch(name, id, 0) == 0
    }
}
