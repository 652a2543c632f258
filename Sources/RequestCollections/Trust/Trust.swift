/// What a person has allowed a collection.
package struct Trust: Hashable, Sendable {
    private let level: Level

    private enum Level: Hashable, Sendable {
        case everything
        case these(Set<Want>)
        /// Nobody is to be asked any more.
        case never
    }

    private init(_ level: Level) { self.level = level }

    package static let nothing = Trust(.these([]))
    /// For what somebody has allowed by name, and for tests of what lies behind the question.
    package static let everything = Trust(.everything)
    package static let never = Trust(.never)

    package init(_ wants: Set<Want>) { self.init(.these(wants)) }

    package init(_ wants: Set<Want>, and other: Trust) {
        if case .these(let others) = other.level { self.init(wants.union(others)) } else { self = other }
    }

    package var isNever: Bool { level == .never }

    package func allows(_ want: Want) -> Bool {
        switch level {
        case .everything: true
        case .these(let wants): wants.contains(want) || Self.isGiven(want, like: wants)
        case .never: false
        }
    }

    /// Whether it is a secret that a person has given for this time, and that may go there: whatever the file would have read instead.
    private static func isGiven(_ want: Want, like wants: Set<Want>) -> Bool {
        guard case .send(_, "", _) = want else { return false }
        return wants.contains { $0.isAbout(want) }
    }

    /// Permission to have it; `nil` without a person's word.
    ///
    /// - Parameter place: of the collection that wants it.
    package func permit(_ want: Want, in place: CollectionPlace) -> Permission? {
        allows(want) ? Permission(want, place) : nil
    }

    /// The wants that nobody has allowed yet, each once.
    package func open(_ wants: [NotedWant]) -> [NotedWant] {
        var seen: Set<Want> = []
        return wants.filter { !allows($0.want) && seen.insert($0.want).inserted }
    }
}

/// Permission to do something outside of the collection: a child process, an environment variable, a file.
///
/// The functions that do so take it, and only ``Trust`` gives it: so there is no other way to them.
package struct Permission: Hashable, Sendable {
    /// `nil`: the program's own business.
    package let want: Want?
    /// The place of the collection that has it.
    package let place: CollectionPlace?

    fileprivate init(_ want: Want?, _ place: CollectionPlace?) {
        self.want = want
        self.place = place
    }

    /// For what no file has asked for: a program that Turnstone starts for itself, with words of its own, or a command that the person
    /// typed just now. A test knows the few places that take it.
    package static let own = Permission(nil, nil)
}
