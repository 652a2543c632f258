import NetworkLayer

extension OpenAPIContract {
    /// The operation that a request asks for, by its method and path: with the path of a server in front, and else without, since a
    /// test may reach the service at another place. Where several match, the one that says more of the path.
    ///
    /// - Parameters:
    ///   - path: of the URL, still encoded.
    ///   - isAny: whether nobody knows yet what a segment will be.
    func operation(_ method: String, _ path: String, isAny: (String) -> Bool = { _ in false }) -> Operation? {
        let segments = PathTemplate.split(path[...]).map { URLCoding.percentDecoded($0) }
        let candidates = operations.filter { $0.method == method }
        return candidates.first { $0.paths.contains { $0.matches(segments, isAny: isAny) } }
            ?? candidates.first { $0.path.matches(segments, isAny: isAny) }
    }

    /// Why there is no operation: `GET /orderz, which it doesn't describe`
    func complaint(_ method: String, _ path: String) -> String {
        let segments = PathTemplate.split(path[...]).map { URLCoding.percentDecoded($0) }
        let others = operations.filter { operation in
            (operation.paths + [operation.path]).contains { $0.matches(segments, isAny: { _ in false }) }
        }
        let path = path.isEmpty ? "/" : path
        guard let other = others.first else {
            var templates: [String] = []
            for operation in operations where !templates.contains(operation.template) { templates.append(operation.template) }
            let near = suggestion(for: path, in: templates)
            let list = templates.sorted().prefix(6).joined(separator: ", ") + (templates.count > 6 ? ", …" : "")
            return "\(method) \(path), and it describes no such path\(near.isEmpty ? ": it has \(list)" : near)"
        }
        let methods = others.filter { $0.template == other.template }.map(\.method).joined(separator: " and ")
        return "\(method) \(path), and for \(other.template) it describes \(methods)"
    }
}
