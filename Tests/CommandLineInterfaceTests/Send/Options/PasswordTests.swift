import DemoServer
import Foundation
import Glibc
import ServerTesting
import Synchronization
import TerminalTesting
import TerminalUI
import Testing

@testable import CommandLineInterface

@Suite struct PasswordTests {
    private func arguments(_ words: String..., ask: (String) throws -> String?) throws -> SendArguments {
        var arguments = try SendOptionParser.parse(words)
        try arguments.completePasswords(ask)
        return arguments
    }

    @Test func `a name without a password is asked for it, by name and host`() throws {
        var asked: [String] = []
        let arguments = try arguments("-u", "ada", "-U", "proxy", "https://user@h:8443/a?b") { question in
            asked.append(question)
            return "p:\(asked.count)"
        }
        #expect(asked == ["Password of ada for h: ", "Password of proxy for the proxy: "])
        #expect(arguments.user == "ada:p:1")
        #expect(arguments.proxyUser == "proxy:p:2")
    }

    @Test(arguments: [["-u", "ada:", "h"], ["-u", "ada:x", "h"], ["--negotiate", "-u", "ada", "h"], ["h"]])
    func `nobody is asked for what is there or isn't needed`(words: [String]) throws {
        var arguments = try SendOptionParser.parse(words)
        let before = arguments.user
        try arguments.completePasswords { _ in throw CommandFailure(status: .usage, message: "asked") }
        #expect(arguments.user == before)
    }

    @Test func `the server gets what was typed`() async throws {
        let server = try await DemoServer()
        let run = await CommandLineRun.run(
            ["send", "-f", "-u", "ada", "\(server.baseURL)/auth/basic"], askSecret: { _ in "lovelace" })
        await server.stop()
        #expect(run.status == .success)
        #expect(!run.output.contains("lovelace") && !run.errors.contains("lovelace"))
    }

    @Test func `without a terminal it says what to write`() async {
        let run = await CommandLineRun.run(["send", "-u", "ada", "http://127.0.0.1:1/"])
        #expect(run.status == .usage)
        #expect(
            run.errors == "turnstone: -u ada has no password, and nobody gave one at the terminal. "
                + "It takes USER:PASSWORD, or USER: for an empty one.\n")
    }

    @Test(arguments: ["sec ret\r", "x\u{7F}a\u{15}b\n", "\u{4}", "a\u{3}"])
    func `a terminal shows nothing of it, and is as it was afterwards`(typed: String) async throws {
        let terminal = try PseudoTerminal.open(Size(columns: 80, rows: 24))
        defer {
            close(terminal.control)
            close(terminal.slave)
        }
        let before = PseudoTerminal.settings(of: terminal.slave)
        let slave = terminal.slave
        let asking = Task.detached { () -> String? in
            do {
                return try TerminalSecret.ask("Password: ", on: slave).map { "typed \($0)" } ?? "nothing"
            } catch let failure as CommandFailure {
                return "\(failure.status.rawValue)"
            }
        }
        // The question comes when the terminal is silent already.
        var shown: [UInt8] = []
        while shown.count < "Password: ".utf8.count { shown += try Self.read(terminal.control) }
        _ = Array(typed.utf8).withUnsafeBytes { write(terminal.control, $0.baseAddress, $0.count) }
        let answer = try await asking.value
        while shown.last != 0x0A { shown += try Self.read(terminal.control) }
        #expect(
            answer == ["sec ret\r": "typed sec ret", "x\u{7F}a\u{15}b\n": "typed b", "\u{4}": "nothing", "a\u{3}": "130"][typed])
        #expect(String(decoding: shown, as: UTF8.self) == "Password: \r\n")
        #expect(PseudoTerminal.settings(of: terminal.slave) == before)
    }

    private static func read(_ descriptor: Int32) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        try #require(count > 0)
        return Array(bytes.prefix(count))
    }
}

@Suite struct SecretWordsTests {
    private func hidden(_ words: [String]) -> String {
        var bytes = words.map { Array($0.utf8) }
        for place in SecretWords.places(in: words) {
            for offset in place.range { bytes[place.word][offset] = UInt8(ascii: "*") }
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    @Test(arguments: [
        ("t send -u ada:hunter2 http://h/", "t send -u ada:******* http://h/"),
        ("t send -uada:hunter2 http://h/", "t send -uada:******* http://h/"),
        ("t send -sSu ada:hunter2 http://h/", "t send -sSu ada:******* http://h/"),
        ("t send -sSuada:hunter2 http://h/", "t send -sSuada:******* http://h/"),
        ("t send --user=ada:hunter2 http://h/", "t send --user=ada:******* http://h/"),
        ("t send --user ada:hunter2 http://h/", "t send --user ada:******* http://h/"),
        ("t send --user ada http://h/", "t send --user ada http://h/"),
        ("t send --oauth2-bearer abc http://h/", "t send --oauth2-bearer *** http://h/"),
        ("t send -U p:x --proxy-user=p:yy http://h/", "t send -U p:* --proxy-user=p:** http://h/"),
        ("t send -E me.pem:pw http://h/", "t send -E me.pem:** http://h/"),
        ("t send --variable pin=12 --expand-user ada:{{pin}} h", "t send --variable pin=** --expand-user ada:******* h"),
        ("t send --proxy-pass x --proxy-cert me.pem:y h", "t send --proxy-pass * --proxy-cert me.pem:* h"),
        ("t send -HAuthorization:x -H Accept:y http://h/", "t send -HAuthorization:* -H Accept:y http://h/"),
        ("t send -H X-Api-Key:k -H @file http://h/", "t send -H X-Api-Key:* -H @file http://h/"),
        ("t send -b sid=1 -X PUT http://h/", "t send -b sid=* -X PUT http://h/"),
        ("t send -x http://p:pw@q:1 http://u:pw@h/a:b@c", "t send -x http://p:**@q:1 http://u:**@h/a:b@c"),
        ("t send u:pw@h/x", "t send u:**@h/x"), ("t send h:80/a@b", "t send h:80/a@b"),
        ("t send http://h/?token=abc&x=1", "t send http://h/?token=***&x=1"), ("t send h?api_key=ab", "t send h?api_key=**"),
        ("t send h/?x=http://a:b@c --url u:p@h", "t send h/?x=http://a:b@c --url u:*@h"),
        ("t send -d user=ada&password=äb -F pin=1 -F password=ab h", "t send -d user=ada&password=*** -F pin=1 -F password=** h"),
        ("t send -d @password=x --data-urlencode token=ab h", "t send -d @password=x --data-urlencode token=** h"),
        (#"t send --json {"password":"a\"b","pin":1,"token":12} h"#, #"t send --json {"password":"****","pin":1,"token":**} h"#),
        (#"t send -d {"a":{"secret":"x h"#, #"t send -d {"a":{"secret":"* h"#),
        ("t send --json @password=x h", "t send --json @password=x h"),
        ("t send --request-header Authorization:x h", "t send --request-header Authorization:* h"),
        ("t send -H X-My-Secret:x -H Sec-WebSocket-Key:y h", "t send -H X-My-Secret:* -H Sec-WebSocket-Key:y h"),
        ("t send -e http://a/?token=ab h", "t send -e http://a/?token=** h"), ("t send -d pw=ab h", "t send -d pw=** h"),
        ("t send --socks5 u:pw@p:1 h", "t send --socks5 u:**@p:1 h"),
        ("t send --pass=ab --key k h", "t send --pass=** --key k h"),
        ("t send -d a:b -- -u", "t send -d a:b -- -u"), ("t send -X -u ada:x", "t send -X -u ada:x"),
        ("t send POST h a=b password=ab pin:=12 user[secret]=x", "t send POST h a=b password=** pin:=12 user[secret]=*"),
        ("t send h Authorization:x Accept:y X-Api-Key:k", "t send h Authorization:* Accept:y X-Api-Key:*"),
        ("t send h token==ab f@password", "t send h token==** f@password"),
        ("t send h password=@file token:=@f", "t send h password=@file token:=@f"),
        ("t send -u", "t send -u"), ("t send --unknown ada:x", "t send --unknown ada:x"), ("t", "t"),
        ("t run c.yaml --var token=abc --env e", "t run c.yaml --var token=*** --env e"),
        ("t import --curl curl@-u@a:b --name=x", "t import --curl *********** --name=x"),
        ("t import --curl=curl", "t import --curl=****"),
        ("t run c.yaml --var-text=token=abc", "t run c.yaml --var-text=token=***"),
        ("t run c.yaml --var=token=abc", "t run c.yaml --var=token=***"), ("t run --var", "t run --var"),
    ])
    func `what is secret of a command line is overwritten, and nothing else`(line: String, shown: String) {
        #expect(hidden(line.split(separator: " ").map(String.init)) == shown)
    }
}

/// `--cert` and what belongs to it.
@Suite struct ClientCertificateSendTests {
    private let certificates: TestCertificates
    private let nginx: NginxServer

    init() throws {
        nginx = try NginxServer.shared()
        certificates = nginx.certificates
    }

    private func send(
        _ words: [String], port: UInt16, askSecret: @escaping @Sendable (String) throws -> String? = { _ in nil }
    ) async -> CommandLineRun {
        await CommandLineRun.run(
            ["send", "--cacert", certificates.authority, "-o", "/dev/null", "-w", "%{http_code}"] + words
                + ["https://127.0.0.1:\(port)/small"], askSecret: askSecret)
    }

    @Test func `the words for a certificate are curl's`() async throws {
        let phrase = TestCertificates.passphrase
        let (certificate, key, bundle) = (certificates.client.certificate, certificates.encryptedKey, certificates.bundle)
        for words in [
            ["--cert", certificate, "--key", certificates.client.key],
            ["--cert", "\(certificate):\(phrase)", "--key", key],
            ["-E", certificate, "--key", key, "--pass", phrase, "--key-type", "pem", "--cert-type", "PEM"],
            ["--cert", "\(bundle):\(phrase)", "--cert-type", "P12"],
            ["--cert", bundle, "--pass", phrase, "--tlsv1.2", "--tls-max", "1.2", "--ciphers", "ECDHE-ECDSA-AES128-GCM-SHA256"],
            ["--cert", bundle, "--pass", phrase, "--tlsv1", "--tls-max", "default", "--tls13-ciphers", "TLS_AES_128_GCM_SHA256"],
        ] {
            let run = await send(words, port: nginx.mutual)
            #expect(run.status == .success, "\(words)")
            #expect(run.output == "200", "\(words)")
            #expect(run.errors == "", "\(words)")
        }
    }

    @Test func `a pass phrase that is missing is asked for`() async throws {
        let questions = Mutex<[String]>([])
        let words = ["--cert", certificates.client.certificate, "--key", certificates.encryptedKey]
        let run = await send(words, port: nginx.mutual) { question in
            questions.withLock { $0.append(question) }
            return TestCertificates.passphrase
        }
        #expect(run.output == "200")
        #expect(questions.withLock { $0 } == ["Pass phrase of \(certificates.encryptedKey): "])
        let nobody = await send(words, port: nginx.mutual)
        #expect(nobody.status == .tls)
        #expect(
            nobody.errors
                == "turnstone: The client key \(certificates.encryptedKey) is encrypted, and there is no pass phrase for it. Give it one.\n"
        )
    }

    @Test func `a server that demands a certificate is exit status 22, with the authorities that it takes`() async throws {
        let server = try DemandingServer(certificates, ["-tls1_3"])
        let run = await send([], port: server.port)
        #expect(run.status == .tls)
        #expect(
            run.errors
                == "turnstone: 127.0.0.1:\(server.port) asks for a client certificate (certificate required). Name one. "
                + "It takes those of “O=Turnstone, CN=Turnstone Test Authority”.\n")
    }

    @Test(arguments: [
        (["--tls-max", "2"], "turnstone: --tls-max 2 isn't there. It takes 1.0, 1.1, 1.2, 1.3.\n"),
        (["--cert-type", "ENG"], "turnstone: --cert-type ENG isn't there. It takes PEM, DER, P12.\n"),
    ])
    func `what can't be taken is named`(words: [String], sentence: String) async {
        let run = await send(words, port: nginx.mutual)
        #expect(run.status == .usage)
        #expect(run.errors == sentence)
    }
}
