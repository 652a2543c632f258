import Base

/// Which collections open when nobody names one.
package struct CollectionSearch: Hashable, Sendable {
    /// Empty when there is none.
    package private(set) var collections: [String] = []
    /// A collection that belongs to somebody else, which is opened only when it is named.
    package private(set) var refused: ForeignPath?

    /// Those in `Collections` here, else in the nearest folder above that has one.
    ///
    /// What is found in this way must be the user's own, and so must be the folder that it is in: anybody can make `/tmp/Collections`
    /// (git had to learn it: CVE-2022-24765). Nobody looks above the home, nor beyond where another file system begins.
    ///
    /// - Parameters:
    ///   - directory: absolute.
    ///   - home: absolute; `nil`: there is none.
    package static func nearest(to directory: String, home: String? = nil, owners: FileOwners) -> CollectionSearch {
        var search = CollectionSearch()
        var directory = directory
        let device = owners.status(directory)?.device
        while true {
            let path = joined(directory, "Collections")
            if FileContents.isDirectory(path) {
                if let foreign = owners.foreign(path) {
                    search.refused = foreign
                    return search
                }
                search.collections = (try? RequestCollection.collections(at: path)) ?? []
                if !search.collections.isEmpty { return search }
            }
            guard directory != "/", directory != home else { return search }
            let parent = RequestCollections.directory(of: directory)
            guard !parent.isEmpty, owners.status(parent)?.device == device else { return search }
            if owners.foreign(parent) != nil {
                let above = joined(parent, "Collections")
                if FileContents.isDirectory(above) {
                    search.refused = owners.foreign(above) ?? owners.foreign(parent, around: above)
                }
                return search
            }
            directory = parent
        }
    }
}

/// A file or directory that belongs to somebody else.
package struct ForeignPath: Hashable, Sendable {
    package var path: String
    /// The owner, by name if the user has one.
    package var owner: String

    /// What is said when a search has come upon it.
    ///
    /// - Parameter command: what opens it: `turnstone run`.
    package func refusal(by command: String) -> String {
        "\(path) belongs to \(owner), so it is only opened when it is named: \(command) \(path)"
    }

    /// What is said when it was named.
    package var warning: String { "\(path) belongs to \(owner)" }
}

/// Tells who owns which file.
package struct FileOwners: Sendable {
    package struct Status: Hashable, Sendable {
        package var owner: UInt32
        package var device: UInt64

        package init(owner: UInt32, device: UInt64) {
            self.owner = owner
            self.device = device
        }
    }

    /// The user, and with `sudo` the user who became the superuser.
    package var users: Set<UInt32>
    /// The status of the file or directory itself; `nil` for what isn't there.
    package var status: @Sendable (String) -> Status?

    package init(users: Set<UInt32>, status: @escaping @Sendable (String) -> Status?) {
        self.users = users
        self.status = status
    }

    /// The owners of the files on the disk.
    package init(environment: [String: String]) {
        let user = geteuid()
        users = [user]
        if user == 0, let text = environment["SUDO_UID"], let sudoer = UInt32(text) { users.insert(sudoer) }
        status = { path in
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            return Status(owner: status.st_uid, device: UInt64(status.st_dev))
        }
    }

    /// Whose it is, when it is somebody else's.
    ///
    /// - Parameter path: what the answer is about, when it isn't this one.
    func foreign(_ directory: String, around path: String? = nil) -> ForeignPath? {
        guard let owner = status(directory)?.owner, !users.contains(owner) else { return nil }
        return ForeignPath(path: path ?? directory, owner: Self.name(of: owner))
    }

    /// What somebody named, when it is a stranger's; the system's own are nobody's trick.
    package func stranger(_ path: String) -> ForeignPath? {
        status(path)?.owner == 0 ? nil : foreign(path)
    }

    private static func name(of user: UInt32) -> String {
        guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return "the user \(user)" }
        return String(cString: name)
    }
}
