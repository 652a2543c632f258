import Base
import NetworkLayer
import Synchronization

/// The files that came with a collection and stand as a word of their own in a command: `./token.sh`, `sh token.sh`, `sh -c "./login | ./token.sh"`.
///
/// They are a part of the command, and are looked for in the directory that it starts in. `docs/limits.md` names what isn't watched.
package enum CommandFiles {
    /// What was read for the commands of one collection, while many of its requests are looked at: most have the same ones.
    final class Memory: Sendable {
        fileprivate let hashes = Mutex<[ExactText: String?]>([:])
    }

    /// `scripts/token.sh sha256 6b86…` for each, seen from the collection's directory.
    ///
    /// - Parameter directory: where the command runs.
    static func hashes(of words: [String], in directory: String, of place: CollectionPlace, memory: Memory? = nil) -> [String] {
        var files: Set<ExactText> = []
        for name in names(in: words) {
            if let line = hash(of: joined(directory, name.wrappedValue), of: place, memory: memory) {
                files.insert(ExactText(line))
            }
        }
        return files.map(\.wrappedValue).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The same for one file; `nil` for what isn't there, or didn't come with the collection.
    static func hash(of path: String, of place: CollectionPlace, memory: Memory? = nil) -> String? {
        if let memory, let known = memory.hashes.withLock({ $0[ExactText(path)] }) { return known }
        let real = RealPath.of(path)
        var line: String?
        let below = real.rest(below: place.directory)
        if FileContents.isRegular(real), below != nil || place.travels(real),
            let hash = try? BodyHash(file: real, algorithm: .sha256).hexadecimal
        {
            let name =
                below.map { String(decoding: $0.utf8.dropFirst(), as: UTF8.self) }
                ?? CollectionPlace(place.directory).portable(real, home: nil)
            line = "\(name) sha256 \(hash)"
        }
        memory?.hashes.withLock { $0[ExactText(path)] = .some(line) }
        return line
    }

    /// Whether they are still what they were.
    ///
    /// - Parameter place: the collection's; `nil`: the program's own commands have none.
    package static func areUnchanged(_ hashes: [String], of place: CollectionPlace?) -> Bool {
        guard let place else { return hashes.isEmpty }
        return hashes.allSatisfy { line in
            let path = String(decoding: line.utf8.dropLast(72), as: UTF8.self)
            return hash(of: joined(place.directory, path), of: place) == line
        }
    }

    /// The command as it would be judged now.
    ///
    /// - Parameter directory: where it runs.
    package static func current(_ want: CommandWant, in directory: String, of place: CollectionPlace) -> CommandWant {
        var current = want
        let hashes = hashes(of: want.words, in: directory, of: place)
        let names = Set(hashes.map { ExactText(String($0.dropLast(72))) })
        // What `file()` has read into the words stands in none of them.
        current.files = hashes + want.files.filter { !names.contains(ExactText(String($0.dropLast(72)))) }
        return current
    }

    /// Each word, and what stands between blanks and the signs of a shell in it. What a command writes (`date > token`) is something else
    /// each time.
    private static func names(in words: [String]) -> Set<ExactText> {
        var names: Set<ExactText> = []
        var written: Set<ExactText> = []
        for word in words {
            if word.utf8.count <= RealPath.longest { names.insert(ExactText(word)) }
            var isWritten = false
            for piece in word.utf8.split(omittingEmptySubsequences: false, whereSeparator: { separators.contains($0) }) {
                if !piece.isEmpty, piece.count <= RealPath.longest {
                    let name = ExactText(String(Substring(piece)))
                    // What is run or read before it is written stays a part of the command.
                    if isWritten { written.insert(name) } else if !written.contains(name) { names.insert(name) }
                    isWritten = false
                }
                guard piece.endIndex < word.utf8.endIndex else { continue }
                switch word.utf8[piece.endIndex] {
                // `\>` is a sign.
                case UInt8(ascii: ">"): isWritten = piece.last != UInt8(ascii: "\\")
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "'"), UInt8(ascii: "\""): break
                default: isWritten = false
                }
            }
        }
        return names
    }

    private static let separators = Set(" \t\r\n;|&()<>'\"`".utf8)
}
