public import Base

extension BodyHash {
    /// Hashes a file in pieces of 1 MiB; blocks until it is read.
    public init(file path: String, algorithm: HashAlgorithm) throws(NetworkError) {
        let reader = try FileBodyReader(path: path)
        defer { reader.close() }
        var digest = BodyDigest(algorithm)
        while case .bytes(let data) = try reader.read(atMost: 1 << 20, wake: {}) { digest.update(data) }
        self = digest.hash
    }
}

extension AsyncSequence where Element == Data {
    /// Hashes everything that comes, for example from ``RequestOperation/body``.
    public func hash(_ algorithm: HashAlgorithm) async throws(Failure) -> BodyHash {
        var digest = BodyDigest(algorithm)
        var iterator = makeAsyncIterator()
        while let data = try await iterator.next(isolation: nil) { digest.update(data) }
        return digest.hash
    }
}
