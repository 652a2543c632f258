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
    /// The SHA-256 of each, in hexadecimal, by the name that it has in the words.
    ///
    /// - Parameter directory: where the command runs.
    static func hashes(of words: [String], in directory: String, of place: CollectionPlace) -> [String: String] {
        var hashes: [String: String] = [:]
        for (index, word) in words.enumerated() {
            for name in names(in: word) where hashes[name] == nil {
                // A program without a slash is looked up in PATH.
                if index == 0, name == word, !name.utf8.contains(UInt8(ascii: "/")) { continue }
                if let hash = hash(of: joined(directory, name), travellingWith: place) { hashes[name] = hash }
            }
        }
        return hashes
    }

    /// Whether they are still what they were.
    package static func areUnchanged(_ hashes: [String: String], in directory: String) -> Bool {
        hashes.allSatisfy { hash(of: joined(directory, $0.key)) == $0.value }
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
