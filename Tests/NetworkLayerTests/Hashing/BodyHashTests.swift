import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// HSH-1.
@Suite(.watchesEvents) struct BodyHashTests {
    /// Of "hello", as md5sum and its relatives print them.
    static let hello: [(HashAlgorithm, String)] = [
        (.md5, "5d41402abc4b2a76b9719d911017c592"), (.sha1, "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"),
        (.sha256, "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"),
        (
            .sha512,
            "9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca72323c3d99ba5c11d7c7acc6e14b8c5da0c4663475c2e5c3adef46f73bcdec043"
        ),
    ]

    func run(
        _ consumption: ResponseConsumption, _ algorithm: HashAlgorithm?, _ script: Script
    ) async throws -> Response {
        let time = ManualTimeSource()
        let client = NetworkClient(transport: ScriptedTransport(time: time) { _ in script }, time: time).watched()
        var configuration = RequestConfiguration()
        configuration.consumption = consumption
        configuration.hash = algorithm
        let operation = try RequestOperationQueue(identifier: "test", client: client)
            .enqueue(.get("http://a.test/"), configuration: configuration)
        let response = await operation.response
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
        return response
    }

    static let pieces: Script = [
        .head(ResponseHead(status: .ok)), .body(Data("hel".utf8), received: 3, expected: nil),
        .body(Data("lo".utf8), received: 5, expected: nil), .finished(TransferResult()),
    ]

    @Test(arguments: hello)
    func `HSH-1 the digest of the body is in the attempt, with its algorithm`(algorithm: HashAlgorithm, expected: String)
        async throws
    {
        let response = try await run(.memory(spillOver: 100), algorithm, Self.pieces)
        let hash = try #require(response.metrics.attempts[0].bodyHash)
        #expect(hash.description == "\(algorithm.rawValue):\(expected)")
        #expect(response.info?.hash == hash)
    }

    @Test(arguments: [ResponseConsumption.none, .memory(spillOver: 1), .file(directory: nil), .stream])
    func `HSH-1 wherever the body goes it is hashed, also when it is dropped`(consumption: ResponseConsumption) async throws {
        #expect(try await run(consumption, .md5, Self.pieces).info?.hash?.hexadecimal == Self.hello[0].1)
    }

    @Test func `HSH-1 there is none for a body that broke off, and none unless it was asked for`() async throws {
        let broken: Script = [
            .head(ResponseHead(status: .ok)), .body(Data("hel".utf8), received: 3, expected: 5),
            .finished(TransferResult(error: .reset)),
        ]
        #expect(try await run(.memory(spillOver: 100), .sha256, broken).metrics.attempts[0].bodyHash == nil)
        #expect(try await run(.memory(spillOver: 100), nil, Self.pieces).metrics.attempts[0].bodyHash == nil)
    }

    @Test func `HSH-1 a body without bytes has a digest too`() async throws {
        #expect(
            try await run(.memory(spillOver: 100), .md5, .respond()).info?.hash?.hexadecimal == "d41d8cd98f00b204e9800998ecf8427e")
    }

    @Test(arguments: hello)
    func `HSH-1 files and sequences of bytes are hashed the same way`(algorithm: HashAlgorithm, expected: String) async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.file("hello", Data("hello".utf8))
        #expect(try BodyHash(file: path, algorithm: algorithm).hexadecimal == expected)
        let stream = AsyncStream<Data> { continuation in
            for piece in ["he", "", "llo"] { continuation.yield(Data(piece.utf8)) }
            continuation.finish()
        }
        #expect(await stream.hash(algorithm).hexadecimal == expected)
        let missing = #expect(throws: NetworkError.self) { try BodyHash(file: "/nowhere/file", algorithm: algorithm) }
        #expect(missing?.code == .bodyReadFailed)
    }
}
