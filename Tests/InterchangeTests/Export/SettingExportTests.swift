import Interchange
import RequestCollections
import SchemaTesting
import Testing

/// Nothing of how a request is sent is left out silently: whoever adds a row to the table finds it named here.
@Suite struct `Every setting in an export` {
    private static func collection(_ settings: String) -> RequestCollection {
        .of("turnstone: 1\ndefaults: { \(settings) }\nrequests: { a: { get: http://h/ } }")
    }

    /// Whether a sample of the setting makes another file, or another note, than no setting.
    private static func isSaid(_ field: SettingField, _ export: (RequestCollection) throws -> [String]) -> Bool {
        func texts(_ settings: String) -> [String] {
            do { return try export(collection(settings)) } catch { return ["\(error)"] }
        }
        return SettingSample.accepted.contains { $0.field == field && texts($0.line) != texts("") }
    }

    @Test(arguments: SettingField.all)
    func `is in the Locust file, or named there`(field: SettingField) {
        #expect(Self.isSaid(field) { [try LocustFile($0, requests: $0.requests, files: "/shop").text] })
    }

    @Test(arguments: SettingField.all)
    func `is in the command for curl, or named above it`(field: SettingField) {
        #expect(
            Self.isSaid(field) { collection in
                let export = try CurlExport(collection.requests[0], in: collection)
                return export.notes + [export.command]
            })
    }

    @Test(arguments: SettingField.all, RoundTripTests.Format.allCases)
    func `is in the file of another program, or named`(field: SettingField, format: RoundTripTests.Format) {
        #expect(
            Self.isSaid(field) { collection in
                let exported = try format.export(collection).0
                return exported.notes.map(\.text) + [exported.text]
            })
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
