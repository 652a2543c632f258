import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite(.enabled(if: geteuid() == 0, "only the superuser can give a file to somebody else"))
struct CollectionChoiceTests {
    private func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/Collections", withIntermediateDirectories: true)
        try Data("turnstone: 1\nrequests:\n  hello:\n    get: http://127.0.0.1:9/\n".utf8).write(
            to: URL(filePath: "\(folder.path)/Collections/shop.yaml"))
        #expect(chown("\(folder.path)/Collections", 1_234_567, 1_234_567) == 0)
        #expect(chown("\(folder.path)/Collections/shop.yaml", 1_234_567, 1_234_567) == 0)
        return folder
    }

    @Test func `what belongs to somebody else is only opened when it is named`() throws {
        let folder = try folder()
        #expect(
            throws: CommandFailure(
                status: .usage,
                message:
                    "There is no collection of yours here. \(folder.path)/Collections belongs to the user 1234567, so it is only "
                    + "opened when it is named: turnstone run \(folder.path)/Collections")
        ) { try CollectionChoice([], environment: [:], directory: folder.path) }
    }

    @Test func `a path that is named only warns`() async throws {
        let folder = try folder()
        let run = await CommandLineRun.run(["list", "\(folder.path)/Collections"])
        #expect(run.status == .success)
        #expect(run.output.contains("hello"))
        #expect(run.errors == "turnstone: \(folder.path)/Collections/shop.yaml belongs to the user 1234567\n")
    }
}

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

@Suite struct UnreadableCollectionTests {
    private func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.file("Collections"), withIntermediateDirectories: true)
        try folder.write("Collections/good.yaml", "turnstone: 1\nrequests: { a: { get: 'https://shop.test', mock: {} } }\n")
        try FileManager.default.createSymbolicLink(atPath: folder.file("Collections/gone.yaml"), withDestinationPath: "nowhere")
        return folder
    }

    /// As a file does that isn't YAML.
    @Test(arguments: [["list"], ["check"], ["run", "--mocks"]])
    func `one that can't be read hides no others, and fails the command`(words: [String]) async throws {
        let folder = try folder()
        let run = await CommandLineRun.run([words[0], folder.file("Collections")] + words.dropFirst())
        #expect(run.status == .usage, "\(run.errors)")
        let output = run.output + run.errors
        #expect(output.contains("gone.yaml:1:1: ") && output.contains("can't be read: no such file or directory"), "\(output)")
        #expect(output.contains(words[0] == "check" ? "1 request" : words[0] == "list" ? "a  GET" : "1 passed"), "\(output)")
    }

    @Test func `one that was named ends the command`() async throws {
        let folder = try folder()
        #expect(mkfifo(folder.file("Collections/pipe.yaml"), 0o600) == 0)
        let run = await CommandLineRun.run(["list", folder.file("Collections/good.yaml"), folder.file("Collections/pipe.yaml")])
        #expect(run.status == .file)
        #expect(run.errors == "turnstone: \(folder.file("Collections/pipe.yaml")) is not a file\n")
    }
}

@Suite struct ListTests {
    @Test func `the tree has folders, methods, URLs and tags`() async throws {
        let (directory, path) = try ShopFile.make()
        let run = await CommandLineRun.run(["list", path])
        #expect(
            run.output == """
                Shop  \(path)  [local, staging]
                  login     POST  {{host}}/login #auth #smoke
                  orders/
                    create  POST  {{host}}/orders #smoke
                    list    GET   {{host}}/orders

                """)
        #expect(run.errors == "")
        #expect(run.status == .success)
        withExtendedLifetime(directory) {}
    }

    @Test(arguments: [
        (["orders"], ["orders/create", "orders/list"]), (["create"], ["orders/create"]), (["*/l*"], ["orders/list"]),
        (["--tag", "smoke"], ["login", "orders/create"]), (["orders", "--tag", "smoke"], ["orders/create"]),
        ([], ["login", "orders/create", "orders/list"]),
    ])
    func `names, folders, patterns and tags choose`(words: [String], names: [String]) async throws {
        let (directory, path) = try ShopFile.make()
        let run = await CommandLineRun.run(["list", "--names", path] + words)
        #expect(run.output == names.map { $0 + "\n" }.joined())
        withExtendedLifetime(directory) {}
    }

    @Test func `--json has every request with its place`() async throws {
        struct Listed: Decodable {
            var environments: [String]
            var requests: [Request]
            struct Request: Decodable {
                var id, method, url, path: String
                var tags: [String]
                var line: Int
            }
        }
        let (directory, path) = try ShopFile.make()
        let run = await CommandLineRun.run(["list", path, "--json", "create"])
        let listed = try JSONDecoder().decode([Listed].self, from: Data(run.output.utf8))
        #expect(listed.map(\.environments) == [["local", "staging"]])
        let request = try #require(listed.first?.requests.first)
        #expect(request.id == "orders/create")
        #expect(request.url == "{{host}}/orders")
        #expect(request.line == 20)
        #expect(request.path == path)
        withExtendedLifetime(directory) {}
    }

    @Test func `a name and a tag that aren't there are named, with the nearest`() async throws {
        let (directory, path) = try ShopFile.make()
        let name = await CommandLineRun.run(["list", path, "logn"])
        #expect(name.status == .usage)
        #expect(
            name.errors
                == "turnstone: There is no request logn in \(path). Did you mean login? `turnstone list` shows all of them.\n")
        let tag = await CommandLineRun.run(["list", path, "--tag", "smok"])
        #expect(tag.errors == "turnstone: There is no tag smok. There are auth, smoke.\n")
        withExtendedLifetime(directory) {}
    }

    @Test func `a broken part is told of, and hides nothing else`() async throws {
        let (directory, path) = try ShopFile.make("turnstone: 1\nrequests:\n  a: { get: http://h/ }\n  b: { gett: http://h/ }")
        let run = await CommandLineRun.run(["list", path])
        #expect(run.status == .usage)
        #expect(run.output.contains("  a  GET"))
        #expect(run.errors.hasPrefix("turnstone: \(path):4:"))
        #expect(run.errors.contains("gett"))
        withExtendedLifetime(directory) {}
    }
}
