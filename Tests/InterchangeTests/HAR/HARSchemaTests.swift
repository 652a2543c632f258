import RequestCollections
import SchemaTesting
import Testing

/// That the schema can say no: its figures are those of the specification, section "HAR Data Structure".
@Suite struct HARSchemaTests {
    private let validator: SchemaValidator
    private let everything: JSONValue

    init() throws {
        validator = try HARSchema.validator()
        everything = try #require(JSONParser.parse(HARSchema.everything))
    }

    @Test func `a file with every member is accepted`() {
        #expect(validator.accepts(everything))
    }

    @Test func `the members that the format demands can't be left out, and all others can`() {
        let demanded = everything.paths.filter { !validator.accepts(everything.with(nil, at: $0)) }
        let entry = "log.entries.0"
        #expect(
            Set(demanded)
                == Set([
                    "log", "log.version", "log.creator", "log.creator.name", "log.creator.version", "log.browser.name",
                    "log.browser.version", "log.entries",
                    "log.pages.0.startedDateTime", "log.pages.0.id", "log.pages.0.title", "log.pages.0.pageTimings",
                    "\(entry).startedDateTime", "\(entry).time", "\(entry).request", "\(entry).response", "\(entry).cache",
                    "\(entry).timings",
                    "\(entry).request.method", "\(entry).request.url", "\(entry).request.httpVersion", "\(entry).request.cookies",
                    "\(entry).request.headers", "\(entry).request.queryString", "\(entry).request.headersSize",
                    "\(entry).request.bodySize",
                    "\(entry).request.cookies.0.name", "\(entry).request.cookies.0.value",
                    "\(entry).request.headers.0.name", "\(entry).request.headers.0.value",
                    "\(entry).request.queryString.0.name", "\(entry).request.queryString.0.value",
                    "\(entry).request.postData.mimeType", "\(entry).request.postData.params",
                    "\(entry).request.postData.params.0.name",
                    "\(entry).response.status", "\(entry).response.statusText", "\(entry).response.httpVersion",
                    "\(entry).response.cookies", "\(entry).response.headers", "\(entry).response.content",
                    "\(entry).response.redirectURL", "\(entry).response.headersSize", "\(entry).response.bodySize",
                    "\(entry).response.cookies.0.name", "\(entry).response.cookies.0.value",
                    "\(entry).response.headers.0.name", "\(entry).response.headers.0.value",
                    "\(entry).response.content.size", "\(entry).response.content.mimeType",
                    "\(entry).cache.afterRequest.lastAccess", "\(entry).cache.afterRequest.eTag",
                    "\(entry).cache.afterRequest.hitCount",
                    "\(entry).timings.send", "\(entry).timings.wait", "\(entry).timings.receive",
                ]))
    }

    @Test func `a value of another type is refused, wherever it stands`() {
        let others: [JSONValue] = [.null, .boolean(true), .number("7"), .string("2009-04-16T12:07:25Z"), .array([]), .object([])]
        let mistaken = everything.paths.flatMap { path in
            others.filter { $0.type != everything.value(at: path)?.type && validator.accepts(everything.with($0, at: path)) }
                .map { "\($0.type) for \(path)" }
        }
        // Where the cache had nothing.
        #expect(mistaken == ["null for log.entries.0.cache.afterRequest"])
    }

    @Test(
        arguments: [
            ("log.version", #""1.3""#), ("log.settings", "1"), ("log.entries.0.request.settingEncodeUrl", "true"),
            ("log.entries.0.startedDateTime", #""2009-04-16""#), ("log.entries.0.startedDateTime", #""2009-04-16T12:07:23""#),
            ("log.entries.0.startedDateTime", #""2009-16-02T15:50:34Z""#),
            ("log.entries.0.startedDateTime", #""Thu, 16 Apr 2009 12:07:23 GMT""#),
            ("log.entries.0.response.cookies.0.expires", #""Sun, 06 Nov 1994 08:49:37 GMT""#),
            ("log.pages.0.startedDateTime", #""today""#), ("log.pages.0.pageTimings.onLoad", "-2"),
            ("log.entries.0.time", "-1"), ("log.entries.0.timings.send", "-1"), ("log.entries.0.timings.wait", "-1"),
            ("log.entries.0.timings.receive", "-1"), ("log.entries.0.timings.dns", "-2"), ("log.entries.0.timings.ssl", "-0.5"),
            ("log.entries.0.request.headersSize", "-2"), ("log.entries.0.response.bodySize", "1.5"),
            ("log.entries.0.response.content.size", "-1"), ("log.entries.0.response.status", "-1"),
            ("log.entries.0.request.url", #""/path/?a=1""#), ("log.entries.0.request.url", #""http://h.example/#top""#),
            ("log.entries.0.request.postData.text", #""a=1""#), ("log.entries.0.cache.afterRequest.hitCount", "-1"),
        ])
    func `a value that the format rules out is refused`(path: String, value: String) throws {
        let value = try #require(JSONParser.parse(value))
        #expect(!validator.accepts(everything.with(value, at: path)))
    }

    @Test(
        arguments: [
            ("log.pages", "[]"), ("log.entries", "[]"), ("log._settings", "1"), ("log.entries.0.timings._queued", "{}"),
            ("log.pages.0.pageTimings", "{}"), ("log.entries.0.cache", "{}"), ("log.entries.0.cache.afterRequest", "null"),
            ("log.entries.0.timings.blocked", "-1"), ("log.entries.0.timings.connect", "-1"),
            ("log.entries.0.request.headersSize", "-1"), ("log.entries.0.request.bodySize", "-1"),
            ("log.entries.0.response.headersSize", "-1"), ("log.entries.0.response.bodySize", "-1"),
            ("log.entries.0.response.status", "0"), ("log.entries.0.response.content.compression", "-8"),
            ("log.entries.0.request.postData.text", #""""#),
            ("log.entries.0.request.postData", #"{ "mimeType": "text/plain", "params": [], "text": "a" }"#),
            ("log.entries.0.startedDateTime", #""2009-07-24T19:20:30.45-03:30""#),
        ])
    func `a value that the format allows is accepted`(path: String, value: String) throws {
        let value = try #require(JSONParser.parse(value))
        #expect(validator.accepts(everything.with(value, at: path)))
    }
}
