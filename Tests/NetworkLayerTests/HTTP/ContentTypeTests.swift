import NetworkLayer
import Testing

@Suite struct ContentTypeTests {
    @Test(arguments: [
        (ContentType.jpeg, "image/jpeg", false), (.quickTime, "video/quicktime", false), (.json, "application/json", true),
        (.plainText, "text/plain", true), (.multipartFormData, "multipart/form-data", false),
        (.octetStream, "application/octet-stream", false), (.urlEncodedForm, "application/x-www-form-urlencoded", true),
        (.thriftBinary, "application/vnd.apache.thrift.binary", false),
    ])
    func `REQ-10 the constants, and which of them are text`(type: ContentType, value: String, isTextual: Bool) {
        #expect(type.rawValue == value)
        #expect(type.isTextual == isTextual)
    }

    @Test(
        arguments: [
            ("TEXT/HTML", true), ("text/plain; charset=UTF-8", true), ("text/plain;charset=\"us-ascii\"", true),
            ("text/plain; charset=ascii", true), ("text/plain; charset=", true), ("text/plain; charset=iso-8859-1", false),
            ("text/plain; format=flowed", true),
            ("application/json; charset=utf-16", false), ("application/problem+json", true), ("application/xml", true),
            ("application/atom+xml", true), ("application/soap+xml; charset=utf-8", true), ("image/svg+xml", true),
            ("application/xml-dtd", false), ("textual/plain", false), ("application/jsonx", false), ("", false),
        ] as [(ContentType, Bool)])
    func `REQ-10 a body is text by its type and charset`(type: ContentType, isTextual: Bool) {
        #expect(type.isTextual == isTextual)
    }

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
