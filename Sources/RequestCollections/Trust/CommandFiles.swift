import NetworkLayer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files that a command names and that travel with the collection: they are as much a part of it as its words.
///
/// Those are the files below the collection's directory, and in the git repository that it lies in. ``CommandWords`` says which names a
/// command has; they count from any directory that is named, since a shell may go there first. Better a file too many than one too few.
/// What such a script reads on its own isn't seen.
package enum CommandFiles {
    /// The SHA-256 of each, in hexadecimal, by ``key(of:in:_:)``.
    ///
    /// - Parameter directory: where the command runs.
    static func hashes(of words: [String], in directory: String, of place: CollectionPlace) -> [String: String] {
        var hashes: [String: String] = [:]
        let words = CommandWords(words)
        for directory in directories(of: words, from: directory, of: place) {
            for name in names(of: words, in: directory, of: place) {
                guard let hash = hash(of: joined(directory, name), travellingWith: place) else { continue }
                hashes[key(of: name, in: directory, place)] = hash
            }
        }
        return hashes
    }

    /// Where the command may go: its own directory, the repository's, which programs print, and those that are named in it, one after the
    /// other.
    private static func directories(of words: CommandWords, from directory: String, of place: CollectionPlace) -> [String] {
        var found: [String] = []
        var known: Set<ExactText> = []
        func add(_ path: String, _ real: String) { if known.insert(ExactText(real)).inserted { found.append(path) } }
        add(directory, RealPath.of(directory))
        if let repository = place.repository { add(repository, repository) }
        var next = 0
        while next < found.count, found.count < mostDirectories {
            for name in names(of: words, in: found[next], of: place) {
                let path = joined(found[next], name)
                guard FileContents.isDirectory(path) else { continue }
                let real = RealPath.of(path)
                if travels(real, with: place) { add(real, real) }
            }
            next += 1
        }
        return found
    }

    private static let mostDirectories = 32

    /// The names, and those that fit the patterns.
    private static func names(of words: CommandWords, in directory: String, of place: CollectionPlace) -> [String] {
        words.names + words.patterns.flatMap { matches(of: $0, in: directory, of: place) }
    }

    /// What a shell makes of `scripts/*.sh`, as far as it travels with the collection.
    private static func matches(of pattern: String, in directory: String, of place: CollectionPlace) -> [String] {
        var found = [pattern.unicodeScalars.first == "/" ? "/" : ""]
        for part in pattern.pieces(at: "/") where !part.isEmpty {
            let part = String(part)
            found = found.flatMap { base -> [String] in
                let path = base.isEmpty ? directory : joined(directory, base)
                guard CommandWords.hasWildcard(part) else {
                    let name = joined(base, part)
                    return FileContents.exists(joined(directory, name)) ? [name] : []
                }
                guard travels(RealPath.of(path), with: place),
                    let entries = try? FileContents.list(path.isEmpty ? "." : path)
                else { return [] }
                return entries.map(\.name).filter { fnmatch(part, $0, 0) == 0 }.map { joined(base, $0) }
            }
            found = Array(found.prefix(mostMatches))
        }
        return found
    }

    private static let mostMatches = 1000

    /// The name of a file, seen from the collection's directory: in two directories, the same name is two files. Links are followed when
    /// the file is read, so that one which leads elsewhere by then is noticed. It has no signs but those of ASCII, the bytes of others
    /// percent-encoded, since of two names that Swift takes for equal a dictionary would keep one.
    ///
    /// - Parameter directory: what the name is relative to.
    static func key(of name: String, in directory: String, _ place: CollectionPlace) -> String {
        let real = RealPath.of(directory)
        let isInside = real == place.directory || name.unicodeScalars.first == "/"
        let path = isInside ? name : joined(CollectionPlace(place.directory).portable(real, home: nil), name)
        return URLCoding.percentEncoded(path.utf8) { $0 < 0x80 && $0 != UInt8(ascii: "%") }
    }

    /// Whether they are still what they were.
    ///
    /// - Parameter place: the collection's; `nil`: of what no collection wants, from the current directory.
    package static func areUnchanged(_ hashes: [String: String], of place: CollectionPlace?) -> Bool {
        hashes.allSatisfy { hash(of: joined(place?.directory ?? "", URLCoding.percentDecoded($0.key))) == $0.value }
    }

    /// - Returns: `nil` also for a file that was there before the collection came: nothing of it is read.
    static func hash(of path: String, travellingWith place: CollectionPlace) -> String? {
        guard FileContents.exists(path) else { return nil }
        let real = RealPath.of(path)
        guard travels(real, with: place) else { return nil }
        // Beside a collection of one file there is much that it has nothing to do with, such as what its commands leave there.
        let isBeside = real.rest(below: place.path) == nil && place.repository == nil
        return isBeside && !isScript(real) ? nil : hash(of: real)
    }

    /// Whether it is a program, or is read by one that is told to.
    private static func isScript(_ path: String) -> Bool {
        let name = path.pieces(at: "/").last.map(String.init) ?? ""
        let ending = name.pieces(at: ".").dropFirst().last.map(String.init) ?? ""
        if scriptEndings.contains(ending) || CommandWords.programFiles.contains(name) { return true }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & 0o111 != 0 { return true }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var start: [UInt8] = [0, 0]
        return SystemCall.read(descriptor, &start, 2) == 2 && start == Array("#!".utf8)
    }

    private static let scriptEndings: Set<String> = [
        "awk", "bash", "cjs", "cmd", "fish", "jq", "js", "ksh", "lua", "mjs", "mk", "php", "pl", "pm", "ps1", "py", "rb", "sed",
        "sh", "tcl",
        "ts", "zsh",
    ]

    private static func travels(_ real: String, with place: CollectionPlace) -> Bool {
        real.rest(below: place.directory) != nil || place.repository.flatMap { real.rest(below: $0) } != nil
    }

    private static func hash(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try? BodyHash(file: path, algorithm: .sha256).hexadecimal
    }
}
