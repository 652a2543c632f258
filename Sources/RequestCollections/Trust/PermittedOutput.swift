package import Base
import NetworkLayer

/// A file that an answer may be written to, since a person has allowed it.
package struct PermittedOutput: Hashable, Sendable {
    /// Without links, so that what was judged is what is written.
    package let path: String
    /// The path as the collection writes it, for messages.
    package let name: String

    /// - Parameter permit: to write this path.
    init(_ path: String, named name: String, _ permit: Permission) {
        self.path = path
        self.name = name
    }

    /// Puts the bytes there in one step: until then, and when that fails, what was there before stays. Missing directories are made.
    package func write(_ bytes: Data) throws(CollectionFileError) {
        do throws(SystemCallError) {
            let directory = try openDirectory()
            defer { close(directory) }
            try Self.write(bytes, to: String(path.pieces(at: "/").last ?? ""), in: directory)
        } catch {
            throw CollectionFileError(path: name, message: "can't be written: \(error.message)")
        }
    }

    /// Nothing on the way may be a link any more: it was none when the path was judged.
    private func openDirectory() throws(SystemCallError) -> Int32 {
        let directory = RequestCollections.directory(of: path)
        var here = ""
        for name in directory.pieces(at: "/") where !name.isEmpty {
            here += "/\(name)"
            guard mkdir(here, 0o777) == 0 || errno == EEXIST || FileContents.isDirectory(here) else { throw .last }
        }
        let descriptor = FileContents.openWithoutLinks(directory.isEmpty ? "/" : directory)
        guard descriptor >= 0 else { throw .last }
        return descriptor
    }

    private static func write(_ bytes: Data, to name: String, in directory: Int32) throws(SystemCallError) {
        let old = try status(of: name, in: directory)
        let temporary = ".\(UInt64.random(in: .min ... .max)).part"
        let file = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, old == nil ? 0o666 : 0o600)
        guard file >= 0 else { throw .last }
        defer { close(file) }
        do throws(SystemCallError) {
            guard writeAll(bytes, to: file) else { throw .last }
            // What was private stays so.
            if let old, fchmod(file, old.st_mode & 0o777) != 0 { throw .last }
            guard fsync(file) == 0, renameat(directory, temporary, directory, name) == 0 else { throw .last }
        } catch {
            unlinkat(directory, temporary, 0)
            throw error
        }
    }

    /// - Returns: `nil` when nothing has the name. A device or a pipe isn't for us to put a file in its place.
    private static func status(of name: String, in directory: Int32) throws(SystemCallError) -> stat? {
        var status = stat()
        guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw .last }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemCallError(EEXIST) }
        return status
    }

    private static func writeAll(_ bytes: Data, to file: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = SystemCall.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress!, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
