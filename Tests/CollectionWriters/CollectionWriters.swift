import Foundation
import RequestCollections

/// A program that saves edits of one collection, as an explorer does, for tests that let many of them run at once.
///
///     collection-writers edit shop.yaml REQUEST HEADER COUNT    sets HEADER of REQUEST to 1 to COUNT, one edit after another
/// It prints what it has written, a line each, once it is there; a conflict or failure is printed, and then gives way.
@main enum CollectionWriters {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first ?? "" {
        case "edit":
            try edit(arguments[1], RequestID(rawValue: arguments[2]), arguments[3], count: Int(arguments[4]) ?? 1)
        default:
            FileHandle.standardError.write(Data("collection-writers edit FILE …\n".utf8))
            exit(2)
        }
    }

    /// To be read at once.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private static func edit(_ path: String, _ id: RequestID, _ header: String, count: Int) throws {
        let store = CollectionStore()
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
}
