import FoundationEssentials
import HTTPTypes
import Testing

@testable import NetworkLayer

/// What redirects may carry where.
@Suite struct RedirectSecretTests {
    typealias Verdict = RedirectRules.Verdict

    static let key = HTTPField.Name("X-Shop")!
    static let here = OriginPattern("https://a.test")!
    static let secret = "s3cret/käse+1"

    func verdict(
        _ status: Int = 302, to location: String, from request: Request, _ configuration: RedirectConfiguration = .init()
    ) -> Verdict {
        let head = ResponseHead(status: HTTPResponse.Status(code: status), headers: [.location: location])
        return RedirectRules(configuration: configuration).verdict(on: head, to: request, hops: 0)
    }

    /// A field of no special name, made of a secret.
    func request(_ method: HTTPRequest.Method = .get, for origins: [OriginPattern] = [here]) -> Request {
        var request = Request(
            url: URL(string: "https://a.test/")!, method: method, headers: [.accept: "*/*", Self.key: "k3y-\(Self.secret)"])
        request.secrets.insert(Self.secret, named: "token", in: .header("x-shop"), for: origins)
        return request
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a field with a secret in it stays behind, whatever it is called, and the hop says so`(status: Int) throws {
        for target in ["https://b.test/x", "https://a.test:8443/x", "http://a.test/x", "https://sub.a.test/", "https://a.test./"] {
            guard case .follow(let hop, let next) = verdict(status, to: target, from: request()) else {
                Issue.record("\(target) isn't followed")
                continue
            }
            #expect(next.headers == [.accept: "*/*"], "\(target)")
            #expect(next.secrets.uses == [])
            #expect(hop.withheld == [.init("X-Shop", secrets: ["token"], origins: ["https://a.test"])])
            #expect(hop.droppedHeaders == ["X-Shop"])
        }
        guard case .follow(let hop, let next) = verdict(status, to: "/x", from: request()) else {
            Issue.record("not followed")
            return
        }
        #expect(next.headers == request().headers)
        #expect(next.secrets == request().secrets)
        #expect(hop.withheld == [])
    }

    @Test func `a secret that is for both origins goes along`() throws {
        let both = [Self.here, try #require(OriginPattern("https://*.b.test"))]
        guard case .follow(let hop, let next) = verdict(to: "https://api.b.test/", from: request(for: both)) else {
            Issue.record("not followed")
            return
        }
        #expect(next.headers == request().headers)
        #expect(hop.withheld == [])
        // Also when it is a field that is a credential by its name.
        var named = request(for: both)
        named.headers[.authorization] = "Bearer x"
        named.secrets.insert(.init(part: .header("authorization"), name: "token", origins: both))
        #expect(verdict(to: "https://api.b.test/", from: named).target?.headers[.authorization] == "Bearer x")
        #expect(verdict(to: "https://b.test/", from: named).target?.headers[.authorization] == nil)
    }

    @Test func `two secrets in one field go where both may go`() throws {
        var request = request(for: [Self.here, try #require(OriginPattern("https://b.test"))])
        request.secrets.insert(.init(part: .header("x-shop"), name: "other", origins: [Self.here]))
        guard case .follow(let hop, _) = verdict(to: "https://b.test/", from: request) else {
            Issue.record("not followed")
            return
        }
        #expect(hop.withheld == [.init("X-Shop", secrets: ["other"], origins: ["https://a.test"])])
    }

    @Test func `what was taken out stays out when the chain comes back`() throws {
        let there = try #require(verdict(to: "https://b.test/", from: request()).target)
        let back = try #require(verdict(to: "https://a.test/again", from: there).target)
        #expect(back.headers == [.accept: "*/*"])
    }

    @Test func `keep-auth lets it go along`() {
        let kept = verdict(to: "https://b.test/", from: request(), .init(keepCredentials: .always))
        #expect(kept.target?.headers == request().headers)
        let host = RedirectConfiguration(keepCredentials: .sameHost)
        #expect(verdict(to: "http://a.test:81/", from: request(), host).target?.headers == request().headers)
        #expect(verdict(to: "http://b.test:81/", from: request(), host).target?.headers == [.accept: "*/*"])
    }

    @Test func `fields that are credentials by their names stay behind without anybody saying so`() {
        let headers: HTTPFields = [HTTPField.Name("X-Api-Key")!: "k", .authorization: "Bearer x", .accept: "*/*"]
        let next = verdict(to: "https://b.test/", from: Request(url: URL(string: "https://a.test/")!, headers: headers)).target
        #expect(next?.headers == [.accept: "*/*"])
    }

    // MARK: Bodies

    func post(_ status: Int, to location: String, _ configuration: RedirectConfiguration = .init()) -> Verdict {
        var request = Request(url: URL(string: "https://a.test/")!, method: .post, body: .data(Data("pw=\(Self.secret)".utf8)))
        request.secrets.insert(Self.secret, named: "token", in: .body, for: [Self.here])
        return verdict(status, to: location, from: request, configuration)
    }

    @Test(arguments: [307, 308])
    func `a body with a secret in it isn't sent elsewhere, nor with holes in it`(status: Int) {
        let error = post(status, to: "https://b.test/x").error
        #expect(error?.code == .secretWithheld)
        #expect(
            error?.message
                == "The server wants the same body at https://b.test, and token in it is not for https://b.test; nothing was sent there. If it may have it, let credentials follow redirects."
        )
        #expect(post(status, to: "/x").target?.body == .data(Data("pw=\(Self.secret)".utf8)))
        #expect(post(status, to: "https://b.test/", .init(keepCredentials: .always)).target != nil)
    }

    @Test(arguments: [301, 302, 303])
    func `a redirect that drops the body may go anywhere`(status: Int) {
        let next = post(status, to: "https://b.test/x").target
        #expect(next?.body == RequestBody.none)
        #expect(next?.secrets.uses == [])
    }

    // MARK: Addresses

    @Test(arguments: [
        "s3cret/käse+1", "s3cret%2Fk%C3%A4se%2B1", "s3cret%2fk%c3%a4se%2b1", "czNjcmV0L2vDpHNlKzE=",
        "7333637265742f6bc3a4736 52b31",
        "x-s3cret/k%C3%A4se+1-y",
    ])
    func `an address with a secret in it, in whatever form, is refused elsewhere`(form: String) throws {
        let form = form.replacing(" ", with: "")
        let verdict = verdict(to: "https://b.test/?t=\(form)", from: request())
        let error = try #require(verdict.error, "\(form)")
        #expect(error.code == .secretWithheld)
        #expect(
            error.message
                == "The server redirects to https://b.test with a secret of this request in the address, which is not for https://b.test; nothing was sent there. If it may have it, let credentials follow redirects."
        )
        guard case .fail(let hop, _) = verdict else { return }
        #expect(!hop.location.contains("s3cret") && hop.location.hasPrefix("https://b.test/"))
        // At home it is nobody else's business.
        #expect(self.verdict(to: "/?t=\(form)", from: request()).target != nil)
    }

    @Test func `so is one with the credentials of the request itself`() {
        let basic = Data("jane:hunter22".utf8).base64EncodedString()
        let request = Request(url: URL(string: "https://a.test/")!, headers: [.authorization: "Basic \(basic)"])
        #expect(verdict(to: "https://b.test/?p=hunter22", from: request).error?.code == .secretWithheld)
        #expect(verdict(to: "https://b.test/?p=\(basic)", from: request).error?.code == .secretWithheld)
        #expect(verdict(to: "https://b.test/?p=jane", from: request).target != nil)
        let user = Request(url: URL(string: "https://jane:hunter22@a.test/")!)
        #expect(verdict(to: "https://jane:hunter22@b.test/", from: user).error?.code == .secretWithheld)
    }

    @Test func `a short secret stops no redirect whose address only has its letters in it`() {
        var request = request()
        request.secrets = RequestSecrets()
        request.secrets.insert("no", named: "pin", in: .header("x-shop"), for: [Self.here])
        #expect(verdict(to: "https://nothing.test/node?x=nono", from: request).target != nil)
        #expect(verdict(to: "https://b.test/?x=no", from: request).error?.code == .secretWithheld)
    }
}

extension RedirectRules.Verdict {
    fileprivate var target: Request? {
        switch self {
        case .follow(_, let request), .ask(_, let request): request
        case .none, .refuse, .fail: nil
        }
    }

    fileprivate var error: NetworkError? { if case .fail(_, let error) = self { error } else { nil } }
}
