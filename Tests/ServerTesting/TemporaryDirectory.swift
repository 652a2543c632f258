package import Foundation
import Synchronization

/// A directory that goes away with its last owner.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        var template = Array((NSTemporaryDirectory() + "/turnstone-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw ServerError("no temporary directory: \(String(cString: strerror(errno)))") }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Makes the directories above it, too.
    ///
    /// - Returns: the path of the file.
    @discardableResult
    package func write(_ name: String, _ content: Data) throws -> String {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file)
        return path + "/" + name
    }

    @discardableResult
    package func write(_ name: String, _ content: String) throws -> String {
        try write(name, Data(content.utf8))
    }

    package func file(_ name: String) -> String { path + "/" + name }

    package func read(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

    private static let kept: Mutex<[TemporaryDirectory]> = {
        atexit { TemporaryDirectory.kept.withLock { $0 = [] } }
        return Mutex([])
    }()

    /// This directory, until the process ends.
    package func kept() -> TemporaryDirectory {
        Self.kept.withLock { $0.append(self) }
        return self
    }
}

/// Looks for secrets in bytes, in every form in which they travel. Made without the program's own code: it is held against this.
package struct SecretHunt {
    /// By what it is called in a complaint.
    private var forms: [(name: String, bytes: Data)] = []

    /// - Parameter part: a text that all of them have, and nothing else: what is left of one that was cut, or coded in part.
    package init(_ secrets: [String: String], part: String) {
        forms.append(("a part of one", Data(part.utf8)))
        for (name, secret) in secrets.sorted(by: { $0.key < $1.key }) { add(secret, as: name) }
    }

    private mutating func add(_ secret: String, as name: String) {
        forms.append(("\(name), as it is", Data(secret.utf8)))
        let unreserved = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        let percent = secret.addingPercentEncoding(withAllowedCharacters: unreserved)!
        forms.append(("\(name), percent-encoded", Data(percent.utf8)))
        forms.append(("\(name), as a form", Data(percent.replacing("%20", with: "+").utf8)))
        let json = String(decoding: (try? JSONEncoder().encode([secret])) ?? Data(), as: UTF8.self).dropFirst(2).dropLast(2)
        forms.append(("\(name), in JSON", Data(json.utf8)))
        forms.append(("\(name), in JSON of others", Data(json.replacing("\\/", with: "/").utf8)))
        for scalar in [("&", "&amp;"), ("\"", "&quot;"), ("<", "&lt;")] where secret.contains(scalar.0) {
            forms.append(("\(name), in XML", Data(secret.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").utf8)))
        }
        // At any place of a longer text the letters in the middle are one of three.
        for offset in 0..<3 {
            let padded = Data(repeating: 0x78, count: offset) + Data(secret.utf8)
            let whole = padded.prefix(padded.count / 3 * 3).base64EncodedString().dropFirst(offset == 0 ? 0 : 4)
            forms.append(("\(name), in base64", Data(whole.utf8)))
            forms.append(("\(name), in base64 for URLs", Data(whole.replacing("+", with: "-").replacing("/", with: "_").utf8)))
        }
        forms.append(("\(name), in hexadecimal", Data(secret.utf8.map { String(format: "%02x", $0) }.joined().utf8)))
    }

    /// What is found, and what stands around it; sorted, once each.
    package func finds(in bytes: Data) -> [String] {
        Set(
            forms.compactMap { form in
                guard let range = bytes.range(of: form.bytes) else { return nil }
                let around = bytes[max(bytes.startIndex, range.lowerBound - 30)..<min(bytes.endIndex, range.upperBound + 30)]
                return "\(form.name): …\(String(decoding: around, as: UTF8.self))…"
            }
        ).sorted()
    }

    package func finds(in text: String) -> [String] { finds(in: Data(text.utf8)) }

    /// What is found in all files below a directory, each with its file.
    package func finds(below directory: String) throws -> [String] {
        var found: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: directory).sorted() {
            var isDirectory: ObjCBool = false
            let file = "\(directory)/\(path)"
            guard FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory), !isDirectory.boolValue else { continue }
            // The name, and then the bytes; a file that went away meanwhile has none.
            found += finds(in: path).map { "\($0), in the name \(path)" }
            guard let bytes = FileManager.default.contents(atPath: file) else { continue }
            found += finds(in: bytes).map { "\($0), in \(path)" }
        }
        return found
    }
}

/// A server for tests could not be had; the sentence says what to do.
package struct ServerError: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
