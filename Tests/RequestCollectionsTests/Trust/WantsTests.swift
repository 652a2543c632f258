import NetworkLayer
import RequestCollections
import Testing

@Suite struct WantsTests {
    /// `trust` and the explorer ended by SIGSEGV, and before that, finding circles took minutes.
    @Test(.timeLimit(.minutes(1))) func `a want at the end of a long row of needs is found`() {
        let row = (0..<3000).map { "  r\($0): { get: http://h/, needs: r\($0 + 1) }" }
        let text = (row + [#"  r3000: { get: 'http://h/{{env("NAME")}}' }"#]).joined(separator: "\n")
        let collection = RequestCollection.requests(text)
        #expect(collection.problems == [])
        #expect(collection.wants(of: Array(collection.requests.prefix(1)), environment: nil).map { "\($0.want.kind)" } == ["env"])
    }

    @Test(arguments: [["a", "b"], ["b", "a"]])
    func `what a draft wants is its own, though another one needs what is in the file`(order: [String]) {
        let collection = RequestCollection.requests("  a: { get: http://h/ }\n  b: { get: http://h/, needs: a }")
        #expect(collection.problems == [])
        let drafts = order.compactMap { name in
            var request = collection.requests.first { $0.id.rawValue == name }
            if name == "a" { request?.url = #"http://h/{{env("NAME")}}"# }
            return request.map { Shared(wrappedValue: $0) }
        }
        let wants = collection.wantsByRequest(drafts, environment: nil)
        #expect(wants.map { "\($0.key) \($0.value.map { "\($0.want.kind)" })" } == ["a [\"env\"]"])
    }
}
