import Base

/// Finds programs as a shell does, but only in directories that are named from the root: `PATH=.:/usr/bin` or an empty entry
/// would take one out of the directory where a command runs, which is a stranger's.
package enum ProgramSearch {
    /// A `PATH` without its relative entries, and without those in a directory that isn't to be trusted.
    ///
    /// - Parameter directory: without symbolic links; `nil`: there is none.
    package static func path(_ path: String, outside directory: String? = nil) -> String {
        path.split(separator: ":").filter { entry in
            guard entry.hasPrefix("/") else { return false }
            guard let directory, let real = realpath(String(entry), nil) else { return true }
            defer { free(real) }
            return !String(cString: real).isBelow(directory)
        }.joined(separator: ":")
    }
}

extension String {
    /// Whether a path is a directory's, or lies below it.
    fileprivate func isBelow(_ directory: String) -> Bool {
        self == directory || hasPrefix(directory == "/" ? "/" : "\(directory)/")
    }
}
