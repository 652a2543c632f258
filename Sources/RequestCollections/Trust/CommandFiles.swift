import FoundationEssentials
import NetworkLayer
import Synchronization

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
        var watch = CommandWatch(place, directory, searchPath)
        watch.take(CommandWords(words))
        watch.followScripts()
        memory?[words, directory] = watch.hashes
        return watch.hashes
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

    /// The name of a file, seen from the collection's directory: in two directories, the same name is two files. Links are followed when
    /// the file is read, so that one which leads elsewhere by then is noticed. It has no signs but those of ASCII, the bytes of others
    /// percent-encoded, since of two names that Swift takes for equal a dictionary would keep one.
    ///
    /// - Parameter directory: what the name is relative to.
    static func key(of name: String, in directory: String, _ place: CollectionPlace) -> String {
        let real = RealPath.of(directory)
        let isInside = real == place.directory || name.unicodeScalars.first == "/"
        return isInside ? encoded(name) : encoded(joined(CollectionPlace(place.directory).portable(real, home: nil), name))
    }

    /// The same for a path without links.
    static func key(ofReal path: String, _ place: CollectionPlace) -> String {
        encoded(CollectionPlace(place.directory).portable(path, home: nil))
    }

    private static func encoded(_ path: String) -> String {
        URLCoding.percentEncoded(path.utf8) { $0 < 0x80 && $0 != UInt8(ascii: "%") }
    }

    /// Whether they are still what they were.
    ///
    /// - Parameter place: the collection's; `nil`: of what no collection wants, from the current directory.
    package static func areUnchanged(_ hashes: [String: String], of place: CollectionPlace?) -> Bool {
        hashes.allSatisfy { file in
            let path = joined(place?.directory ?? "", URLCoding.percentDecoded(file.key))
            return (place.map { hash(of: path, travellingWith: $0) } ?? hash(of: path)) == file.value
        }
    }

    /// - Returns: `nil` also for a file that was there before the collection came: nothing of it is read.
    static func hash(of path: String, travellingWith place: CollectionPlace) -> String? {
        guard FileContents.exists(path) else { return nil }
        let real = RealPath.of(path)
        guard travels(real, with: place) else { return linkHash(of: path, to: real, travellingWith: place) }
        // Beside a collection of one file there is much that it has nothing to do with, such as what its commands leave there.
        let isBeside = real.rest(below: place.path) == nil && place.repository == nil
        return isBeside && !isScript(real) ? nil : hash(of: real)
    }

    /// The hash of where a link of the collection leads to outside, in place of what is there.
    private static func linkHash(of path: String, to real: String, travellingWith place: CollectionPlace) -> String? {
        var path = path
        while !path.isEmpty, path != "/" {
            let parent = RequestCollections.directory(of: path)
            if FileContents.isLink(path) {
                let own = joined(RealPath.of(parent), String(path.pieces(at: "/").last ?? ""))
                let target = CollectionPlace(place.directory).portable(real, home: nil)
                if travels(own, with: place) { return DigestFunction.sha256.hash(Data("-> \(target)".utf8)).hexadecimal }
            }
            path = parent
        }
        return nil
    }

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

    static func travels(_ real: String, with place: CollectionPlace) -> Bool {
        real.rest(below: place.directory) != nil || place.repository.flatMap { real.rest(below: $0) } != nil
    }

    private static func hash(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try? BodyHash(file: path, algorithm: .sha256).hexadecimal
    }
}
