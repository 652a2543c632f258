import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open file that is read from its start to its end.
final class FileReader: Sendable {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(CollectionFileError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CollectionFileError(path: path, message: "can't be read: \(FileContents.lastError())")
        }
    }

    deinit { close(descriptor) }

    /// Empty at the end of the file.
    func read(atMost limit: Int) throws(CollectionFileError) -> Data {
        let (bytes, failure) = FileContents.bytes(descriptor, limit)
        if let failure { throw CollectionFileError(path: path, message: "can't be read: \(FileContents.describe(failure))") }
        return Data(bytes)
    }
}
