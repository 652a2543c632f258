import NetworkLayer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A walk from the words of a command to its files, and on to those that its scripts name.
struct CommandWatch {
    /// By ``CommandFiles/key(of:in:_:)``.
    private(set) var hashes: [String: String] = [:]
    private let place: CollectionPlace
    /// The command's own directory, and the repository's, which programs print.
    private var start: [String] = []
    /// Directories of PATH that travel with the collection.
    private var programDirectories: [String] = []
    /// Scripts to read, without links.
    private var scripts: [String] = []
    private var known: Set<ExactText> = []
    private var looks = Looks()

    /// How often the file system is asked. A collection that nobody has allowed anything yet says how much there is to find.
    struct Looks {
        private(set) var count = 0
        private var end = 0

        /// So many more, from now on.
        mutating func allow(_ number: Int) { end = count + number }

        /// - Returns: `false`: it isn't asked any more.
        mutating func take(_ number: Int = 1) -> Bool {
            guard count < end else { return false }
            count += number
            return true
        }
    }

    /// All of it so far.
    var lookCount: Int { looks.count }
    /// For where a command may go, for what it names there, and for what its scripts name: about half a second in all.
    static let mostLooks = (directories: 10_000, command: 20_000, scripts: 20_000)

    init(_ place: CollectionPlace, _ directory: String, _ searchPath: String) {
        self.place = place
        start = [directory]
        if let repository = place.repository, repository != RealPath.of(directory) { start.append(repository) }
        programDirectories = searchPath.pieces(at: ":").filter { $0.unicodeScalars.first == "/" }.map { RealPath.of(String($0)) }
            // None of the collection's own is in the PATH of its commands.
            .filter { CommandFiles.travels($0, with: place) && $0.rest(below: place.path) == nil }
    }

    /// Everything that a command names.
    mutating func take(_ words: CommandWords) {
        looks.allow(Self.mostLooks.directories)
        let directories = directories(of: words, from: start, searching: words.searches)
        looks.allow(Self.mostLooks.command)
        for (index, directory) in directories.enumerated() {
            for name in words.names where !isOnlyWritten(name, in: directory, words) {
                take(name, in: directory, isRun: words.isRun(name))
            }
            for pattern in words.patterns {
                for name in matches(of: pattern, in: directory) { take(name, in: directory) }
            }
            // All scripts of a directory that is named, as for `run-parts scripts`, or `cd scripts; for f in *`.
            guard index >= start.count, !words.searches else { continue }
            for name in entries(of: directory) where CommandFiles.isScript(joined(directory, name)) { take(name, in: directory) }
        }
        for directory in programDirectories {
            for name in words.names + [words.program].compactMap(\.self) where !name.utf8.contains(UInt8(ascii: "/")) {
                take(name, in: directory)
            }
        }
    }

    /// What scripts name, as far as those are scripts, too: their data is something else each time.
    mutating func followScripts() {
        looks.allow(Self.mostLooks.scripts)
        var next = 0
        while next < scripts.count, next < Self.mostScripts {
            let script = scripts[next]
            next += 1
            guard let bytes = try? FileContents.read(script, limit: Self.longestScript), !bytes.contains(0) else { continue }
            let words = CommandWords(script: String(decoding: bytes, as: UTF8.self), named: script)
            let own = RequestCollections.directory(of: script)
            for directory in directories(of: words, from: [own] + start.filter { RealPath.of($0) != own }, searching: false) {
                for name in words.names { takeScript(name, in: directory, follows: true, isRun: words.isRun(name)) }
                for pattern in words.patterns {
                    for name in matches(of: pattern, in: directory) { takeScript(name, in: directory, follows: false) }
                }
            }
        }
    }

    private static let mostScripts = 64
    private static let longestScript = 256 << 10

    private mutating func take(_ name: String, in directory: String, isRun: Bool = false) {
        let path = joined(directory, name)
        guard looks.take(), let hash = CommandFiles.hash(of: path, travellingWith: place) else { return }
        hashes[CommandFiles.key(of: name, in: directory, place)] = hash
        let real = RealPath.of(path)
        guard CommandFiles.travels(real, with: place), isRun || CommandFiles.isScript(real) else { return }
        if known.insert(ExactText(real)).inserted { scripts.append(real) }
    }

    private mutating func takeScript(_ name: String, in directory: String, follows: Bool, isRun: Bool = false) {
        let path = joined(directory, name)
        guard looks.take(), FileContents.isRegular(path) else { return }
        let real = RealPath.of(path)
        guard !known.contains(ExactText(real)), isRun || CommandFiles.isScript(real),
            let hash = CommandFiles.hash(of: path, travellingWith: place)
        else { return }
        let travels = CommandFiles.travels(real, with: place)
        hashes[travels ? CommandFiles.key(ofReal: real, place) : CommandFiles.key(of: name, in: directory, place)] = hash
        guard follows, travels else { return }
        known.insert(ExactText(real))
        scripts.append(real)
    }

    /// What stands there by then is the command's own, unless it is run.
    private func isOnlyWritten(_ name: String, in directory: String, _ words: CommandWords) -> Bool {
        guard !words.written.isEmpty else { return false }
        let plain = name.begins(with: "./") ? String(name.unicodeScalars.dropFirst(2)) : name
        return words.written.contains(ExactText(plain)) && !CommandFiles.isScript(joined(directory, name))
    }

    /// Where the command may go: where it is, and what is named in it, one after the other.
    private mutating func directories(of words: CommandWords, from start: [String], searching: Bool) -> [String] {
        var found: [String] = []
        var known: Set<ExactText> = []
        func add(_ path: String, _ real: String) { if known.insert(ExactText(real)).inserted { found.append(path) } }
        for directory in start { add(directory, RealPath.of(directory)) }
        let most = searching ? Self.mostSearched : Self.mostDirectories
        var next = 0
        while next < found.count, found.count < most {
            var names = words.names
            for pattern in words.patterns { names += matches(of: pattern, in: found[next]) }
            if searching { names += entries(of: found[next]) }
            for name in names {
                guard found.count < most, looks.take() else { return found }
                let path = joined(found[next], name)
                guard FileContents.isDirectory(path) else { continue }
                let real = RealPath.of(path)
                if CommandFiles.travels(real, with: place) { add(real, real) }
            }
            next += 1
        }
        return found
    }

    private static let mostDirectories = 32
    private static let mostSearched = 4096

    /// What a shell makes of `scripts/*.sh`, as far as it travels with the collection.
    private mutating func matches(of pattern: String, in directory: String) -> [String] {
        var found = [pattern.unicodeScalars.first == "/" ? "/" : ""]
        for part in pattern.pieces(at: "/") where !part.isEmpty {
            let part = String(part)
            var next: [String] = []
            for base in found {
                guard looks.take() else { break }
                let path = base.isEmpty ? directory : joined(directory, base)
                if !CommandWords.hasWildcard(part) {
                    let name = joined(base, part)
                    if FileContents.exists(joined(directory, name)) { next.append(name) }
                } else if CommandFiles.travels(RealPath.of(path), with: place) {
                    next += entries(of: path).filter { fnmatch(part, $0, 0) == 0 }.map { joined(base, $0) }
                }
            }
            found = next
        }
        return found
    }

    private mutating func entries(of directory: String) -> [String] {
        guard looks.take(), let entries = try? FileContents.list(directory.isEmpty ? "." : directory) else { return [] }
        _ = looks.take(entries.count)
        return entries.map(\.name)
    }
}
