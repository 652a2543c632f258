import NetworkLayer
import Testing

@Suite struct ContentTypeTests {
    @Test func `REQ-10 parameters are found in any case, and unquoted`() {
        let type: ContentType = "Multipart/Form-Data; x=\"a;b\\\"c\" ; Boundary = abc ;boundary=second"
        #expect(type.essence == "multipart/form-data")
        #expect(type["X"] == "a;b\"c")
        #expect(type["boundary"] == "abc")
        #expect(type.charset == nil)
        // With accents behind what parts them.
        let other: ContentType = "text/html;\u{301}=x;charset=\"utf-8\"; name=\u{301}x"
        #expect(other.essence == "text/html")
        #expect(other.charset == "utf-8")
        #expect(other["name"] == "\u{301}x")
    }
}
