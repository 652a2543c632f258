import Base
import RequestCollections

/// A linked worktree of git, which shares what is allowed with the main checkout.
enum GitWorktree {
    /// The same place in the main checkout.
    ///
    /// `.git` in a linked worktree is a file that names `MAIN/.git/worktrees/NAME`. Anybody can write such a file; so what lies there must
    /// point back to it (`gitdir`), which only who may write to the main checkout can make it do.
    ///
    /// - Parameter root: without links.
    static func mainPlace(of root: String) -> String? {
        var directory = root
        while true {
            let file = directory == "/" ? "/.git" : "\(directory)/.git"
            var status = stat()
            if lstat(file, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFREG, let main = mainCheckout(of: file, in: directory) else { return nil }
                return main + root.dropFirst(directory.count)
            }
            guard let slash = directory.lastIndex(of: "/"), directory != "/" else { return nil }
            directory = slash == directory.startIndex ? "/" : String(directory[..<slash])
        }
    }

    private static func mainCheckout(of file: String, in directory: String) -> String? {
        guard let line = line(of: file), line.hasPrefix("gitdir: ") else { return nil }
        let path = String(line.dropFirst(8))
        let link = RealPath.of(path.hasPrefix("/") ? path : "\(directory)/\(path)")
        let parts = link.split(separator: "/")
        guard parts.count > 3, parts[parts.count - 2] == "worktrees", parts[parts.count - 3] == ".git",
            let back = Self.line(of: "\(link)/gitdir"),
            // Relative to the directory in which it stands (git 2.48).
            RealPath.of(back.hasPrefix("/") ? back : "\(link)/\(back)") == file
        else { return nil }
        return "/" + parts.dropLast(3).joined(separator: "/")
    }

    private static func line(of file: String) -> String? {
        guard let data = try? Data(contentsOf: URL(filePath: file)), data.count < 1 << 16 else { return nil }
        return String(decoding: data.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    }
}
