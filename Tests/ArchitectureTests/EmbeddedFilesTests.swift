import Foundation
import Testing

@Suite struct EmbeddedFilesTests {
    @Test func `the program carries the demo collection and the themes as they stand here`() throws {
        let root = DocumentationLinksTests.root
        var expected = Data()
        let paths = try ["Collections/demo", "Themes"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path()).map { "\(folder)/\($0)" }
        }
        for path in paths.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: root.appending(path: path).path(), isDirectory: &isDirectory)
            guard !isDirectory.boolValue else { continue }
            let bytes = try Data(contentsOf: root.appending(path: path))
            expected += Data("=== \(bytes.count) \(path)\n".utf8) + bytes
        }
        let packed = try Data(contentsOf: root.appending(path: "Sources/turnstone/Resources/share.pack"))
        #expect(packed == expected, "`make embedded` packs them")
    }
}
