import Base
import NetworkLayer
import Synchronization

/// A walk from the words of a command to its files, and on to those that its scripts name.
struct CommandWatch {
    /// By ``CommandFiles/key(of:in:_:)``.
    private(set) var hashes: [String: String] = [:]
    private let ground: CommandGround
    /// The command's own directory, and the repository's, which programs print.
    private var start: [String] = []
    /// Directories of PATH that travel with the collection.
    private var programDirectories: [String] = []
    /// Scripts to read, without links.
    private var scripts: [String] = []
    private var known: Set<ExactText> = []
    private var looks = Looks()
    private var listings: [ExactText: Listing] = [:]
    private var patternCount = 0
    /// Those that haven't been counted as looks yet.
    private var comparisonCount = 0
    /// Directories without links.
    private var reals: [ExactText: String] = [:]
    /// What was found to be a directory, or to be none.
    private var knownDirectories: [ExactText: String?] = [:]
    /// The names of scripts that were looked for, and how.
    private var asked: Set<ExactText> = []
    /// Bytes of scripts that were read.
    private var textCount = 0
    private var textIsCut = false

    /// What ended the walk before all was seen.
    var limit: CommandLimit? { textIsCut ? .text : looks.areCut ? .names : nil }

    /// How often the file system is asked. A collection that nobody has allowed anything yet says how much there is to find.
    struct Looks {
        private(set) var count = 0
        /// Whether somewhere it wasn't asked any more.
        private(set) var areCut = false
        private var end = 0

        /// So many more, from now on.
        mutating func allow(_ number: Int) { end = count + number }

        /// - Returns: `false`: it isn't asked any more.
        mutating func take(_ number: Int = 1) -> Bool {
            guard count < end else {
                areCut = true
                return false
            }
            count += number
            return true
        }

        mutating func cut() { areCut = true }
    }

    /// All of it so far.
    var lookCount: Int { looks.count }
    /// For where a command may go, for what it names there, and for what its scripts name: about a second in all.
    static let mostLooks = (directories: 10_000, command: 20_000, scripts: 60_000)

    init(_ ground: CommandGround, _ directory: String, _ searchPath: String) {
        self.ground = ground
        start = [directory]
        if let repository = ground.repository, repository != RealPath.of(directory) { start.append(repository) }
        programDirectories = searchPath.pieces(at: ":").filter { $0.unicodeScalars.first == "/" }.map { RealPath.of(String($0)) }
            // None of the collection's own is in the PATH of its commands.
            .filter { ground.travels($0) && $0.rest(below: ground.place.path) == nil }
    }

    /// Everything that a command names.
    mutating func take(_ words: CommandWords) {
        if words.isCut { looks.cut() }
        looks.allow(Self.mostLooks.directories)
        let directories = directories(of: words, from: start, searching: words.searches)
        looks.allow(Self.mostLooks.command)
        for (index, directory) in directories.enumerated() {
            for name in here(words.names, in: directory) where !isOnlyWritten(name, in: directory, words) {
                take(name, in: directory, isRun: words.isRun(name))
            }
            for pattern in words.patterns {
                for name in matches(of: pattern, in: directory) { take(name, in: directory, isRun: words.isRun(pattern)) }
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
        while next < scripts.count, limit == nil {
            let script = scripts[next]
            next += 1
            guard let words = words(of: script) else { continue }
            if words.isCut { looks.cut() }
            let own = RequestCollections.directory(of: script)
            let others = start.filter { real($0) != own }
            for directory in directories(of: words, from: [own] + others, searching: false) {
                guard limit == nil else { return }
                for name in here(words.names, in: directory) {
                    takeScript(name, in: directory, follows: true, isRun: words.isRun(name))
                }
                for pattern in words.patterns {
                    let isRun = words.isRun(pattern)
                    for name in matches(of: pattern, in: directory) {
                        takeScript(name, in: directory, follows: isRun, isRun: isRun)
                    }
                }
            }
        }
    }

    /// Bytes in all scripts of one command.
    static let mostText = 4 << 20

    /// - Returns: `nil` for what has no names to read: a compiled program, an archive, or a file that can't be read.
    private mutating func words(of script: String) -> CommandWords? {
        var status = stat()
        guard stat(script, &status) == 0, status.st_mode & S_IFMT == S_IFREG, !FileContents.beginsWith(Self.compiled, script)
        else { return nil }
        guard Int(status.st_size) <= Self.mostText - textCount else {
            textIsCut = true
            return nil
        }
        textCount += Int(status.st_size)
        func read() -> CommandWords? {
            // It may have grown since.
            guard let bytes = try? FileContents.read(script, limit: Self.mostText) else { return nil }
            return CommandWords(script: bytes, named: script)
        }
        return status.st_size < Self.longText ? read() : Self.known.found(in: script, status, read)
    }

    /// What long scripts name.
    private static let known = Mutex(FileMemory<CommandWords>(most: 16))
    private static let longText = 64 << 10

    /// How files begin that a system or a runtime loads as they are: ELF, Mach-O and Java, Windows, WebAssembly, and archives.
    private static let compiled: [[UInt8]] = [
        [0x7F, 0x45, 0x4C, 0x46], [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE],
        [0xCF, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE], [0x4D, 0x5A, 0x90, 0], [0, 0x61, 0x73, 0x6D], [0x50, 0x4B, 3, 4],
        [0x1F, 0x8B, 8],
    ]

    private mutating func take(_ name: String, in directory: String, isRun: Bool = false) {
        let path = joined(directory, name)
        guard looks.take(), FileContents.exists(path) else { return }
        let real = RealPath.of(path)
        guard let hash = CommandFiles.hash(of: path, real, on: ground, isRun: isRun) else { return }
        hashes[ground.key(of: name, in: directory)] = hash
        guard ground.travels(real), isRun || CommandFiles.isScript(real) else { return }
        if known.insert(ExactText(real)).inserted { scripts.append(real) }
    }

    private mutating func takeScript(_ name: String, in directory: String, follows: Bool, isRun: Bool = false) {
        let path = joined(directory, name)
        // Scripts of one directory name the same ones.
        guard asked.insert(ExactText("\(isRun) \(follows) \(path)")).inserted, looks.take(), FileContents.isRegular(path)
        else { return }
        let real = RealPath.of(path)
        guard !known.contains(ExactText(real)), isRun || CommandFiles.isScript(real),
            let hash = CommandFiles.hash(of: path, real, on: ground, isRun: isRun)
        else { return }
        let travels = ground.travels(real)
        hashes[travels ? ground.key(ofReal: real) : ground.key(of: name, in: directory)] = hash
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
        for directory in start { add(directory, real(directory)) }
        let most = searching ? Self.mostSearched : Self.mostDirectories
        var next = 0
        while next < found.count {
            var names = words.names
            for pattern in words.patterns { names += matches(of: pattern, in: found[next]) }
            if searching { names += entries(of: found[next]) }
            for name in here(names, in: found[next]) {
                guard let real = directory(at: joined(found[next], name)) else {
                    if looks.areCut { return found }
                    continue
                }
                guard found.count < most || known.contains(ExactText(real)) else {
                    looks.cut()
                    return found
                }
                add(real, real)
            }
            next += 1
        }
        return found
    }

    /// The names that may be there. For many, the directories say what they have, each once.
    private mutating func here(_ names: [String], in directory: String) -> [String] {
        guard names.count > Self.fewNames else { return names }
        return names.filter { compare(0) && mayBe($0, in: directory) }
    }

    private mutating func mayBe(_ name: String, in directory: String) -> Bool {
        guard name.utf8.first != UInt8(ascii: "/") else { return true }
        var here = real(directory)
        var isBelow = false
        for part in name.pieces(at: "/") where !part.isEmpty && part != "." {
            if part == ".." {
                // What is above a link isn't above its target.
                guard !isBelow else { return true }
                here = RequestCollections.directory(of: here)
                guard !here.isEmpty, here != "/" else { return true }
            } else {
                guard let listing = listing(of: here) else { return true }
                guard listing.mayHave(part) else { return false }
                here = joined(here, String(part))
                isBelow = true
            }
        }
        return true
    }

    /// - Returns: `nil` when the file system isn't asked any more.
    private mutating func listing(of directory: String) -> Listing? {
        let key = ExactText(directory)
        if let known = listings[key] { return known }
        guard looks.take() else { return nil }
        let listing = Listing(of: directory.isEmpty ? "." : directory)
        _ = looks.take(listing.names.count / Self.namesPerLook)
        listings[key] = listing
        return listing
    }

    /// So many are asked for one by one.
    private static let fewNames = 32
    /// A directory that is read takes about as long as so many fewer questions.
    private static let namesPerLook = 16

    /// What is in a directory.
    private struct Listing {
        /// Without hidden ones, in order.
        private(set) var names: [String] = []
        /// All, without what some file systems take for the same; `nil`: nobody knows.
        private var all: Set<String>?

        init(of directory: String) {
            guard let all = FileContents.names(in: directory) else {
                if errno == ENOTDIR || errno == ENOENT { self.all = [] }
                return
            }
            names = all.filter { $0.utf8.first != UInt8(ascii: ".") }
            names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            if all.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) { self.all = Set(all.map { $0.lowercased() }) }
        }

        func mayHave(_ name: some StringProtocol) -> Bool {
            guard let all else { return true }
            let isPlain = name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "~") }
            return !isPlain || name == ".." || all.contains(name.lowercased())
        }
    }

    private static let mostDirectories = 64
    private static let mostSearched = 4096

    /// What a shell makes of `scripts/*.sh`, as far as it travels with the collection.
    private mutating func matches(of pattern: String, in directory: String) -> [String] {
        patternCount += 1
        var found = [pattern.unicodeScalars.first == "/" ? "/" : ""]
        for part in pattern.pieces(at: "/") where !part.isEmpty && part != "." {
            let part = String(part)
            var next: [String] = []
            for base in found {
                let path = base.isEmpty ? directory : joined(directory, base)
                if !CommandWords.hasWildcard(part) {
                    let listing = patternCount > Self.fewNames ? listing(of: path) : listings[ExactText(path)]
                    guard listing?.mayHave(part) ?? true else { continue }
                    guard looks.take() else { break }
                    let name = joined(base, part)
                    if FileContents.exists(joined(directory, name)) { next.append(name) }
                } else if ground.travels(real(path)) {
                    let names = entries(of: path)
                    guard compare(names.count) else { break }
                    next += names.filter { fnmatch(part, $0, 0) == 0 }.map { joined(base, $0) }
                }
            }
            found = next
        }
        return found
    }

    /// - Returns: `false`: no more names are compared with patterns.
    private mutating func compare(_ number: Int) -> Bool {
        comparisonCount += number + 4
        defer { comparisonCount %= Self.comparisonsPerLook }
        return comparisonCount < Self.comparisonsPerLook || looks.take(comparisonCount / Self.comparisonsPerLook)
    }

    private static let comparisonsPerLook = 64

    private mutating func real(_ directory: String) -> String {
        let key = ExactText(directory)
        if let known = reals[key] { return known }
        let real = RealPath.of(directory)
        reals[key] = real
        return real
    }

    /// A directory that travels, without links; `nil` for anything else.
    private mutating func directory(at path: String) -> String? {
        let key = ExactText(path)
        if let known = knownDirectories[key] { return known }
        guard looks.take() else { return nil }
        let real = FileContents.isDirectory(path) ? RealPath.of(path) : nil
        let found = real.flatMap { ground.travels($0) ? $0 : nil }
        knownDirectories[key] = .some(found)
        return found
    }

    private mutating func entries(of directory: String) -> [String] { listing(of: directory)?.names ?? [] }
}
