import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

/// `response: { save: FILE }`.
@Suite struct RunSaveTests {
    /// A directory with a collection, and a server whose body is what was asked for.
    private struct Place {
        let directory: TemporaryDirectory

        init(_ files: [String: String]) throws {
            directory = try TemporaryDirectory()
            for (name, text) in files { try write(name, text) }
        }

        func write(_ name: String, _ text: String) throws {
            let url = URL(filePath: "\(directory.path)/\(name)")
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }

        func turnstone(_ words: String..., status: HTTPResponse.Status = .ok) async -> (sent: Int, run: CommandLineRun) {
            let sent = Mutex(0)
            let transport = ScriptedTransport { request in
                sent.withLock { $0 += 1 }
                let body = Data("body of \(request.request.url.absoluteString)\u{0}".utf8)
                return .respond(status: status, headers: [.contentType: "text/plain"], body: body)
            }
            let run = await CommandLineRun.run(
                [words[0], "\(directory.path)/shop.yaml"] + words.dropFirst() + (words[0] == "run" ? ["--no-input"] : []),
                transport: transport,
                environment: ["HOME": directory.path])
            return (
                sent.withLock { $0 },
                CommandLineRun(
                    status: run.status, output: run.output.replacing(directory.path + "/", with: ""),
                    errors: run.errors.replacing(directory.path + "/", with: ""))
            )
        }

        func text(_ name: String) -> String? { try? String(contentsOfFile: "\(directory.path)/\(name)", encoding: .utf8) }
    }

    private static func shop(_ save: String, _ rest: String = "") -> [String: String] {
        ["shop.yaml": "turnstone: 1\nrequests:\n  a:\n    get: http://shop/a\n    response: { save: \(save) }\n\(rest)"]
    }

    @Test func `the body is written as it came, directories are made, and what was private stays so`() async throws {
        let place = try Place(Self.shop("out/new/a.bin"))
        let (_, run) = await place.turnstone("run", "--trust")
        #expect(run.status == .success)
        #expect(run.output.contains("→ out/new/a.bin"), "\(run.output)")
        #expect(place.text("out/new/a.bin") == "body of http://shop/a\u{0}")
        let path = "\(place.directory.path)/out/new/a.bin"
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(await place.turnstone("run", "--trust", "--var", "x=1").run.status == .success)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(place.directory.path)/out/new") == ["a.bin"])
    }

    @Test func `an answer that didn't pass leaves what was there`() async throws {
        let place = try Place(Self.shop("a.txt", "    expect: { status: 200 }\n").merging(["a.txt": "good"]) { $1 })
        let (_, run) = await place.turnstone("run", "--trust", status: .internalServerError)
        #expect(run.status == .expectationFailed)
        #expect(place.text("a.txt") == "good")
    }

    @Test func `each item has a file, whose directory was allowed, and no item chooses another one`() async throws {
        let loop = "    for-each: { n: [x, y] }\n"
        let place = try Place(Self.shop(#""out/{{n}}.txt""#, loop))
        let (_, asked) = await place.turnstone("run")
        #expect(asked.errors.contains("/out/   response.save"), "\(asked.errors)")
        #expect(await place.turnstone("trust", "--yes").run.status == .success)
        #expect(await place.turnstone("run").run.status == .success)
        #expect(place.text("out/x.txt") != nil && place.text("out/y.txt") != nil)
        for (name, status) in [("../../up", ExitStatus.usage), ("sub/x", .usage), (".bashrc", .usage)] {
            try place.write("shop.yaml", Self.shop(#""out/{{n}}.txt""#, "    for-each: { n: [\"\(name)\"] }\n")["shop.yaml"]!)
            let (sent, run) = await place.turnstone("run")
            #expect(sent == 0, "\(name)")
            #expect(run.status == status, "\(name): \(run.output)\(run.errors)")
        }
    }

    @Test(arguments: [
        (#""out/{{n}}.txt""#, "../../up", false), (#""out/{{n}}/a.txt""#, "..", false), (#""{{n}}/a.txt""#, "sub/b", true),
        (#"'out/{{n | default("a/b")}}'"#, "c", true),
    ])
    func `whatever is allowed, no value leads elsewhere`(save: String, value: String, passes: Bool) async throws {
        let place = try Place(Self.shop(save))
        let (sent, run) = await place.turnstone("run", "--trust", "--var-text", "n=\(value)")
        #expect((sent == 1) == passes && (run.status == .success) == passes, "\(run.output)\(run.errors)")
        if !passes { #expect((run.output + run.errors).contains("a value may not lead to another directory")) }
    }

    @Test func `what a server says never is the whole way`() async throws {
        let place = try Place([
            "shop.yaml":
                "turnstone: 1\nrequests:\n  a: { get: http://shop/a, response: { save: \"{{n}}\" } }\n"
                + "  n: { get: http://shop/n, capture: { n: url } }\n"
        ])
        let (sent, run) = await place.turnstone("run", "--trust")
        #expect(sent == 1 && run.status == .usage, "\(run.output)\(run.errors)")
        #expect(run.output.contains("became `http://shop/n`"), "\(run.output)")
    }

    @Test(arguments: [
        ("shop.yaml", "is the collection itself"), ("out/", "takes the name of a file"), ("sub", "takes the name of a file"),
        ("/dev/null", "takes the name of a file"), ("\"{{key}}.txt\"", "a secret can't be a part"),
    ])
    func `what can't be the file is refused before anything is sent`(save: String, complaint: String) async throws {
        let place = try Place(Self.shop(save, "variables: { key: { secret: { env: HOME } } }\n"))
        try place.write("sub/x", "")
        let (sent, run) = await place.turnstone("run", "--trust")
        #expect(sent == 0)
        #expect(run.status != .success && (run.output + run.errors).contains(complaint), "\(run.output)\(run.errors)")
    }

    @Test func `an answer doesn't become one of the collection's own files, which are read without asking`() async throws {
        let place = try Place([
            "shop.yaml/_collection.yaml": "turnstone: 1\n",
            "shop.yaml/a.yaml": "get: http://shop/a\nresponse: { save: sub/answer.json }\n",
            "shop.yaml/b.yaml": "get: http://shop/b\nresponse: { save: .answers/b.json }\n",
        ])
        let (_, refused) = await place.turnstone("run", "a", "--trust")
        #expect(
            (refused.output + refused.errors).contains("among the collection's own files"), "\(refused.output)\(refused.errors)")
        #expect(await place.turnstone("check").run.output.contains("among the collection's own files"))
        #expect(await place.turnstone("run", "b", "--trust").run.status == .success)
        #expect(place.text("shop.yaml/.answers/b.json") != nil)
    }

    @Test func `a file that can't be written is a failure, and so is one that would have no body`() async throws {
        let place = try Place(Self.shop("plain/a.txt").merging(["plain": ""]) { $1 })
        let (sent, run) = await place.turnstone("run", "--trust")
        #expect(sent == 1)
        #expect(run.status == .file)
        #expect(run.output.contains("the answer wasn't saved: "), "\(run.output)")
        let nothing = try Place(Self.shop("a.txt, keep: none"))
        #expect(await nothing.turnstone("check").run.output.contains("`response.keep` is `none`"))
    }
}
