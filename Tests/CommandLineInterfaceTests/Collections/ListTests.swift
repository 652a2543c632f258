import Foundation
import Testing

@testable import CommandLineInterface

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
