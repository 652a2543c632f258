import FoundationEssentials
import HTTPTypes
import Testing

@testable import NetworkLayer

@Suite struct AWSSignerTests {
    private static let keys = AWSSignature(
        accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", region: "us-east-1", service: "service")
    /// 2015-08-30, 12:36:00 GMT.
    private static let date = Date(timeIntervalSince1970: 1_440_938_160)
    private static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let token =
        "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi"
        + "/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPk"
        + "UL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=="
    private static let unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    /// A case of Amazon's test suite for Signature Version 4: its request, and the signature that it publishes for it.
    struct Case: CustomTestStringConvertible {
        var name: String
        var method = "GET"
        /// As it stands in the suite's request line.
        var target = "/"
        var fields: [(String, String)] = []
        var body = ""
        var signedFields = "host;x-amz-date"
        var signature: String

        var testDescription: String { name }
    }
    static let suite: [Case] = [
        Case(
            name: "get-header-key-duplicate",
            fields: [("My-Header1", "value2"), ("My-Header1", "value2"), ("My-Header1", "value1")],
            signedFields: "host;my-header1;x-amz-date",
            signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
        Case(
            name: "get-header-value-multiline", fields: [("My-Header1", "value1\n  value2\n     value3")],
            signedFields: "host;my-header1;x-amz-date",
            signature: "cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd"),
        Case(
            name: "get-header-value-order",
            fields: [("My-Header1", "value4"), ("My-Header1", "value1"), ("My-Header1", "value3"), ("My-Header1", "value2")],
            signedFields: "host;my-header1;x-amz-date",
            signature: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"),
        Case(
            name: "get-header-value-trim", fields: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
            signedFields: "host;my-header1;my-header2;x-amz-date",
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        Case(
            name: "get-unreserved", target: "/\(unreserved)",
            signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        Case(name: "get-utf8", target: "/ሴ", signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
        Case(
            name: "get-vanilla-empty-query-key", target: "/?Param1=value1",
            signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
        Case(
            name: "get-vanilla-query-order-encoded", target: "/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
            signature: "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac"),
        Case(
            name: "get-vanilla-query-order-key-case", target: "/?Param2=value2&Param1=value1",
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        Case(
            name: "get-vanilla-query-order-key", target: "/?Param1=value2&Param1=Value1",
            signature: "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
        Case(
            name: "get-vanilla-query-order-value", target: "/?Param1=value2&Param1=value1",
            signature: "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"),
        Case(
            name: "get-vanilla-query-unreserved", target: "/?\(unreserved)=\(unreserved)",
            signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
        Case(name: "get-vanilla-query", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Case(
            name: "get-vanilla-utf8-query", target: "/?ሴ=bar",
            signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        Case(
            name: "get-vanilla-with-session-token",
            fields: [("X-Amz-Security-Token", "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267")],
            signedFields: "host;x-amz-date;x-amz-security-token",
            signature: "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8"),
        Case(name: "get-vanilla", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Case(
            name: "get-relative-relative", target: "/example1/example2/../..",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Case(
            name: "get-relative", target: "/example/..",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Case(
            name: "get-slash-dot-slash", target: "/./",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Case(
            name: "get-slash-pointless-dot", target: "/./example",
            signature: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"),
        Case(name: "get-slash", target: "//", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Case(
            name: "get-slashes", target: "//example//",
            signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
        Case(
            name: "get-space", target: "/example space/",
            signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
        Case(
            name: "get-special-character", target: "/example/$delete",
            signature: "a853c9b21b528b19643d00910d35b83a10c366a10833ceefb45edd6c80e40f27"),
        Case(
            name: "post-header-key-case", method: "POST",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Case(
            name: "post-header-key-sort", method: "POST", fields: [("My-Header1", "value1")],
            signedFields: "host;my-header1;x-amz-date",
            signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
        Case(
            name: "post-header-value-case", method: "POST", fields: [("My-Header1", "VALUE1")],
            signedFields: "host;my-header1;x-amz-date",
            signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"),
        Case(
            name: "post-sts-header-after", method: "POST",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Case(
            name: "post-sts-header-before", method: "POST", fields: [("X-Amz-Security-Token", token)],
            signedFields: "host;x-amz-date;x-amz-security-token",
            signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"),
        Case(
            name: "post-vanilla-empty-query-value", method: "POST", target: "/?Param1=value1",
            signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
        Case(
            name: "post-vanilla-query", method: "POST", target: "/?Param1=value1",
            signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
        Case(name: "post-vanilla", method: "POST", signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Case(
            name: "post-x-www-form-urlencoded-parameters", method: "POST",
            fields: [("Content-Type", "application/x-www-form-urlencoded; charset=utf8")], body: "Param1=value1",
            signedFields: "content-type;host;x-amz-date",
            signature: "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"),
        Case(
            name: "post-x-www-form-urlencoded", method: "POST", fields: [("Content-Type", "application/x-www-form-urlencoded")],
            body: "Param1=value1", signedFields: "content-type;host;x-amz-date",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
    ]

    @Test func `region and service come from the host that the request names, and an empty one is none`() throws {
        var request = Request.get("http://127.0.0.1:4566/key")
        request.headers[HTTPField.Name("Host")!] = "bucket.s3.eu-west-1.amazonaws.com"
        let keys = AWSSignature(accessKey: "A", secretKey: "s", region: "", service: "")
        let signer = try AWSSigner(keys, for: request, at: Self.date)
        #expect([signer.region, signer.service, signer.host] == ["eu-west-1", "s3", "bucket.s3.eu-west-1.amazonaws.com"])
    }

    @Test(arguments: suite)
    func `signs as Amazon's own test suite does`(row: Case) throws {
        // The suite's paths are those that a signer is given: nothing in them is encoded yet, as a URL's always are.
        var headers: HTTPFields = [Self.name("Host"): "example.amazonaws.com", Self.name("X-Amz-Date"): "20150830T123600Z"]
        for (name, value) in row.fields { headers.append(HTTPField(name: Self.name(name), value: value)) }
        let signer = try AWSSigner(Self.keys, for: Request(url: Self.url("https://example.amazonaws.com/")), at: Self.date)
        let authorization = signer.authorization(
            method: .init(row.method)!, target: row.target, headers: headers, payload: .hash(of: Data(row.body.utf8)))
        #expect(
            authorization
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=\(row.signedFields), Signature=\(row.signature)")
    }

    // MARK: S3, whose examples are those of its own reference ("Authenticating Requests: Using the Authorization Header")

    private static let storageKeys = AWSSignature(
        accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1")
    /// 2013-05-24, 00:00:00 GMT.
    private static let storageDate = Date(timeIntervalSince1970: 1_369_353_600)

    private func signed(
        _ url: String, method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: RequestBody = .none,
        payload: Data = Data(), _ keys: AWSSignature = storageKeys, at date: Date = storageDate
    ) throws -> Request {
        var request = Request(url: Self.url(url), method: method, headers: headers, body: body)
        let signer = try AWSSigner(keys, for: request, at: date)
        signer.sign(&request, payload: .hash(of: payload))
        return request
    }

    @Test func `S3 gets the hash of the body, also of none`() throws {
        let request = try signed("https://examplebucket.s3.amazonaws.com/test.txt", headers: [.range: "bytes=0-9"])
        #expect(
            request.headers == [
                .range: "bytes=0-9", Self.name("Host"): "examplebucket.s3.amazonaws.com",
                Self.name("X-Amz-Date"): "20130524T000000Z", Self.name("X-Amz-Content-Sha256"): Self.emptyHash,
                .authorization:
                    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                    + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
                    + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
            ])
    }

    @Test func `a name of an object is encoded once, however the URL writes it`() throws {
        let text = Data("Welcome to Amazon S3.".utf8)
        for path in ["/test$file.text", "/test%24file.text"] {
            let request = try signed(
                "https://examplebucket.s3.amazonaws.com\(path)", method: .put,
                headers: [
                    Self.name("Date"): "Fri, 24 May 2013 00:00:00 GMT", Self.name("x-amz-storage-class"): "REDUCED_REDUNDANCY",
                ],
                body: .data(text), payload: text)
            let signature = request.headers[.authorization]?.suffix(64)
            #expect(signature == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
        }
    }

    @Test(arguments: [
        ("?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ("?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ("?prefix=J&max-keys=2", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
    func `a query is signed with a value for every name`(query: String, signature: String) throws {
        let request = try signed("https://examplebucket.s3.amazonaws.com/\(query)")
        #expect(request.headers[.authorization]?.suffix(64) == signature[...])
    }

    @Test func `a presigned URL is the one of S3's reference`() throws {
        var keys = Self.storageKeys
        keys.expires = .seconds(86_400)
        let request = try signed("https://examplebucket.s3.amazonaws.com/test.txt#part", keys)
        #expect(
            request.url.absoluteString
                == "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z"
                + "&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404#part")
        #expect(request.headers == [Self.name("Host"): "examplebucket.s3.amazonaws.com"])
    }

    // MARK: What botocore 1.43.11 makes of the same

    @Test(arguments: [
        (
            "https://id.execute-api.us-east-1.amazonaws.com/a%20b/%E1%88%B4/c$d?x=1&a=2",
            "6c0a61e77eba9f1f28e05349bf2685c743a6f1e0beb818eb5d1dc6a21eed4dfc"
        ),
        ("https://b.s3.us-east-1.amazonaws.com/a%20b//../c", "423190b2085495ca5a2e8a337c7b4b2687c15c08097103bd698f90bdc6567cd2"),
    ])
    func `a path is encoded a second time, and S3's neither that nor made shorter`(url: String, signature: String) throws {
        var keys = Self.keys
        (keys.region, keys.service) = (nil, nil)
        let request = try signed(url, keys, at: Self.date)
        #expect(request.url.absoluteString == url, "what is sent stays as it was written")
        #expect(request.headers[.authorization]?.suffix(64) == signature[...])
    }

    @Test func `a token goes along, in the field and in the query`() throws {
        var keys = Self.keys
        (keys.region, keys.service, keys.sessionToken) = (nil, nil, "the/token=")
        let text = Data("hello".utf8)
        let field = try signed(
            "https://b.s3.us-east-1.amazonaws.com/a%20b", method: .put, headers: [.contentType: "text/plain"], body: .data(text),
            payload: text, keys, at: Self.date)
        #expect(field.headers[Self.name("X-Amz-Security-Token")] == "the/token=")
        #expect(field.headers[.authorization]?.suffix(64) == "5240effd5b089f8cd0fc55bbed46bc0c5c20a48b9da3dbdd6cb3bb4f00a1ad79")
        keys.expires = .seconds(900)
        let query = try signed("https://b.s3.us-east-1.amazonaws.com/a%20b?x=1", keys, at: Self.date)
        #expect(
            query.url.absoluteString
                == "https://b.s3.us-east-1.amazonaws.com/a%20b?x=1&X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIDEXAMPLE%2F20150830%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20150830T123600Z"
                + "&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Security-Token=the%2Ftoken%3D"
                + "&X-Amz-Signature=6ab2f5b6adfca2868b48390ac2f9382ada5580f23e5d2c88319b35816528a1ac")
    }

    // MARK: Others

    @Test func `the time is that of the request's own field, where it is one`() throws {
        let named = try signed(
            "https://example.amazonaws.com/", headers: [Self.name("X-Amz-Date"): "20150830T123600Z"], Self.keys,
            at: Self.storageDate)
        #expect(named.headers[.authorization]?.suffix(64) == "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
        let broken = try signed(
            "https://example.amazonaws.com/", headers: [Self.name("X-Amz-Date"): "today"], Self.keys, at: Self.date)
        #expect(broken.headers[Self.name("X-Amz-Date")] == "20150830T123600Z")
    }

    @Test func `fields that may change on the way are not signed`() throws {
        let request = try signed(
            "http://example.test:8080/",
            headers: [
                .userAgent: "me", .accept: "*/*", .acceptEncoding: "gzip", .connection: "close", .cookie: "a=1",
                .expect: "100-continue",
                .contentLength: "0", .contentType: "text/plain", .ifNoneMatch: "\"1\"",
            ], Self.keys, at: Self.date)
        #expect(request.headers[Self.name("Host")] == "example.test:8080")
        #expect(request.headers[.authorization]?.contains("SignedHeaders=content-type;host;if-none-match;x-amz-date,") == true)
    }

    @Test func `another provider names the algorithm, the fields and the scope`() throws {
        var keys = Self.keys
        keys.provider = "osc:goog"
        let request = try signed("https://example.test/", keys, at: Self.date)
        #expect(request.headers[Self.name("X-Goog-Date")] == "20150830T123600Z")
        #expect(
            request.headers[.authorization]?.hasPrefix(
                "OSC4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/osc4_request, SignedHeaders=host;x-goog-date,")
                == true)
    }

    @Test func `what is missing is named, with the way out`() {
        func message(_ url: String, region: String? = nil, service: String? = nil, expires: Duration? = nil) -> String? {
            let keys = AWSSignature(accessKey: "a", secretKey: "b", region: region, service: service, expires: expires)
            do throws(NetworkError) {
                _ = try AWSSigner(keys, for: Request(url: Self.url(url)), at: Self.date)
                return nil
            } catch {
                return error.message
            }
        }
        #expect(
            message("http://127.0.0.1:9000/")
                == "The signature needs a region and a service, and the host 127.0.0.1 names none: name them.")
        #expect(
            message("http://127.0.0.1:9000/", service: "s3")
                == "The signature needs a region, and the host 127.0.0.1 names none: name it.")
        #expect(message("http://127.0.0.1:9000/", region: "eu-west-1", service: "s3") == nil)
        #expect(
            message("http://h.test/", region: "r", service: "s", expires: .seconds(700_000))
                == "A signature in the query holds for 1 s to 7 days; give it a time between them.")
    }

    private static func name(_ text: String) -> HTTPField.Name { .init(text)! }
    private static func url(_ text: String) -> URL { URL(string: text)! }
}
