import Interchange
import RequestCollections
import SchemaTesting
import Testing

/// Nothing of how a request is sent is left out silently: whoever adds a row to the table finds it named here.
@Suite struct `Every setting in an export` {
    private static func collection(_ settings: String) -> RequestCollection {
        .of("turnstone: 1\ndefaults: { \(settings) }\nrequests: { a: { get: http://h/ } }")
    }

    private static func samples(of field: SettingField) -> [RequestCollection] {
        SettingSample.accepted.filter { $0.field == field }.map { collection($0.line) }
    }

    @Test(arguments: SettingField.all)
    func `is in the Locust file, or named there`(field: SettingField) throws {
        func text(_ collection: RequestCollection) throws -> String {
            do {
                return try LocustFile(collection, requests: collection.requests, files: "/shop").text
            } catch {
                return "\(error)"
            }
        }
        let standard = try text(Self.collection(""))
        #expect(try Self.samples(of: field).contains { try text($0) != standard })
    }

    @Test(arguments: SettingField.all)
    func `is in the command for curl, or named above it`(field: SettingField) throws {
        func text(_ collection: RequestCollection) throws -> [String] {
            let export = try CurlExport(try #require(collection.requests.first), in: collection)
            return export.notes + [export.command]
        }
        let standard = try text(Self.collection(""))
        #expect(try Self.samples(of: field).contains { try text($0) != standard })
    }

    @Test(arguments: SettingField.all, RoundTripTests.Format.allCases)
    func `is in the file of another program, or named`(field: SettingField, format: RoundTripTests.Format) throws {
        func text(_ collection: RequestCollection) throws -> [String] {
            let exported = try format.export(collection).0
            return exported.notes.map(\.text) + [exported.text]
        }
        let standard = try text(Self.collection(""))
        #expect(try Self.samples(of: field).contains { try text($0) != standard })
    }

    @Test func `what Locust and curl aren't told is named by its key`() throws {
        let collection = Self.collection(
            "priority: high, response: { limit: 1KB, hash: md5 }, cookie-jar: a, timeouts: { idle: 1s }")
        let curl = try CurlExport(try #require(collection.requests.first), in: collection)
        #expect(
            curl.notes == ["curl isn't told of `timeouts.idle`, `cookie-jar`, `response.limit`, `response.hash`, `priority`"])
        #expect(
            try LocustFile(collection, requests: collection.requests, files: "/shop").notes.map(\.text) == [
                "`cookie-jar` doesn't hold", "`response.limit` doesn't hold", "`response.hash` doesn't hold",
                "`priority` doesn't hold",
            ])
    }
}
