import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

/// What is said where no collection is found.
@Suite struct CollectionAbsenceTests {
    @Test func `a file whose name keeps it from being the collection is named`() throws {
        let folder = try TemporaryDirectory()
        let collections = "\(folder.path)/Collections"
        try FileManager.default.createDirectory(atPath: collections, withIntermediateDirectories: true)
        try Data("turnstone: 1\n".utf8).write(to: URL(filePath: "\(collections)/shop.v2.yaml"))
        let reason =
            "\(collections)/shop.v2.yaml:1:1: this file isn't read as a collection, since there is another dot in its name; rename "
            + "it, such as to `shop-v2.yaml`"
        for (words, place) in [([], "here"), ([collections], "in \(collections)")] {
            #expect(throws: CommandFailure(status: .usage, message: "There is no collection \(place). \(reason)")) {
                try CollectionChoice(words, environment: [:], directory: folder.path)
            }
        }
    }
}
