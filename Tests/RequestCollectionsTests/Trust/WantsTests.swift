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
}
