import OrderedCollections
import RequestCollections
import Testing

@testable import Explorer

/// What the line below a URL shows while one types.
@Suite struct TemplatePreviewTests {
    @Test func `a request sees its own variables and its folders', the nearest first, and no other one does`() {
        func variables(_ values: [(String, VariableDefinition.Value)]) -> [VariableDefinition] {
            values.map { VariableDefinition(name: $0.0, value: $0.1, location: .none) }
        }
        var collection = RequestCollection(path: "shop.yaml", name: "Shop")
        collection.variables = variables([("host", .text("http://h")), ("size", .json("10"))])
        collection.environments["slow"] = EnvironmentDefinition(
            name: "slow", variables: variables([("size", .json("100"))]), location: .none)
        var own = RequestDefinition(id: RequestID(rawValue: "f/own"), method: "GET", url: "", location: .none)
        own.variables = variables([("size", .json("1000")), ("key", .secret(.environment("KEY")))])
        let inner = RequestDefinition(id: RequestID(rawValue: "f/inner"), method: "GET", url: "", location: .none)
        let outer = RequestDefinition(id: RequestID(rawValue: "outer"), method: "GET", url: "", location: .none)
        var folder = RequestCollection.Folder(
            id: RequestID(rawValue: "f"), nodes: [.request(own), .request(inner)], location: .none)
        folder.variables = variables([("list", .text("orders?size={{size}}"))])
        collection.nodes = [.folder(folder), .request(outer)]
        func text(_ request: RequestDefinition, given: [String: String] = [:]) -> String {
            TemplatePreview(collection, environment: "slow", of: request, given: given)
                .resolvedParts(of: "{{host}}/{{list}}").map(\.text).joined()
        }
        #expect(text(own) == "http://h/orders?size=1000")
        #expect(text(inner) == "http://h/orders?size=100")
        #expect(text(outer) == "http://h/{{list}}")
        #expect(text(own, given: ["size": "7"]) == "http://h/orders?size=7")
        #expect(TemplatePreview(collection, environment: nil, of: own).isSecret("key"))
        #expect(!TemplatePreview(collection, environment: nil, of: inner).isSecret("key"))
    }
}
