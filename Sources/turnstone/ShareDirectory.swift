import Base

/// Where `Collections` and `Themes` lie that belong to the program.
///
/// | the program lies in        | they lie in                        |
/// |----------------------------|------------------------------------|
/// | anywhere                   | `$TURNSTONE_SHARE`, when it is set |
/// | `PREFIX/bin`               | `PREFIX/share/turnstone`           |
/// | `CHECKOUT/.build/…`        | `CHECKOUT`                         |
enum ShareDirectory {
    static func locate(environment: [String: String]) -> String? {
        if let path = environment["TURNSTONE_SHARE"] { return path }
        guard let program = executablePath() else { return nil }
        var directory = parent(of: program)
        if isShare(parent(of: directory) + "/share/turnstone") { return parent(of: directory) + "/share/turnstone" }
        while directory != "/", !directory.isEmpty {
            if isShare(directory) { return directory }
            directory = parent(of: directory)
        }
        return nil
    }

    private static func isShare(_ path: String) -> Bool {
        access(path + "/Collections/demo", F_OK) == 0 && access(path + "/Themes", F_OK) == 0
    }

    private static func executablePath() -> String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
