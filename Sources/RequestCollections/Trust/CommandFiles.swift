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
/// Those are the files below the collection's directory, and in the git repository that it lies in. What stands in a line for a shell,
/// or behind a `=`, counts as well. What such a script reads on its own isn't seen.
package enum CommandFiles {
    /// The SHA-256 of each, in hexadecimal, by ``key(of:in:_:)``.
    ///
    /// - Parameter directory: where the command runs.
    static func hashes(of words: [String], in directory: String, of place: CollectionPlace) -> [String: String] {
        var hashes: [String: String] = [:]
        for (index, word) in words.enumerated() {
            for name in names(in: word) {
                // A program without a slash is looked up in PATH.
                if index == 0, name == word, !name.utf8.contains(UInt8(ascii: "/")) { continue }
                if let hash = hash(of: joined(directory, name), travellingWith: place) {
                    hashes[key(of: name, in: directory, place)] = hash
                }
            }
        }
        return hashes
    }

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
        let parts = word.unicodeScalars.split { " \t\r\n;|&()<>'\"`$={},".unicodeScalars.contains($0) }.map { String($0) }
        return parts.contains(word) ? parts : [word] + parts
    }

    /// - Returns: `nil` also for a file that was there before the collection came: nothing of it is read.
    static func hash(of path: String, travellingWith place: CollectionPlace) -> String? {
        guard FileContents.exists(path) else { return nil }
        let real = RealPath.of(path)
        guard real.rest(below: place.path) != nil || place.repository.flatMap({ real.rest(below: $0) }) != nil else { return nil }
        return hash(of: real)
    }

    private static func hash(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try? BodyHash(file: path, algorithm: .sha256).hexadecimal
    }
}
