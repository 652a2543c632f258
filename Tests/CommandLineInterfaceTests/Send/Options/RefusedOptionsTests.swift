import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

/// Every option that curl has is taken, or refused by its name: none is passed over in silence, and none is a slip of the pen.
@Suite struct RefusedOptionsTests {
    @Test func `each option of the installed curl is known`() throws {
        let curl = try ChildProcess.find("curl", package: "curl")
        let help = String(decoding: try ChildProcess.output(of: curl, ["--help", "all"], input: Data()).0, as: UTF8.self)
        let options = help.matches(of: /(?m)^ *(?:-(.), *)?--([a-z0-9.-]+)/).map { (letter: $0.1, name: String($0.2)) }
        #expect(options.count > 200)
        for (letter, name) in options {
            let isTaken =
                SendOption.named(name) != nil || name.hasPrefix("no-") && SendOption.named(String(name.dropFirst(3))) != nil
            #expect(isTaken != (SendOption.refusal(of: name) != nil), "--\(name)")
            if let letter = letter?.first {
                #expect((SendOption.lettered(letter) != nil) != (SendOption.refusal(of: String(letter)) != nil), "-\(letter)")
            }
        }
    }

    @Test func `none is both taken and refused`() {
        #expect(SendOption.refusedNames.filter { SendOption.named($0) != nil } == [])
    }

    @Test func `the manual says of each option of curl what to do instead`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../docs/first-request.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let curl = try ChildProcess.find("curl", package: "curl")
        let help = String(decoding: try ChildProcess.output(of: curl, ["--help", "all"], input: Data()).0, as: UTF8.self)
        for match in help.matches(of: /--([a-z0-9.-]+)/) {
            guard let refusal = SendOption.refusal(of: String(match.1)), let colon = refusal.firstRange(of: ": ") else { continue }
            // A name at the beginning of a cell has a capital.
            #expect(text.contains("`--\(match.1)`") && text.contains(refusal[colon.upperBound...].dropFirst()), "--\(match.1)")
        }
    }

    @Test(arguments: [
        (["--http3", "http://h/"], "send has no --http3: HTTP/3 isn't spoken here. --http2 is the newest version."),
        (["-2", "http://h/"], "send has no -2: SSL is broken, and OpenSSL doesn't speak it any more. Use --tlsv1.2."),
        (
            ["--no-ssl", "http://h/"],
            "send has no --no-ssl: it is for protocols other than HTTP, and means nothing to http and https. "
                + "Leave it out; for FTP, mail or SSH use curl."
        ),
    ])
    func `a refusal says why, and what to do instead`(words: [String], message: String) {
        #expect(#expect(throws: CommandFailure.self) { try SendOptionParser.parse(words) }?.message == message)
    }
}
