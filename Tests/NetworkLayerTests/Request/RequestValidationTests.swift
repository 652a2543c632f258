import FoundationEssentials
import HTTPTypes
import Testing

@testable import NetworkLayer

/// REQ-5, and section 8 of the design: nothing gets into a request that would split it.
@Suite struct RequestValidationTests {
    @Test(arguments: [
        "http://a.test/", "HTTPS://A.TEST", "http://127.0.0.1:8080/x?y#z", "http://[::1]/", "http://[::ffff:127.0.0.1]:80/",
        "http://a.test/?x[]=1", "http://a.test:65535/", "http://user:pass@a.test/",
        "http://bücher.test/", "http://under_score.test/",
    ])
    func `these can be requested`(url: String) throws {
        try Request.get(url).validate()
    }

    @Test(arguments: [
        "ftp://a.test/", "a.test/x", "/x", "http://", "http:///x", "mailto:a@b.test", "file:///etc/passwd", "http://a%20b/",
        "http://[not-a-host]/", "http://a.test:65536/",
        "http://a%0D%0Ab/",
    ])
    func `these can't: 102`(url: String) {
        let error = #expect(throws: NetworkError.self) { try Request.get(url).validate() }
        #expect(error?.code == .invalidURL)
        #expect(error?.phase == .preparation)
    }

    @Test func `a method is a token; HTTPTypes refuses to make others`() throws {
        for method in ["GET", "PROPFIND", "M-SEARCH", "x!#$%&'*+-.^_`|~9"] {
            let method = try #require(HTTPRequest.Method(method))
            try Request(url: URL(string: "http://a.test/")!, method: method).validate()
        }
        for method in ["", "G ET", "GET\r\n", "GÉT", "GET/"] { #expect(HTTPRequest.Method(method) == nil) }
    }

    @Test(arguments: ["a\r\nInjected: yes", "a\nb", "a\rb", "a\0b"])
    func `a field's value carries no line break and no NUL, however it was made`(value: String) throws {
        let name = try #require(HTTPField.Name("X-Test"))
        var strict = HTTPFields()
        strict[name] = value
        var lenient = HTTPFields()
        lenient.append(HTTPField(name: name, lenientValue: Array(value.utf8)))
        for headers in [strict, lenient] {
            let request = Request.get("http://a.test/", headers: headers)
            let sent = request.headers.map { field in field.withUnsafeBytesOfValue { Array($0) } }
            let isClean = sent.allSatisfy { !$0.contains(13) && !$0.contains(10) && !$0.contains(0) }
            #expect(isClean || request.validationError?.code == .invalidRequest)
        }
        #expect(HTTPField.Name("X-Te\r\nst") == nil)
    }
}
