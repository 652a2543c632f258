import NetworkLayer
import RequestCollections

extension ImportedCollection {
    /// What most requests say is said once: by the collection, and by a folder whose requests say something else. What doesn't say it
    /// takes it back: a header with `null`, `auth` with `none`, redirects with `follow: always`, compression with `true`.
    mutating func shareDefaults() {
        guard nodes.requests.count >= 2 else { return }
        shareSettings()
        if !nodes.someFolder({ !$0.headers.isEmpty }) {
            shareHeaders()
            let shared = headers
            nodes.forEachFolder { folder, _ in folder.shareHeaders(below: shared) }
        }
        if !nodes.someFolder({ $0.auth != nil }) {
            shareAuth()
            nodes.forEachFolder { folder, _ in folder.shareAuth() }
        }
    }

    /// What several commands for curl have in common.
    private mutating func shareSettings() {
        let all = nodes.requests.map(\.definition.settings)
        if all.allSatisfy({
            $0.maxRedirects == RequestSettings.curlRedirects || $0.maxRedirects == nil && $0.followRedirects == .never
        }) {
            share(\.maxRedirects, RequestSettings.curlRedirects, others: nil)
        }
        share(\.followRedirects, .never, others: .always)
        share(\.compression, false, others: true)
    }

    /// - Parameter others: what those do that don't say it.
    private mutating func share<Value: Equatable>(
        _ setting: WritableKeyPath<RequestSettings, Value?>, _ value: Value, others: Value?
    ) {
        let count = nodes.requests.count { $0.definition.settings[keyPath: setting] == value }
        guard nodes.requests.isMajority(count, lacking: nodes.requests.count - count) else { return }
        settings[keyPath: setting] = value
        nodes.forEachRequest { request, _ in
            let own = request.definition.settings[keyPath: setting]
            request.definition.settings[keyPath: setting] = own == value ? nil : own ?? others
        }
    }

    private mutating func shareHeaders() {
        let requests = nodes.requests
        for row in requests.sharedHeaders where row.isEnabled && !headers.contains(where: { $0.hasSameName(as: row) }) {
            headers.append(row)
            let key = "headers.\(row.name)"
            comments[row.name] = requests.first { $0.comments[key] != nil }?.comments[key]
            nodes.forEachRequest { request, _ in
                if request.definition.headers.contains(where: { $0.hasSameName(as: row) }) {
                    request.dropHeader(row)
                } else {
                    request.definition.headers.append(.init(name: row.name, value: "", isEnabled: false))
                }
            }
        }
    }

    private mutating func shareAuth() {
        guard auth == nil, let shared = nodes.requests.sharedAuth, shared != .none else { return }
        auth = shared
        nodes.forEachRequest { request, _ in
            // Until now there was nothing to inherit.
            let own = request.definition.auth
            request.definition.auth = own == shared ? nil : own == nil || own == .inherit ? AuthDefinition.none : own
        }
    }
}

extension ImportedFolder {
    /// Moves a header that most requests share to the folder, when every request has one of that name. One that is off moves only when it
    /// takes back one of the collection's; otherwise it is a suggestion, and stays where people look for it.
    fileprivate mutating func shareHeaders(below outer: [RequestDefinition.Row]) {
        let requests = nodes.requests
        guard requests.count >= 2 else { return }
        for row in requests.sharedHeaders
        where (row.isEnabled || outer.contains { $0.hasSameName(as: row) })
            && requests.allSatisfy({ $0.definition.headers.contains { $0.hasSameName(as: row) } })
        {
            headers.append(row)
            nodes.forEachRequest { request, _ in request.dropHeader(row) }
        }
    }

    fileprivate mutating func shareAuth() {
        let requests = nodes.requests
        guard requests.count >= 2, requests.allSatisfy({ $0.definition.auth != nil }), let shared = requests.sharedAuth else {
            return
        }
        auth = shared
        nodes.forEachRequest { request, _ in if request.definition.auth == shared { request.definition.auth = nil } }
    }
}

extension ImportedRequest {
    fileprivate mutating func dropHeader(_ row: RequestDefinition.Row) {
        guard let index = definition.headers.firstIndex(where: { $0.isSame(as: row) }) else { return }
        definition.headers.remove(at: index)
        comments["headers.\(row.name)"] = nil
    }
}

extension [ImportedRequest] {
    /// The headers that more than half of the requests have, and none twice, in the order of the first that has them. What a body's type
    /// is depends on the body: only all of them share it.
    fileprivate var sharedHeaders: [RequestDefinition.Row] {
        var counts: [(row: RequestDefinition.Row, count: Int)] = []
        var havings: [String: Int] = [:]
        var indices: [String: Int] = [:]
        var repeated: Set<String> = []
        for request in self {
            var names: Set<String> = []
            for row in request.definition.headers {
                let name = row.name.lowercased()
                if names.insert(name).inserted { havings[name, default: 0] += 1 } else { repeated.insert(name) }
                let key = "\(name)\n\(row.value)\n\(row.isEnabled)"
                if let index = indices[key] {
                    counts[index].count += 1
                } else {
                    indices[key] = counts.count
                    counts.append((row, 1))
                }
            }
        }
        return counts.filter { row, count in
            let name = row.name.lowercased()
            let lacking = self.count - (havings[name] ?? 0)
            let isShared = name == "content-type" ? count == self.count : isMajority(count, lacking: lacking)
            return isShared && !repeated.contains(name) && (row.isEnabled || row.value.isEmpty)
        }
        .map(\.row)
    }

    /// What more than half of the requests say.
    fileprivate var sharedAuth: AuthDefinition? {
        let counts = Dictionary(compactMap { $0.definition.auth.map { ($0, 1) } }, uniquingKeysWith: +)
        let lacking = count { $0.definition.auth == nil }
        return counts.first { isMajority($0.value, lacking: lacking) && $0.key != .inherit }?.key
    }

    /// Whether more than half say something, and a file has fewer lines when it is said once and taken back by what lacks it.
    fileprivate func isMajority(_ count: Int, lacking: Int) -> Bool { count > self.count / 2 && count > 1 + lacking }
}

extension [ImportedNode] {
    fileprivate func someFolder(_ matches: (ImportedFolder) -> Bool) -> Bool {
        contains { node in
            if case .folder(let folder) = node { matches(folder) || folder.nodes.someFolder(matches) } else { false }
        }
    }
}

extension RequestDefinition.Row {
    fileprivate func hasSameName(as other: RequestDefinition.Row) -> Bool { name.lowercased() == other.name.lowercased() }

    fileprivate func isSame(as other: RequestDefinition.Row) -> Bool {
        hasSameName(as: other) && value == other.value && isEnabled == other.isEnabled
    }
}

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

    /// A variable that begins a URL and has no scheme, as in `host = localhost:9`, goes by `http`, as the programs have it whose files these
    /// are: the URL says so, or where the variable has a scheme elsewhere, each of its values that has none.
    mutating func completeHosts() {
        var values: [String: [String]] = [:]
        forEachVariable { variable, _ in
            if case .text(let text) = variable.value { values[variable.name, default: []].append(text) }
        }
        /// Whether a text has a scheme; `nil`: nobody knows.
        func hasScheme(_ text: String, depth: Int = 0) -> Set<Bool> {
            if text.trimmingSpace.isEmpty || ["http", "https"].contains(text.lowercased()) || depth > 8 { return [] }
            if text.firstMatch(of: /^[A-Za-z][A-Za-z0-9+.-]*:\/\//) != nil { return [true] }
            guard let first = TemplateText(own: text).pieces.first, case .expression(let name) = first else { return [false] }
            let rest = text.dropFirst("{{\(name)}}".count)
            if rest.hasPrefix("://") { return [true] }
            return (values[name] ?? []).reduce(into: []) { $0.formUnion(hasScheme($1, depth: depth + 1)) }
        }
        var mixed: Set<String> = []
        nodes.forEachRequest { request, _ in
            let url = request.definition.url
            guard case .expression(let name)? = TemplateText(own: url).pieces.first, url.hasPrefix("{{\(name)}}") else { return }
            let found = hasScheme(url)
            if found == [false] { request.definition.url = "http://" + url }
            if found.count == 2 { mixed.insert(name) }
        }
        forEachVariable { variable, _ in
            guard mixed.contains(variable.name), case .text(let text) = variable.value, hasScheme(text) == [false] else { return }
            variable.value = .text("http://" + text)
        }
    }

    /// `https://example.com:8080`, when no template is a part of it.
    private static func origin(of url: String) -> String? {
        guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
        let origin = url[..<start] + url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return origin.contains("{") ? nil : String(origin)
    }
}
