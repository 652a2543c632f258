/// What is asked: the wants that nobody has allowed yet, the changed ones first, each with what was allowed in its place.
package struct TrustReview: Hashable, Sendable {
    /// The collection's.
    package var name: String
    package var path: String
    package var rows: [Row]

    package struct Row: Hashable, Sendable {
        package var noted: NotedWant
        package var state: State
    }

    package enum State: Hashable, Sendable {
        case allowed
        case new
        /// - Parameter was: the subject of what was allowed in its place, and isn't wanted any more.
        case changed(was: String)
    }

    /// - Parameters:
    ///   - wants: all that is wanted.
    ///   - allowed: what was allowed, with what it was wanted for.
    ///   - all: also what is allowed.
    package init(
        of collection: RequestCollection, _ wants: [NotedWant], _ trust: Trust, allowed: [Want: String] = [:], all: Bool = false
    ) {
        name = collection.name
        path = collection.path
        let current = Set(wants.map(\.want))
        var gone: [String: Want] = [:]
        for (want, purpose) in allowed.sorted(by: { $0.key.subject < $1.key.subject }) where !current.contains(want) {
            gone[NotedWant(want, for: purpose, at: nil).slot] = want
        }
        var seen: Set<Want> = []
        rows = wants.filter { seen.insert($0.want).inserted }.compactMap { noted in
            if trust.allows(noted.want) { return all ? Row(noted: noted, state: .allowed) : nil }
            let before = gone[noted.slot] ?? allowed.keys.first { $0.isAbout(noted.want) }
            return Row(noted: noted, state: before.map { .changed(was: Self.difference(of: noted.want, from: $0)) } ?? .new)
        }
        let isChanged: (Row) -> Bool = { if case .changed = $0.state { true } else { false } }
        rows = rows.filter(isChanged) + rows.filter { $0.state == .new } + rows.filter { $0.state == .allowed }
    }

    package var isEmpty: Bool { rows.isEmpty }

    package var wants: [NotedWant] { rows.map(\.noted) }

    /// The hosts that secrets are to go to instead of others: whoever allows that types the name of each.
    package var changedHosts: [String] {
        var hosts: [String] = []
        for row in rows {
            guard case .changed = row.state, case .send(_, _, let origin) = row.noted.want else { continue }
            let server = origin.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first ?? origin[...]
            let host = String(server.prefix { $0 != " " })
            if !hosts.contains(host) { hosts.append(host) }
        }
        return hosts
    }

    /// What of the old one differs; all of it, where little would be left.
    private static func difference(of want: Want, from old: Want) -> String {
        if want.isAbout(old), let manner = want.manner, let before = old.manner, manner != before {
            return "\(before), and is \(manner) now"
        }
        return switch (want, old) {
        case (.run(let new), .run(let old)) where new.words == old.words: "another content"
        case (.send, .send(_, _, let origin)): origin
        default: old.subject
        }
    }
}

extension TrustReview.Row {
    /// The sign in front of the kind.
    package var mark: String {
        switch state {
        case .allowed: "allowed"
        case .new: "new"
        case .changed: "CHANGED"
        }
    }

    /// Behind the subject: what it was, what it is for, and where it stands.
    package var details: [String] {
        var details: [String] = []
        if case .changed(let was) = state { details.append("was \(was)") }
        if !noted.purpose.isEmpty { details.append(noted.purpose) }
        if let location = noted.location { details.append("\(location.path):\(location.line)") }
        return details
    }
}
