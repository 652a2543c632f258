import Foundation
import Glibc

/// A file of mode 0600 that is replaced in one step: a temporary file beside it, `fsync`, `rename`.
struct PrivateTokenFile: Sendable {
    let path: String

    init(_ path: String) { self.path = path }

    /// Reads it, and writes what `change` makes of it; nobody else who uses this comes between.
    func change(_ change: (Data?) -> Data) throws(TokenFileError) {
        try makeDirectory()
        let lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw failure() }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure() }
        }
        try replace(with: change(FileManager.default.contents(atPath: path)))
    }

    private func replace(with data: Data) throws(TokenFileError) {
        var name = Array("\(path).XXXXXX".utf8CString)
        // mkstemp(3) makes it with mode 0600.
        let file = mkstemp(&name)
        guard file >= 0 else { throw failure() }
        let temporary = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        let isWritten = Self.write(data, to: file) && fsync(file) == 0
        var problem: TokenFileError? = isWritten ? nil : failure()
        if close(file) != 0, problem == nil { problem = failure() }
        if problem == nil, rename(temporary, path) != 0 { problem = failure() }
        if let problem {
            unlink(temporary)
            throw problem
        }
    }

    private static func write(_ data: Data, to file: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(file, bytes.baseAddress! + written, bytes.count - written)
                if count >= 0 { written += count } else if errno != EINTR { return false }
            }
            return true
        }
    }

    private func makeDirectory() throws(TokenFileError) {
        let directory = URL(filePath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw TokenFileError(path: path, reason: "its directory can't be made")
        }
    }

    private func failure() -> TokenFileError {
        TokenFileError(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
}

struct TokenFileError: Error, Hashable, Sendable {
    var path: String
    var reason: String
}
