import Foundation
import OrderedCollections

@testable import Interchange
@testable import Presentation
@testable import RequestCollections

extension FuzzTarget {
    /// A collection's file: read, and each of its requests resolved, explained and exported, without anything outside.
    static func readCollection(_ bytes: [UInt8]) throws {
        let collection = RequestCollection.load(path: "fuzz.yaml", bytes: bytes)
        for environment in [nil] + collection.environments.keys.prefix(2).map(Optional.some) {
            for request in collection.requests.prefix(8) {
                _ = try? collection.resolve(request, environment: environment, with: nothingOutside(.show))
                _ = try? collection.resolve(request, environment: environment, with: nothingOutside(.fill))
                _ = try? collection.explain(request, environment: environment)
                _ = try? CurlExport(request, in: collection, environment: environment)
            }
        }
        _ = try? LocustFile(collection, requests: collection.requests, files: "/nowhere")
        let requests = collection.requests
        if let hurl = try? HurlExport(collection, requests: requests) { _ = try? readAgain(hurl.result.text, "fuzz.hurl", .hurl) }
        for dialect in HTTPFileExport.Dialect.allCases {
            if let http = try? HTTPFileExport(collection, requests: requests, dialect: dialect) {
                _ = try? readAgain(http.result.text, "fuzz.http", .http)
            }
        }
        if collection.folders.count < 20, let bundle = try? OpenCollectionExport(collection, requests: requests),
            bundle.result.requestCount > 0
        {
            do {
                try readAgain(bundle.result.text, "fuzz.yml", .bruno)
            } catch {
                throw BrokenRule("what was exported for Bruno can't be read: \(error)")
            }
        }
        guard collection.problems.isEmpty else { return }
        try saveAgain(collection, bytes)
    }

    private static func readAgain(_ text: String, _ path: String, _ kind: ImportKind) throws {
        _ = try kind.read(ImportSource(path: path, text: text))
    }

    /// Another address for the first request, and back: the file is then what it was.
    private static func saveAgain(_ collection: RequestCollection, _ bytes: [UInt8]) throws {
        guard let stored = collection.requests.first, stored.problems.isEmpty else { return }
        var draft = stored
        draft.url = "http://fuzz.example/changed"
        // What can't be saved says so.
        guard draft.url != stored.url, let change = try? collection.change(to: draft, from: stored, in: bytes),
            let after = change.files.first?.after, let changed = change.collection.request(stored.id)
        else { return }
        let again = RequestCollection.load(path: "fuzz.yaml", bytes: after)
        try require(again.problems.isEmpty, "a saved collection has problems: \(again.problems)")
        try require(again.request(stored.id)?.url == draft.url, "what was saved isn't there")
        _ = changed
    }

    /// Nothing is trusted, so that no file is read.
    private static func nothingOutside(_ mode: TemplateEnvironment.Mode) -> TemplateEnvironment {
        TemplateEnvironment(
            processEnvironment: ["HOME": "/nowhere", "TOKEN": "t0ken"], now: Date(timeIntervalSince1970: 1_700_000_000), seed: 1,
            mode: mode)
    }

    /// Another program's file: whatever could be read can also be written, and is then what it was.
    static func importCollection(_ bytes: [UInt8], as kind: ImportKind) throws {
        let isYAML = [.openapi, .insomnia].contains(kind) && bytes.first != UInt8(ascii: "{")
        // Bruno's own language begins with a block, and its YAML with one of these keys.
        let isOpenCollection = kind == .bruno && ["info:", "opencollection:"].contains { bytes.starts(with: $0.utf8) }
        let ending = kind == .http ? "http" : isYAML || isOpenCollection ? "yml" : kind == .bruno ? "bru" : "json"
        let source = ImportSource(path: "fuzz.\(ending)", bytes: bytes)
        _ = try? ImportKind.detect(source)
        guard let imported = try? kind.read(source) else { return }
        for keepsSecrets in [false, true] {
            var options = ImportOptions(path: "imported.yaml")
            options.keepsSecrets = keepsSecrets
            guard let assembled = try? imported.assembled(options) else { continue }
            do {
                let text = try assembled.collection.text()
                try saveAgain(RequestCollection.load(path: "imported.yaml", bytes: Array(text.utf8)), Array(text.utf8))
            } catch let problem as CollectionProblem {
                throw BrokenRule("what was imported can't be written: \(problem)")
            }
        }
    }

    static func readTheme(_ bytes: [UInt8]) {
        _ = ThemeFile(String(decoding: bytes, as: UTF8.self), path: "fuzz.yaml")
    }

    /// The text as a template, in a collection that has something to fill in.
    static func fillTemplate(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? Template(text)
        var collection = RequestCollection.load(
            path: "fuzz.yaml",
            bytes: Array(
                """
                turnstone: 1
                variables: { host: "http://h.example", name: "Ada L", key: { secret: { env: TOKEN } }, list: [1, { a: b }] }
                requests: { one: { get: "{{host}}" } }
                """.utf8))
        guard var request = collection.requests.first else { throw BrokenRule("the collection of the template can't be read") }
        request.url = "http://h.example/" + text
        request.body = .text(text)
        for mode in [TemplateEnvironment.Mode.fill, .show] {
            _ = try? collection.resolve(request, environment: nil, with: nothingOutside(mode))
        }
        _ = try? CurlExport(request, in: collection)
        collection.problems = []
    }

    /// The first line is the filter, the rest the body.
    static func filterBody(_ bytes: [UInt8]) throws {
        let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
        let filter = JSONFilter(String(decoding: bytes[..<end], as: UTF8.self))
        let body = Data(bytes[min(end + 1, bytes.count)...])
        var found: [String] = []
        let wasFound: Void? = try? filter.find(in: body) { found.append(String(decoding: $0, as: UTF8.self)) }
        guard wasFound != nil, let values = try? filter.values(in: body) else { return }
        try require(values.count == found.count, "\(found.count) texts and \(values.count) values were found")
    }

    /// The first line is the steps, between commas, the rest what they are done to.
    static func takeSteps(_ bytes: [UInt8]) throws {
        let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
        let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: ",")
        guard let steps = try? words.map({ try ValueStep(String($0)) }) else { return }
        try require(try steps.map(\.description).map(ValueStep.init) == steps, "a step is another one when it is read again")
        let value = Data(bytes[min(end + 1, bytes.count)...])
        var context = MatchContext()
        _ = try? steps.applied(to: .bytes(value), &context)
        _ = try? steps.applied(to: .json(.string(String(decoding: value, as: UTF8.self))), &context)
    }
}
