import Base
import Foundation
import Testing

@testable import Explorer

@Suite struct NewFileTests {
    @Test func `a large one tells how far it is, and nothing is written over`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("body.bin")
        let contents = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var told: [Int] = []
        // Also of a part of something larger.
        try NewFile.write((Data([1, 2, 3]) + contents).dropFirst(3), to: path) { told.append($0) }
        #expect(told == [1 << 20, 2 << 20, 3_000_000])
        #expect(FileManager.default.contents(atPath: path) == contents)
        #expect(throws: SystemCallError.exists) { try NewFile.write(Data("x".utf8), to: path) }
        #expect(FileManager.default.contents(atPath: path) == contents)
    }

    @Test func `what can't be written has its reason`() throws {
        #expect(throws: SystemCallError(ENOENT)) { try NewFile.write(Data("x".utf8), to: "/nowhere/at/all") }
    }

    @Test func `a name that is taken gets a number`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("list.hgrm")
        #expect(NewFile.freeName(like: path) == path)
        try NewFile.write(Data(), to: path)
        #expect(NewFile.freeName(like: path) == folder.path("list-2.hgrm"))
        try NewFile.write(Data(), to: folder.path("list-2.hgrm"))
        #expect(NewFile.freeName(like: path) == folder.path("list-3.hgrm"))
    }

    @Test func `nothing is a file, too`() throws {
        let folder = try TemporaryFolder()
        try NewFile.write(Data(), to: folder.path("empty"))
        #expect(FileManager.default.contents(atPath: folder.path("empty")) == Data())
    }
}
