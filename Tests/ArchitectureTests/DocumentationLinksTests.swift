import Foundation
import Testing

/// The links of the documentation of the libraries lead somewhere: every part of ``Type/member`` is declared, and where a function
/// is named with its labels, there is one with these. DocC would tell, too, but isn't in every toolchain.
@Suite struct DocumentationLinksTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let libraries = ["NetworkLayer", "CurlTransport", "MockTransport", "NetworkMonitor"]

    /// The text of every file of the libraries, by its path.
    static let files: [String: String] = {
        var files: [String: String] = [:]
        for library in libraries {
            let folder = root.appending(path: "Sources/\(library)")
            for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init()
            where path.hasSuffix(".swift") || path.hasSuffix(".md") {
                files["\(library)/\(path)"] = try? String(contentsOf: folder.appending(path: path), encoding: .utf8)
            }
        }
        return files
    }()

    @Test func `every link of the libraries' documentation leads to a declaration`() throws {
        let code = Self.files.filter { $0.key.hasSuffix(".swift") }.values
            .flatMap { $0.split(separator: "\n").map { $0.components(separatedBy: "//")[0] } }.joined(separator: "\n")
        let declarations = Declarations(code)
        var dead: [String] = []
        var count = 0
        for (path, text) in Self.files.sorted(by: { $0.key < $1.key }) {
            for line in text.split(separator: "\n") where path.hasSuffix(".md") || line.contains("///") {
                for link in line.matches(of: /``([^`]+)``/) {
                    count += 1
                    let isDead = link.1.split(separator: "/").contains { !declarations.has(String($0)) }
                    if isDead { dead.append("\(path): ``\(link.1)``") }
                }
            }
        }
        #expect(dead == [])
        #expect(count > 250)
    }

    /// What is declared in a text, by name; functions with the labels of their parameters.
    private struct Declarations {
        private var names = Set(libraries)
        private var functions: Set<String> = []

        init(_ code: String) {
            // A range opens no bracket.
            let code = code.replacing("..<", with: "...")
            for match in code.matches(of: /\b(?:func|var|let|case|struct|enum|class|protocol|typealias)\s+`?(\w+)/) {
                names.insert(String(match.1))
            }
            // The others of `case one, two`, and of an `OptionSet` nothing.
            for match in code.matches(of: /\bcase\s+([^\n:{]+)/) {
                for name in match.1.matches(of: /(?:^|,)\s*`?(\w+)/) { names.insert(String(name.1)) }
            }
            for match in code.matches(of: /\b(?:func\s+`?(\w+)`?|(init)|case\s+(\w+))(?:<[^>(]*>)?\(/) {
                let name = match.1 ?? match.2 ?? match.3 ?? ""
                names.insert(String(name))
                functions.insert("\(name)(\(Self.labels(code[match.range.upperBound...])))")
            }
        }

        /// - Parameter text: begins behind the opening parenthesis.
        private static func labels(_ text: Substring) -> String {
            var depth = 0
            var parameters: [Substring] = []
            var start = text.startIndex
            loop: for index in text.indices {
                switch text[index] {
                case "(", "[", "{", "<": depth += 1
                case ")" where depth == 0, "," where depth == 0:
                    parameters.append(text[start..<index])
                    start = text.index(after: index)
                    if text[index] == ")" { break loop }
                case ")", "]", "}": depth -= 1
                // That of an arrow closes nothing.
                case ">": depth = max(0, depth - 1)
                default: break
                }
            }
            return parameters.filter { !$0.allSatisfy(\.isWhitespace) }
                .map { $0.contains(":") ? ($0.firstMatch(of: /\w+/)?.0 ?? "_") + ":" : "_:" }.joined()
        }

        func has(_ part: String) -> Bool {
            // Behind a hyphen is what DocC tells namesakes apart by.
            let part = part.split(separator: "-").first.map(String.init) ?? part
            return part.contains("(") ? functions.contains(part) : names.contains(part)
        }
    }
}
