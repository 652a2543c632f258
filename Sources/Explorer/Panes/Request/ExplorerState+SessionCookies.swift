import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import RequestCollections

extension ExplorerState {
    /// The session's cookies that go along with the shown request, as far as its URL is known; none where it names a jar, or refuses one.
    var cookiesAlong: [Cookie] {
        guard let reference = selectedRequest, let jar = workspace.sessionCookies[reference.collection], !jar.cookies.isEmpty,
            effective(\.cookieJar) == nil, let definition = shownDefinition, let context
        else { return [] }
        let parts = context.templates.resolvedParts(of: context.wholeURL(of: definition))
        guard let url = URL(international: parts.map(\.text).joined()) else { return [] }
        let own = Set(context.rows(.cookies, of: definition).map(\.name))
        // Which of them have expired was found out when they were told.
        return jar.cookies(for: url, method: HTTPRequest.Method(definition.method) ?? .get, at: .distantPast)
            .filter { !own.contains($0.name) }
    }

    /// The rows of the tab explain, with those cookies behind what the file says of the request's line and its fields.
    func withCookiesAlong(_ rows: [RequestPaneRow]) -> [RequestPaneRow] {
        let cookies = cookiesAlong
        guard !cookies.isEmpty else { return rows }
        let added: [RequestPaneRow] =
            [.heading("cookies of this session")]
            + cookies.map { .note("  \($0.name)  ••••••  set by an answer of \($0.domain)") }
            + [.note("  \(keyName(.forgetCookies)) forgets them; cookie-jar: \"\" sends none")]
        let end =
            rows.firstIndex { row in
                guard case .heading(let title) = row else { return false }
                return !["URL", "path", "query", "headers", "cookies"].contains(title)
            } ?? rows.endIndex
        var all = rows
        all.insert(contentsOf: added, at: end)
        return all
    }

    /// Forgets those of the shown collection.
    func forgetCookies() -> [ExplorerEffect] {
        guard let path = selectedRequest?.collection ?? collectionPaths.first else { return [] }
        return [.forgetCookies(in: path)]
    }
}
