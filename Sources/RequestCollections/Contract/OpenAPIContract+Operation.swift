import NetworkLayer

extension OpenAPIContract {
    /// The operation that a request asks for, by its method and path: with the path of a server in front, and else without, since a
    /// test may reach the service at another place. At the host of a server itself its path belongs in front. Where several match, the one
    /// that says more of the path.
    ///
    /// - Parameters:
    ///   - path: of the URL, still encoded.
    ///   - host: of the URL; `nil` when nobody knows it yet.
    ///   - isAny: whether nobody knows yet what a segment will be.
    func operation(_ method: String, _ path: String, at host: String? = nil, isAny: (String) -> Bool = { _ in false }) -> Operation?
    {
        let segments = PathTemplate.split(path[...]).map { URLCoding.percentDecoded($0) }
        let candidates = operations.filter { $0.method == method }
        return candidates.first { $0.paths.contains { $0.matches(segments, isAny: isAny) } }
            ?? candidates.first { $0.server(at: host) == nil && $0.path.matches(segments, isAny: isAny) }
    }

    /// Why there is no operation: `GET /orderz, which it doesn't describe`
    func complaint(_ method: String, _ path: String, at host: String? = nil) -> String {
        let segments = PathTemplate.split(path[...]).map { URLCoding.percentDecoded($0) }
        for operation in operations where operation.method == method && operation.path.matches(segments, isAny: { _ in false }) {
            guard let server = operation.server(at: host) else { continue }
            return "\(method) \(path), and at this host it has \(operation.template) below \(server)"
        }
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

extension OpenAPIContract.Operation {
    /// The server that has this host, which may have variables: `https://{region}.example.com/v1`.
    fileprivate func server(at host: String?) -> String? {
        guard let host else { return nil }
        return servers.first { server in
            guard let scheme = server.firstRange(of: "://") else { return false }
            let name = server[scheme.upperBound...].prefix { $0 != "/" && $0 != ":" && $0 != "?" }
            return name != "{host}" && PathTemplate(name.lowercased()).matches([host.lowercased()], isAny: { _ in false })
        }
    }
}
