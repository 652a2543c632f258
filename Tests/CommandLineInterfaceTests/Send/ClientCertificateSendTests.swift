import CommandLineInterface
import Foundation
import ServerTesting
import Synchronization
import Testing

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
