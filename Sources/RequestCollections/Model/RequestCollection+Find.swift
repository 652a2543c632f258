extension RequestCollection {
    /// The request that another one means by a name: `login` is a neighbour, else one of an outer folder; `orders/create` likewise.
    ///
    /// - Parameter id: who asks; `nil` for the collection itself.
    package func find(_ name: String, from id: RequestID?) -> RequestID? {
        var folder = id.map { Substring($0.rawValue) } ?? ""
        repeat {
            folder = folder.lastIndex(of: "/").map { folder[..<$0] } ?? ""
            let found = RequestID(rawValue: folder.isEmpty ? name : "\(folder)/\(name)")
            if contains(found) { return found }
        } while !folder.isEmpty
        return nil
    }

    /// "`lgin`, which isn't there; did you mean `login`?"
    package func isMissing(_ name: String) -> String {
        let ids = requests.map(\.id.rawValue)
        let lastNames = requests.map { String($0.id.name) }
        let near = suggestion(for: name, in: ids)
        return "`\(name)`, which isn't there\(near.isEmpty ? suggestion(for: name, in: lastNames) : near)"
    }
}
