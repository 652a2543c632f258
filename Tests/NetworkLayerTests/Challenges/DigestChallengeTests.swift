import FoundationEssentials
import HTTPTypes
import Testing

@testable import NetworkLayer

@Suite struct DigestChallengeTests {
    static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    static let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
    static let mufasa = Credential(user: "Mufasa", password: "Circle of Life")

    private func challenge(_ more: [String: String]) throws -> DigestChallenge {
        let parameters = ["realm": "http-auth@example.org", "nonce": Self.nonce, "opaque": Self.opaque]
        return try #require(DigestChallenge(parameters.merging(more) { $1 }))
    }

    /// The answer's parameters, without quotes.
    private func parameters(of answer: String) -> [String: String] { AuthenticateField.parse([answer]).first?.parameters ?? [:] }

    @Test(
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ])
    func `CHL-1 the answers are those of RFC 7616, section 3_9_1`(algorithm: String, response: String) throws {
        let challenge = try challenge(["algorithm": algorithm, "qop": "auth, auth-int"])
        #expect(
            challenge.answer(Self.mufasa, method: .get, target: "/dir/index.html", clientNonce: Self.clientNonce)
                == "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", nonce=\"\(Self.nonce)\", "
                + "uri=\"/dir/index.html\", response=\"\(response)\", algorithm=\(algorithm), opaque=\"\(Self.opaque)\", "
                + "qop=auth, nc=00000001, cnonce=\"\(Self.clientNonce)\"")
    }

    /// RFC 7616 itself shows what the first half of a SHA-512 makes; erratum 4897 has what SHA-512/256 does.
    @Test func `CHL-1 SHA-512-256, a name beyond ASCII and its hash: RFC 7616, section 3_9_2, with erratum 4897`() throws {
        let challenge = try #require(
            DigestChallenge([
                "realm": "api@example.org", "qop": "auth", "algorithm": "SHA-512-256", "charset": "UTF-8", "userhash": "true",
                "nonce": "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK",
                "opaque": "HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS",
            ]))
        let answer = parameters(
            of: challenge.answer(
                Credential(user: "Jäsøn Doe", password: "Secret, or not?"), method: .get, target: "/doe.json",
                clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v"))
        #expect(answer["username"] == "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b")
        #expect(answer["response"] == "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5")
        #expect(answer["algorithm"] == "SHA-512-256")
        #expect(answer["userhash"] == "true")
    }

    @Test func `CHL-1 a server that names no qop is answered as in RFC 2069`() throws {
        // The example of RFC 2069, section 2.4, with the response of its erratum 749.
        let challenge = try #require(
            DigestChallenge([
                "realm": "testrealm@host.com", "nonce": "dcd98b7102dd2f0e8b11d0f600bfb0c093",
                "opaque": "5ccc069c403ebaf9f0171e9517f40e41",
            ]))
        let answer = parameters(
            of: challenge.answer(
                Credential(user: "Mufasa", password: "CircleOfLife"), method: .get, target: "/dir/index.html", clientNonce: "x"))
        #expect(answer["response"] == "1949323746fe6a43ef61f9606e7febea")
        #expect(answer["cnonce"] == nil)
        #expect(answer["qop"] == nil)
    }

    @Test(arguments: DigestVector.all)
    func `CHL-1 sessions, bodies and hashed names go into the answer`(vector: DigestVector) throws {
        let challenge = try challenge(vector.parameters)
        let answer = parameters(
            of: challenge.answer(
                Self.mufasa, method: .post, target: "/a?b=c", body: Data("hello".utf8), clientNonce: Self.clientNonce, count: 26))
        #expect(answer["response"] == vector.response)
        #expect(answer["username"] == vector.user)
        #expect(answer["nc"] == "0000001a")
        #expect(answer["algorithm"] == vector.parameters["algorithm"])
    }

    @Test func `CHL-1 the algorithm is repeated for a server that names it, and for no other`() throws {
        func answer(_ parameters: [String: String]) throws -> [String: String] {
            self.parameters(of: try challenge(parameters).answer(Self.mufasa, method: .get, target: "/", clientNonce: "c"))
        }
        #expect(try answer(["qop": "auth"])["algorithm"] == nil)
        #expect(try answer(["qop": "auth", "algorithm": "md5"])["algorithm"] == "MD5")
        #expect(try answer([:])["response"] == answer(["algorithm": "MD5"])["response"])
    }

    @Test func `CHL-1 a name beyond ASCII goes as it is to a server that doesn't say that it reads UTF-8`() throws {
        func start(of user: String, _ parameters: [String: String] = [:]) throws -> Substring {
            try challenge(parameters).answer(Credential(user: user, password: ""), method: .get, target: "/", clientNonce: "c")
                .prefix { $0 != "," }
        }
        #expect(try start(of: "Jäsøn") == "Digest username=\"Jäsøn\"")
        #expect(try start(of: "Jäsøn", ["charset": "UTF-8"]) == "Digest username*=UTF-8''J%C3%A4s%C3%B8n")
        // A line end would begin another field.
        #expect(try start(of: "a\r\nb") == "Digest username*=UTF-8''a%0D%0Ab")
    }

    @Test func `CHL-1 a name beyond ASCII is encoded, and quotes are escaped`() throws {
        var challenge = try challenge(["charset": "utf-8"])
        #expect(
            challenge.answer(Credential(user: "Jäsøn Doe", password: ""), method: .get, target: "/", clientNonce: "c").hasPrefix(
                "Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, "))
        challenge.realm = "say \"a\\b\""
        #expect(challenge.answer(Self.mufasa, method: .get, target: "/", clientNonce: "c").contains("realm=\"say \\\"a\\\\b\\\"\""))
        // With an accent behind it, a quote is another character for Swift, and still a quote for a server.
        challenge.realm = "x\"\u{301}, uri=\"/other"
        let answer = challenge.answer(Self.mufasa, method: .get, target: "/", clientNonce: "c")
        #expect(AuthenticateField.parse([answer]).map { $0.parameters["realm"] } == [challenge.realm])
        #expect(AuthenticateField.parse([answer]).map { $0.parameters["uri"] } == ["/"])
    }

    @Test(
        arguments: [
            ["realm": "r"], ["nonce": "n"], ["realm": "r", "nonce": "n", "algorithm": "SHA-3"],
            ["realm": "r", "nonce": "n", "qop": "auth-conf"],
        ])
    func `CHL-1 what can't be answered is no digest challenge`(parameters: [String: String]) {
        #expect(DigestChallenge(parameters) == nil)
    }

    @Test func `CHL-1 a session counts its answers and knows its target`() throws {
        let url = try #require(URL(string: "http://a.test/x?y=%20z#f"))
        var session = DigestSession(try challenge(["qop": "auth"]), Self.mufasa, clientNonce: "c", space: .server, url: url)
        var request = Request(url: url)
        for count in ["00000001", "00000002"] {
            let isAuthorized = session.authorize(&request)
            #expect(isAuthorized)
            let answer = parameters(of: request.headers[.authorization] ?? "")
            #expect(answer["nc"] == count)
            #expect(answer["uri"] == "/x?y=%20z")
        }
        let bare = try #require(URL(string: "http://a.test?q"))
        #expect(bare.requestTarget == "/?q")
        #expect(URL(string: "http://a.test")?.requestTarget == "/")
    }

    @Test func `CHL-1 an answer that covers the body needs the body at hand`() throws {
        let url = try #require(URL(string: "http://a.test/"))
        var session = DigestSession(try challenge(["qop": "auth-int"]), Self.mufasa, clientNonce: "c", space: .server, url: url)
        var file = Request(url: url, method: .post, body: .file(path: "/dev/null"))
        let answersFile = session.authorize(&file)
        #expect(!answersFile)
        var data = Request(url: url, method: .post, body: .data(Data("hello".utf8)))
        let answersData = session.authorize(&data)
        #expect(answersData)
    }
}

/// Answers for `POST /a?b=c` with the body `hello`, computed apart from this program, from the formulas of RFC 7616, section 3.4.
struct DigestVector: Sendable {
    var parameters: [String: String]
    var response: String
    var user = "Mufasa"

    static let all = [
        DigestVector(parameters: ["algorithm": "MD5", "qop": "auth"], response: "af174dc33140797b7e2fbdef6ec79796"),
        DigestVector(
            parameters: ["algorithm": "MD5", "qop": "auth", "userhash": "true"], response: "af174dc33140797b7e2fbdef6ec79796",
            user: "4238f3a16167373febb9bc4d43db9cc4"),
        DigestVector(parameters: ["algorithm": "MD5", "qop": "auth-int"], response: "7715df7ab23330e1815f731395ad432a"),
        DigestVector(parameters: ["algorithm": "MD5-sess", "qop": "auth"], response: "adb226bc0141d0991c9e8ad4bf95d17c"),
        DigestVector(parameters: ["algorithm": "MD5-sess", "qop": "auth-int"], response: "10f4aaa0659b6581e7dedaa4d0f444f6"),
        DigestVector(
            parameters: ["algorithm": "SHA-256", "qop": "auth"],
            response: "9a5abd59504787e49143a23ff5debaadc49a5ad421bd0660bcded13e7e021047"),
        DigestVector(
            parameters: ["algorithm": "SHA-256", "qop": "auth", "userhash": "true"],
            response: "9a5abd59504787e49143a23ff5debaadc49a5ad421bd0660bcded13e7e021047",
            user: "a947aad205e80e429958a387394944c6b496301e79f89d35a4cc23b6ee12b5b6"),
        DigestVector(
            parameters: ["algorithm": "SHA-256", "qop": "auth-int"],
            response: "2529eb5e7470c0cc3c73b3f67789f7f4eb38ab73d6883df25f4aac17b890deb7"),
        DigestVector(
            parameters: ["algorithm": "SHA-256-sess", "qop": "auth"],
            response: "65b3fbcf3285cb353e1105f5636cba5a92d49907d7c8d7330ff4b91d36e60f4f"),
        DigestVector(
            parameters: ["algorithm": "SHA-256-sess", "qop": "auth-int"],
            response: "74541d000c61bcd325412eff27b0c1ee1fc32656794f3b02756d85240dda060f"),
        DigestVector(
            parameters: ["algorithm": "SHA-512-256", "qop": "auth", "userhash": "true"],
            response: "1633369d6064713378b1c828ddb2346ad172f31d1116492c54dfe8f0780f4c15",
            user: "e2dfabd1a96ddf867710b653b6e6857d1f147086de7d7ef79dcd249859872570"),
        DigestVector(
            parameters: ["algorithm": "SHA-512-256", "qop": "auth-int"],
            response: "218fda546efcef8dcd2fcf314a6d9168b3c02c489b43e2571801cd29c3416c9b"),
        DigestVector(
            parameters: ["algorithm": "SHA-512-256-sess", "qop": "auth"],
            response: "e48519452719ede03da41452c2f7997b50a95d8d30ca9d891e773c911e611376"),
        DigestVector(
            parameters: ["algorithm": "SHA-512-256-sess", "qop": "auth-int"],
            response: "4bce7926e7daf555706b88607242ab169ffbdb174123a13d1590d0e0930d1a6f"),
    ]
}
