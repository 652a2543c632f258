import Base
import NetworkLayer

/// Why a command isn't followed to all of its files: there is too much of them. What lies behind is unknown, so all scripts that travel with
/// the collection, and all files without an ending, are a part of the command then.
enum CommandLimit: String, CaseIterable {
    /// Its scripts are too long.
    case text
    /// It names too much.
    case names

    /// What stands in place of a file's name. No name has such signs: see ``CommandGround/key(of:in:)``.
    var key: String { "‹all files: \(rawValue)›" }

    init?(key: String) {
        guard let limit = Self.allCases.first(where: { $0.key == key }) else { return nil }
        self = limit
    }

    /// What a person reads of it, with the way out.
    var note: String {
        switch self {
        case .text:
            "its scripts have more than \(CommandWatch.mostText >> 20) MiB, so any change of a script beside it is asked about;"
                + " name a shorter script"
        case .names:
            "it names too much to be followed, so any change of a script beside it is asked about;"
                + " name the script that it runs, and no directory or pattern"
        }
    }
}

/// All files that travel with a collection and may be scripts, as one hash.
struct AllFiles {
    private let ground: CommandGround
    private var digest = BodyDigest(.sha256)
    private var entryCount = 0
    private var byteCount: Int64 = 0

    /// Hexadecimal. Where there are too many bytes, the times of files stand in place of the rest, which are others on another machine;
    /// where there are too many files, it is another one in each process, so that leave holds for one run or session.
    static func hash(of ground: CommandGround) -> String {
        var all = AllFiles(ground)
        all.visit(ground.root)
        return all.digest.hash.hexadecimal
    }

    private init(_ ground: CommandGround) { self.ground = ground }

    private mutating func visit(_ root: String) {
        var rest = [(root, "")]
        while let (directory, name) = rest.popLast() {
            guard let entries = FileContents.names(in: directory) else {
                add(name, Self.ofThisProcess)
                continue
            }
            for entry in entries.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                entryCount += 1
                guard entryCount <= Self.mostEntries else { return add("more", Self.ofThisProcess) }
                let path = joined(directory, entry)
                // Git writes there with every command, and no script of the collection is in it.
                if name.isEmpty, entry == ".git" { continue }
                let inner = joined(name, entry)
                var status = stat()
                guard lstat(path, &status) == 0 else {
                    // The name isn't UTF-8, or it is too long, so the file can't be read by it.
                    add(inner, Self.ofThisProcess)
                    continue
                }
                switch status.st_mode & S_IFMT {
                case S_IFDIR: rest.append((path, inner))
                case S_IFLNK: CommandFiles.hash(of: path, on: ground).map { add(inner, $0) }
                case S_IFREG:
                    // Data that a command keeps beside it, such as a cache, changes with every run.
                    guard CommandWords.ending(of: entry).isEmpty || CommandFiles.isScript(path) else { continue }
                    byteCount =
                        byteCount.addingReportingOverflow(Int64(status.st_size)).overflow ? .max : byteCount + Int64(status.st_size)
                    let isMuch = byteCount > Self.mostBytes
                    let value =
                        isMuch ? FileIdentity(path, status).text : CommandFiles.hash(of: path, path, on: ground, isRun: true)
                    value.map { add(inner, $0) }
                default: break
                }
            }
        }
    }

    private mutating func add(_ name: String, _ value: String) { digest.update(Data("\(name.utf8.count) \(name) \(value)\n".utf8)) }

    private static let mostEntries = 200_000
    private static let mostBytes: Int64 = 1 << 30
    private static let ofThisProcess = "\(UInt64.random(in: 0 ... .max))"
}
