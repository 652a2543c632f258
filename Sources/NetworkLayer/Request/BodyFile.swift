package import Base

/// A file whose bytes are a body, or a part of one. It is opened when it is sent, once an attempt.
///
/// Two are equal when they have the same path.
public struct BodyFile: Sendable, Hashable, CustomStringConvertible {
    /// As it was given.
    public let path: String
    private let opening: (@Sendable () -> Int32)?

    /// The file is opened when it is sent, so its absence is an error of the attempt: code `fileFailed`.
    public init(path: String) {
        self.path = path
        opening = nil
    }

    /// A file that not everything at its path may take the place of.
    ///
    /// - Parameter opening: gives a descriptor for whoever calls it, or -1 with `errno` set.
    package init(path: String, opening: @escaping @Sendable () -> Int32) {
        self.path = path
        self.opening = opening
    }

    /// - Returns: a descriptor, or -1 with `errno` set. A pipe without a writer doesn't hold it up.
    func descriptor() -> Int32 {
        opening?() ?? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }

    /// All of it, in memory.
    package func contents() throws(NetworkError) -> Data {
        let reader = try FileBodyReader(self)
        defer { reader.close() }
        var contents = Data()
        while case .bytes(let data) = try reader.read(atMost: 1 << 20, wake: {}) { contents += data }
        return contents
    }

    public var description: String { path }

    public static func == (left: Self, right: Self) -> Bool { left.path == right.path }

    public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
