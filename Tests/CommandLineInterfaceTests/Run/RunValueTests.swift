import CollectionRunner
import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import ServerTesting
import TerminalUI
import Testing

@testable import CommandLineInterface

@Suite struct RunValueTests {
    private func collection() throws -> (TemporaryDirectory, RequestCollection) {
        let (directory, path) = try ShopFile.make(RunBench.text)
        return (directory, try RequestCollection.load(path: path))
    }

    private func ids(_ plan: RunPlan) -> [String] { plan.nodes.filter(\.isSelected).map(\.id.rawValue) }

    @Test func `a plan is in the file's order, however often it is repeated`() throws {
        let (directory, collection) = try collection()
        defer { withExtendedLifetime(directory) {} }
        let selection = RequestSelection(names: ["wrong", "login"])
        #expect(ids(RunPlan([collection], selection)) == ["login", "wrong"])
        #expect(ids(RunPlan([collection], selection, repeats: 2)) == ["login", "wrong", "login", "wrong"])
    }

    @Test(arguments: 1...7)
    func `shards are all of it, and nothing twice`(count: Int) throws {
        let (directory, collection) = try collection()
        defer { withExtendedLifetime(directory) {} }
        let all = ids(RunPlan([collection], RequestSelection()))
        let parts = (1...count).map { ids(RunPlan([collection], RequestSelection(), shard: Shard(number: $0, count: count))) }
        #expect(parts.flatMap { $0 }.sorted() == all.sorted())
        #expect(parts.map(\.count).max()! - parts.map(\.count).min()! <= 1)
    }

    @Test(arguments: ["1/1", "2/4", "4/4"])
    func `a shard is a part of a number`(text: String) {
        #expect(Shard(argument: text) != nil)
    }

    @Test(arguments: ["", "1", "0/2", "3/2", "a/b", "1/0", "-1/2", "1/2/3"])
    func `anything else is none`(text: String) {
        #expect(Shard(argument: text) == nil)
    }
}
