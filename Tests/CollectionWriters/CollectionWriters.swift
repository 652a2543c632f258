import Foundation
import RequestCollections

/// A program that saves edits of one collection, as an explorer does, for tests that let many of them run at once.
///
///     collection-writers edit shop.yaml REQUEST HEADER COUNT    sets HEADER of REQUEST to 1 to COUNT, one edit after another
///     collection-writers replace shop.yaml COUNT                writes the whole file as an editor does, without a lock, COUNT times
///
/// Both print what they have written, a line each, once it is there; a conflict or failure is printed, and then gives way.
@main enum CollectionWriters {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first ?? "" {
        case "edit":
            try edit(arguments[1], RequestID(rawValue: arguments[2]), arguments[3], count: Int(arguments[4]) ?? 1)
        case "replace":
            try replace(arguments[1], count: Int(arguments[2]) ?? 1)
        default:
            FileHandle.standardError.write(Data("collection-writers edit|replace FILE …\n".utf8))
            exit(2)
        }
    }

    /// To be read at once.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private static func edit(_ path: String, _ id: RequestID, _ header: String, count: Int) throws {
        let store = CollectionStore(stateDirectory: nil)
        var known = try RequestCollection.load(path: path)
        for number in 1...count {
            // Each key is written by one process: it knows what stands there without looking.
            var base = known.request(id)
            while let before = base {
                var edited = before
                edited.headers.removeAll { $0.name == header }
                edited.headers.append(.init(name: header, value: "\(number)"))
                do {
                    let result = try store.save([RequestEdit(from: before, to: edited)], in: known)
                    known = result.collection
                    if !result.saved.isEmpty {
                        say("saved \(number)")
                        break
                    }
                    say(result.conflicts.isEmpty ? "failed \(number): \(result.failures)" : "conflict \(number)")
                    break
                } catch {
                    say("waited \(number): \(error)")
                }
                base = known.request(id)
            }
        }
    }

    /// Notes a line at the end of the file, and puts the new file in the place of the old one if nobody has touched that one.
    private static func replace(_ path: String, count: Int) throws {
        for number in 1...count {
            let before = try String(contentsOfFile: path, encoding: .utf8)
            let other = "\(path).editor"
            try (before + "# theirs \(number)\n").write(toFile: other, atomically: false, encoding: .utf8)
            // What lies between looking and renaming is what an editor can lose; here it is as short as it gets.
            guard try String(contentsOfFile: path, encoding: .utf8) == before else {
                say("missed \(number)")
                continue
            }
            guard rename(other, path) == 0 else { continue }
            say("saved \(number)")
        }
    }
}
