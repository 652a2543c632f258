import Glibc

/// What the command line asks of the file system before it starts anything.
enum FilePaths {
    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }
}
