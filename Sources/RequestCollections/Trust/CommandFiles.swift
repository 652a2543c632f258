import Base
import NetworkLayer
import Synchronization

/// The files that a command names and that travel with the collection: they are as much a part of it as its words.
///
/// Those are the files below the collection's directory, and in the git repository that it lies in. ``CommandWords`` says which names a
/// command has; they count from any directory that is named, since a shell may go there first. Scripts that such a script names are
/// watched as well. Better a file too many than one too few.
package enum CommandFiles {
    /// The SHA-256 of each, in hexadecimal, by ``key(of:in:_:)``.
    ///
    /// - Parameters:
    ///   - directory: where the command runs.
    ///   - searchPath: where programs are found that are named without a slash.
    static func hashes(
        of words: [String], in directory: String, of place: CollectionPlace, searchPath: String = Self.searchPath,
        memory: Memory? = nil
    ) -> [String: String] {
        if let known = memory?[words, directory] { return known }
        let ground = CommandGround(place)
        var watch = CommandWatch(ground, directory, searchPath)
        watch.take(CommandWords(words))
        watch.followScripts()
        var hashes = watch.hashes
        if let limit = watch.limit { hashes[limit.key] = AllFiles.hash(of: ground) }
        memory?[words, directory] = hashes
        return hashes
    }

    /// What was found for commands of one collection, while many of its requests are looked at: most have the same ones.
    final class Memory: Sendable {
        private struct Key: Hashable {
            var words: [ExactText]
            var directory: ExactText
        }

        private let known = Mutex<[Key: [String: String]]>([:])

        subscript(words: [String], directory: String) -> [String: String]? {
            get { known.withLock { $0[Key(words: words.map { ExactText($0) }, directory: ExactText(directory))] } }
            set { known.withLock { $0[Key(words: words.map { ExactText($0) }, directory: ExactText(directory))] = newValue } }
        }
    }

    private static var searchPath: String { getenv("PATH").map { String(cString: $0) } ?? "" }

    /// See ``CommandGround/key(of:in:)``.
    static func key(of name: String, in directory: String, _ place: CollectionPlace) -> String {
        CommandGround(place).key(of: name, in: directory)
    }

    /// Whether they are still what they were.
    ///
    /// - Parameter place: the collection's; `nil`: of what no collection wants, from the current directory.
    package static func areUnchanged(_ hashes: [String: String], of place: CollectionPlace?) -> Bool {
        let ground = place.map { CommandGround($0) }
        return hashes.allSatisfy { file in
            if CommandLimit(key: file.key) != nil { return ground.map { AllFiles.hash(of: $0) } == file.value }
            let path = joined(place?.directory ?? "", URLCoding.percentDecoded(file.key))
            return (ground.map { hash(of: path, on: $0, isRun: true) } ?? hash(of: path)) == file.value
        }
    }

    /// - Returns: `nil` also for a file that was there before the collection came: nothing of it is read.
    static func hash(of path: String, travellingWith place: CollectionPlace) -> String? {
        hash(of: path, on: CommandGround(place))
    }

    static func hash(of path: String, on ground: CommandGround, isRun: Bool = false) -> String? {
        FileContents.exists(path) ? hash(of: path, RealPath.of(path), on: ground, isRun: isRun) : nil
    }

    /// - Parameters:
    ///   - real: the path without links.
    ///   - isRun: a program is told to run it, so that it is a script whatever it looks like.
    static func hash(of path: String, _ real: String, on ground: CommandGround, isRun: Bool = false) -> String? {
        guard ground.travels(real) else { return linkHash(of: path, on: ground) }
        // Beside a collection of one file there is much that it has nothing to do with, such as what its commands leave there.
        return ground.isBeside(real) && !isRun && !isScript(real) ? nil : hash(of: real)
    }

    /// The hash of the links of the collection that lead outside, as they are written, in place of what is there: a program of the
    /// system is another one on each machine, and after each update.
    private static func linkHash(of path: String, on ground: CommandGround) -> String? {
        var targets: [String] = []
        var linkCount = 0
        var here = "/"
        let isWhole = path.unicodeScalars.first == "/"
        var rest = Array((isWhole ? path : joined(FileContents.realPath(".") ?? "/", path)).pieces(at: "/").reversed())
        while let name = rest.popLast() {
            let next = joined(here, String(name))
            guard !name.isEmpty, name != "." else { continue }
            if name == ".." {
                here = RequestCollections.directory(of: here)
                if here.isEmpty { here = "/" }
            } else if let target = FileContents.linkTarget(next) {
                if ground.travels(next) { targets.append(target) }
                linkCount += 1
                guard linkCount <= mostLinks else { return nil }
                if target.unicodeScalars.first == "/" { here = "/" }
                rest += target.pieces(at: "/").reversed()
            } else {
                here = next
            }
        }
        guard !targets.isEmpty else { return nil }
        return DigestFunction.sha256.hash(Data(targets.map { "-> \($0)\n" }.joined().utf8)).hexadecimal
    }

    /// As many as a system follows.
    private static let mostLinks = 40

    /// Whether it is a program, or is read by one that is told to.
    static func isScript(_ path: String) -> Bool {
        let name = path.pieces(at: "/").last.map(String.init) ?? ""
        if CommandWords.scriptEndings.contains(CommandWords.ending(of: name)) || CommandWords.programFiles.contains(name) {
            return true
        }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & 0o111 != 0 { return true }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var start: [UInt8] = [0, 0]
        return SystemCall.read(descriptor, &start, 2) == 2 && start == Array("#!".utf8)
    }

    private static func hash(of path: String) -> String? {
        // A network file system checks with its server when a file is opened; before that, what it says may be old.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return known.found(in: path, status) { try? BodyHash(file: path, algorithm: .sha256).hexadecimal }
    }

    /// The hashes of files, which all collections and runs of this process share.
    private static let known = Mutex(FileMemory<String>(most: 50_000))
}
