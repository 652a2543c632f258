import Base
import NetworkLayer

/// Where a collection lies, and which files are its own.
///
/// Its own are regular files and directories below the directory of a collection: they came with it, and whoever wrote the collection
/// wrote them. Neither hidden ones, since `.git` and `.env` lie beside them, nor what belongs to another user, nor what a link leads
/// to elsewhere, nor a file that has another name as well, which may be anywhere. A collection of one file has none: what lies beside
/// `~/Downloads/shop.yaml` isn't the collection's.
package struct CollectionPlace: Hashable, Sendable {
    /// Without links.
    package let path: String
    private let isDirectory: Bool
    private let owner: UInt32?

    package init(_ path: String) {
        self.path = RealPath.of(path)
        var status = stat()
        let isThere = stat(self.path, &status) == 0
        isDirectory = isThere && status.st_mode & S_IFMT == S_IFDIR
        owner = isThere ? status.st_uid : nil
    }

    /// The collection's own, or the one that its file lies in.
    var directory: String { isDirectory ? path : RequestCollections.directory(of: path) }

    /// The owner's number; `nil` for a collection that isn't on the disk.
    package var user: UInt32? { owner }

    /// The nearest directory around it that has a `.git`.
    var repository: String? {
        var directory = RequestCollections.directory(of: path)
        if isDirectory { directory = path }
        while !directory.isEmpty, directory != "/" {
            if FileContents.exists(joined(directory, ".git")) { return directory }
            directory = RequestCollections.directory(of: directory)
        }
        return nil
    }

    /// - Parameter path: without links.
    package func owns(_ path: String) -> Bool {
        guard covers(path) else { return false }
        var status = stat()
        // What isn't there can be said to be missing.
        return stat(path, &status) == 0 ? isOwn(status) : errno == ENOENT
    }

    /// Whether a regular file of ours, with one name, would be the collection's own there.
    ///
    /// - Parameter path: without links.
    func covers(_ path: String) -> Bool { isDirectory && components(of: path)?.isEmpty == false }

    private func isOwn(_ status: stat) -> Bool {
        status.st_uid == owner && (status.st_mode & S_IFMT != S_IFREG || status.st_nlink == 1)
    }

    /// Whether a file of the collection itself, a request's or `_collection.yaml`, lies where it seems to. What a link leads to
    /// elsewhere is somebody else's, and would be sent as the collection says.
    ///
    /// - Parameter path: without links.
    func holds(_ path: String) -> Bool {
        path == self.path || path.rest(below: self.path) != nil
    }

    /// Whether what lies there came with the collection, or with the git repository that the collection lies in. A link that leads
    /// elsewhere, into a hidden directory or to the whole disk, isn't followed when a collection is read.
    ///
    /// - Parameter path: without links.
    func travels(_ path: String) -> Bool {
        if holds(path) { return true }
        guard let repository, let rest = path.rest(below: repository) else { return false }
        return !rest.pieces(at: "/").contains { $0.begins(with: ".") }
    }

    /// The names on the way down to a path; `nil` for one that isn't below, or is hidden.
    private func components(of path: String) -> [Substring]? {
        let base = self.path == "/" ? "" : self.path
        guard path.begins(with: "\(base)/") else { return nil }
        let components = Substring(path.unicodeScalars.dropFirst(base.unicodeScalars.count + 1)).pieces(at: "/")
        return components.contains { $0.begins(with: ".") || $0.isEmpty } ? nil : components
    }

    /// Opens a file of the collection. Nothing on the way may be a link any more: it was none when the path was judged.
    ///
    /// - Parameter path: without links.
    /// - Returns: -1, with `errno` set, also when it isn't one of its own.
    func open(_ path: String) -> Int32 {
        guard owns(path) else {
            errno = EACCES
            return -1
        }
        let file = FileContents.openWithoutLinks(path)
        guard file >= 0 else { return -1 }
        var status = stat()
        // Another file may have taken its place since it was judged.
        guard fstat(file, &status) == 0, isOwn(status) else {
            close(file)
            errno = EACCES
            return -1
        }
        return file
    }
}

/// Paths without links, `.` and `..`, of what is there and of what isn't.
package enum RealPath {
    /// PATH_MAX of Linux, in bytes: nothing is there under a longer name.
    static let longest = 4096

    package static func of(_ path: String) -> String {
        guard path.utf8.count <= longest else { return path }
        if let real = FileContents.realPath(path.isEmpty ? "." : path) { return real }
        // The nearest directory that is there, and the rest as it is written.
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return joined(FileContents.realPath(".") ?? "/", path) }
        let name = String(path.unicodeScalars[path.unicodeScalars.index(after: slash)...])
        let parent = slash == path.startIndex ? "/" : of(String(path[..<slash]))
        switch name {
        case "", ".": return parent
        case "..": return RequestCollections.directory(of: parent).isEmpty ? "/" : RequestCollections.directory(of: parent)
        default: return joined(parent, name)
        }
    }
}

extension CollectionPlace {
    /// A path that is the same on another machine with the same files: from where the collection lies, unless only the home or the
    /// whole disk is common to both; then from the home.
    package func portable(_ path: String, home: String?) -> String {
        let home = home.map(RealPath.of)
        let mine = self.path.pieces(at: "/").filter { !$0.isEmpty }
        let other = path.pieces(at: "/").filter { !$0.isEmpty }
        let common = zip(mine, other).prefix { $0 == $1 }.count
        let shared = "/" + mine.prefix(common).joined(separator: "/")
        let isFarAbove = shared == "/" || home.map { $0 == shared || $0.begins(with: "\(shared)/") } ?? false
        if !isFarAbove {
            return (Array(repeating: "..", count: mine.count - common) + other.dropFirst(common).map(String.init)).joined(
                separator: "/")
        }
        if let home, let rest = path.rest(below: home) { return "~\(rest)" }
        return path
    }
}
