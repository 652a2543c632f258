import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import CommandLineInterface

/// Whose cookies a request of a run sends, where it names no jar.
@Suite struct RunCookiesTests {
    private static let users = """
        turnstone: 1
        requests:
          guest: { get: "http://shop.test/guest" }
          users:
            for-each: { u: [ada, bob] }
            requests:
              login: { get: "http://shop.test/login/{{u}}", needs: [guest] }
              me: { get: "http://shop.test/me/{{u}}", needs: [login] }
          after: { get: "http://shop.test/after" }
        """

    @Test func `rows and items of a folder have their own cookies, and begin with those from outside`() async throws {
        let (directory, path) = try ShopFile.make(Self.users)
        defer { withExtendedLifetime(directory) {} }
        let transport = ScriptedTransport { request in
            let words = request.request.url.path().split(separator: "/").map(String.init)
            switch words[0] {
            case "guest": return .respond(headers: [.setCookie: "g=1; Path=/"])
            case "login": return .respond(headers: [.setCookie: "sid=\(words[1]); Path=/"])
            default: return .respond()
            }
        }
        let run = await CommandLineRun.run(["run", path, "--jobs", "4", "--no-history"], transport: transport)
        #expect(run.status == .success, "\(run.output)\(run.errors)")
        let sent = Dictionary(
            transport.requests.map { ($0.url.path(), $0.headers[.cookie] ?? "-") }, uniquingKeysWith: { first, _ in first })
        #expect(sent["/me/ada"] == "g=1; sid=ada")
        #expect(sent["/me/bob"] == "g=1; sid=bob")
        #expect(sent["/login/bob"] == "g=1", "what one item has signed in to the next one doesn't begin with")
        #expect(sent["/after"].map { !$0.contains("sid") } == true)
    }

    @Test func `rows of --data have their own cookies, and items of a request share those of it`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              login: { get: "http://shop.test/login/{{u}}" }
              add: { get: "http://shop.test/add/{{u}}/{{i}}", needs: [login], for-each: { i: [1, 2] } }
              look: { get: "http://shop.test/look/{{u}}", needs: [add] }
            """)
        let data = directory.file("users.csv")
        try "u\nada\nbob\n".write(toFile: data, atomically: true, encoding: .utf8)
        let transport = ScriptedTransport { request in
            let words = request.request.url.path().split(separator: "/").map(String.init)
            switch words[0] {
            case "login": return .respond(headers: [.setCookie: "sid=\(words[1]); Path=/"])
            case "add": return .respond(headers: [.setCookie: "item\(words[2])=1; Path=/"])
            default: return .respond()
            }
        }
        let run = await CommandLineRun.run(
            ["run", path, "--data", data, "--no-history"], transport: transport)
        #expect(run.status == .success, "\(run.output)\(run.errors)")
        let sent = Dictionary(
            transport.requests.map { ($0.url.path(), $0.headers[.cookie] ?? "-") }, uniquingKeysWith: { first, _ in first })
        #expect(sent["/login/bob"] == "-")
        #expect(sent["/add/bob/2"] == "sid=bob; item1=1")
        #expect(sent["/look/ada"] == "sid=ada; item1=1; item2=1")
        #expect(sent["/look/bob"] == "sid=bob; item1=1; item2=1")
    }
}
