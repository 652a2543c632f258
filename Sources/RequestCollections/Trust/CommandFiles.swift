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
/// Those are the files below the collection's directory, and in the git repository that it lies in. Each word counts, and so does each
/// part of it, such as in a line for a shell, behind a `=` or behind the letter of an option; and that from any directory that is named
/// so, since a shell may go there first. Better a file too many than one too few. What such a script reads on its own isn't seen.
package enum CommandFiles {
    /// The SHA-256 of each, in hexadecimal, by ``key(of:in:_:)``.
    ///
    /// - Parameter directory: where the command runs.
    static func hashes(of words: [String], in directory: String, of place: CollectionPlace) -> [String: String] {
        var hashes: [String: String] = [:]
        var all: [String] = []
        for (index, word) in words.enumerated() {
            // A program without a slash is looked up in PATH.
            all += names(in: word).filter { index > 0 || $0 != word || $0.utf8.contains(UInt8(ascii: "/")) }
        }
        let directories = directories(among: all, from: directory, of: place)
        for name in all {
            for directory in directories {
                guard let hash = hash(of: joined(directory, name), travellingWith: place) else { continue }
                hashes[key(of: name, in: directory, place)] = hash
            }
        }
        return hashes
    }

    /// Where the command may go: its own directory, and those that are named in it, one after the other.
    private static func directories(among names: [String], from directory: String, of place: CollectionPlace) -> [String] {
        var found = [directory]
        var known: Set<ExactText> = [ExactText(RealPath.of(directory))]
        var next = 0
        while next < found.count, found.count < mostDirectories {
            for name in names {
                let path = joined(found[next], name)
                guard FileContents.isDirectory(path) else { continue }
                let real = RealPath.of(path)
                guard travels(real, with: place), known.insert(ExactText(real)).inserted else { continue }
                found.append(real)
            }
            next += 1
        }
        return found
    }

    private static let mostDirectories = 16

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

    private static func names(in word: String) -> [String] {
        var names = [word]
        for signs in [" \t\r\n;|&()<>'\"`$={},", " \t\r\n;|&()<>'\"`$={},@:[]"] {
            for part in word.unicodeScalars.split(whereSeparator: signs.unicodeScalars.contains) {
                names.append(String(part))
                // `-fscripts/mk`
                if part.first == "-" { names.append(String(part.dropFirst(2))) }
            }
        }
        var known: Set<ExactText> = []
        return names.filter { !$0.isEmpty && known.insert(ExactText($0)).inserted }
    }

    /// - Returns: `nil` also for a file that was there before the collection came: nothing of it is read.
    static func hash(of path: String, travellingWith place: CollectionPlace) -> String? {
        guard FileContents.exists(path) else { return nil }
        let real = RealPath.of(path)
        return travels(real, with: place) ? hash(of: real) : nil
    }

    private static func travels(_ real: String, with place: CollectionPlace) -> Bool {
        real.rest(below: place.path) != nil || place.repository.flatMap { real.rest(below: $0) } != nil
    }

    private static func hash(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try? BodyHash(file: path, algorithm: .sha256).hexadecimal
    }
}
