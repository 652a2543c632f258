import Foundation
import NetworkLayer
import Testing

@testable import CommandLineInterface

@Suite struct SendPlanTests {
    private func configuration(_ words: String...) throws -> RequestConfiguration {
        try SendPlan(SendOptionParser.parse(words + ["http://h/"]), reading: GivenInput(bytes: Data())).configuration
    }

    private func message(_ words: String...) -> String? {
        #expect(throws: CommandFailure.self) {
            try SendPlan(SendOptionParser.parse(words + ["http://h/"]), reading: GivenInput(bytes: Data()))
        }?.message
    }

    @Test func `--retry and its kin make curl's rules`() throws {
        #expect(try configuration().retry == [])
        #expect(try configuration("--retry", "3").retry == [RetryRules.curl(retries: 3)])
        var rules = RetryRules.curl(retries: 1)
        rules.backoff = RetryBackoff(first: .seconds(2), factor: 1, max: .seconds(2), jitter: .none)
        rules.maxTime = .seconds(9)
        rules.on.formUnion([.kind(.refused), .kind(.any), .statusClass(4), .statusClass(5)])
        #expect(
            try configuration(
                "--retry", "1", "--retry-delay", "2", "--retry-max-time", "9", "--retry-connrefused", "--retry-all-errors", "-f"
            ).retry == [rules])
        #expect(message("--retry", "-1") == "--retry -1 can't be meant. It takes how often to try again, 0 or more.")
    }

    @Test func `TMO-1 an idle timeout that is asked for counts from the start, else from the first byte on`() throws {
        #expect(try configuration().timeouts.idleMode == .excludingInitialConnection)
        #expect(try configuration().timeouts.idle == .seconds(30))
        let asked = try configuration("--idle-timeout", "2").timeouts
        #expect(asked.idleMode == .includingInitialConnection)
        #expect(asked.idle == .seconds(2))
        #expect(
            try configuration("--idle-timeout", "2", "--global-config", "idleTimeoutMode:excludingInitialConnection").timeouts
                .idleMode == .excludingInitialConnection)
    }

    @Test func `-u is for the scheme that is named`() throws {
        let ada = Credential(user: "ada", password: "a:b")
        #expect(try configuration("-u", "ada:a:b").transport.authentication == nil)
        #expect(try configuration("-u", "ada:a:b", "--digest").transport.authentication == .digest(ada))
        #expect(try configuration("-u", "ada:a:b", "--ntlm").transport.authentication == .ntlm(ada))
        #expect(try configuration("-u", ":", "--negotiate").transport.authentication == .negotiate)
        #expect(try configuration("-n").transport.authentication == .netrc(file: nil))
        #expect(try configuration("--netrc-file", "f").transport.authentication == .netrc(file: "f"))
        #expect(
            try configuration("-u", "key:secret", "--aws-sigv4", "aws:amz:eu-1:s3").transport.authentication
                == .awsSigV4(AWSSignature(accessKey: "key", secretKey: "secret", region: "eu-1", service: "s3")))
        #expect(
            message("--aws-sigv4", "aws:amz")
                == "The authentication needs a name and a password: give them with -u USER:PASSWORD.")
        // As curl has it: a server that asks gets no answer.
        #expect(try configuration("--digest").transport.authentication == nil)
        #expect(try configuration("--ntlm").transport.authentication == nil)
        #expect(message("-u", "ada") == "-u ada has no password. It takes USER:PASSWORD, or USER: for an empty one.")
    }

    @Test func `a proxy, its credentials and the hosts without it`() throws {
        let options = try configuration("-x", "p:1", "-U", "u:p", "--proxy-digest").transport
        #expect(options.proxy == "p:1")
        #expect(options.proxyCredential == Credential(user: "u", password: "p"))
        #expect(options.proxyAuthentication == .digest)
        #expect(try configuration("-x", "p:1", "--noproxy", "x,h").transport.wire.proxyExceptions == "x,h")
        #expect(try configuration("--socks5-hostname", "p:2").transport.proxy == "socks5h://p:2")
    }
}
