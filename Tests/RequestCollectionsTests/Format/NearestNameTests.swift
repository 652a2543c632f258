import Testing

@testable import RequestCollections

@Suite struct NearestNameTests {
    @Test(
        arguments: [
            ("heders", "headers"), ("HEADERS", "headers"), ("haeders", "headers"), ("bodyy", "body"), ("boyd", "body"), ("x", nil),
            ("tls2", "tls"),
            ("something", nil),
        ] as [(String, String?)])
    func `the nearest name is the one with the fewest changed letters`(name: String, nearest: String?) {
        #expect(nearestName(to: name, in: ["headers", "body", "tls", "query"]) == nearest)
    }
}
