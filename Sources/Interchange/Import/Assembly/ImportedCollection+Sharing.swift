import RequestCollections

extension ImportedCollection {
    /// The origin that most requests have becomes the variable `host`: a collection is pointed somewhere else in one place.
    mutating func shareHost() {
        let origins = nodes.requests.compactMap { Self.origin(of: $0.definition.url) }
        let counts = Dictionary(origins.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
        // Where several are as frequent, the first one counts.
        guard let most = counts.values.max(), most >= 2,
            let origin = origins.first(where: { counts[$0.lowercased()] == most })
        else { return }
        let taken = variableNames
        guard let name = ["host", "base_url"].first(where: { !taken.contains($0) }) else { return }
        nodes.forEachRequest { request, _ in
            guard let own = Self.origin(of: request.definition.url), own.lowercased() == origin.lowercased() else { return }
            request.definition.url = "{{\(name)}}" + request.definition.url.dropFirst(own.count)
        }
        variables.insert(ImportedVariable(name, .text(origin)), at: 0)
    }

    /// `https://example.com:8080`, when no template is a part of it.
    private static func origin(of url: String) -> String? {
        guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
        let origin = url[..<start] + url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return origin.contains("{") ? nil : String(origin)
    }
}
