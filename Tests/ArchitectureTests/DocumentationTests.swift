import Foundation
import Testing

/// Whoever uses the library reads its comments: every public declaration has one, and every line of cases of a public enum. What fulfils a
/// requirement of a protocol may go without, because it has the protocol's.
@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let folders = [
        "Sources/NetworkLayer", "Sources/CurlTransport", "Sources/MockTransport", "Sources/NetworkMonitor",
        "Sources/NetworkLayerMetrics", "Sources/NetworkLayerTracing", "Tests/NetworkLayerTesting",
    ]

    /// Requirements of the standard library's protocols.
    private static let standard: Set = [
        "==", "<", "hash", "encode", "description", "debugDescription", "customMirror", "errorDescription", "rawValue", "id",
        "makeAsyncIterator", "next", "Iterator", "AsyncIterator", "Element", "Failure",
    ]

    @Test func `every public declaration of the library has a comment`() throws {
        let files = try Self.folders.flatMap(Self.files)
        let ours = Set(files.flatMap { Self.requirements(in: $0.text) })
        #expect(ours.contains("func start") && !ours.contains("var start"))
        var count = 0
        for file in files {
            let found = Self.declarations(in: file.text)
            count += found.count
            for declaration in found where !declaration.isDocumented {
                let isInherited = Self.standard.contains(declaration.name) || ours.contains(declaration.requirement)
                #expect(isInherited || declaration.isOfProtocol, "\(file.path):\(declaration.line): \(declaration.name)")
            }
        }
        #expect(count > 1000, "the test found hardly any declaration: does it still look in the right place?")
    }

    @Test func `knows a declaration without a comment, and one that has its protocol's`() {
        let text = """
            /// A protocol.
            public protocol Bird {
                /// Sings.
                func sing() async
                func fly()
            }
            public struct Knot: Bird {
                /// How long.
                @available(*, deprecated)
                public static let length = 24
                public init(from decoder: any Decoder) throws {}
                public var age: Int
                public enum Plumage {
                    /// Both.
                    case winter, summer
                    public enum Pattern {
                        /// None.
                        case plain
                    }
                    indirect case moulting(Plumage)
                    func name() { switch self { case .winter: break } }
                }
                private enum Key { case age }
            }
            enum Nest {
                case high
            }
            """
        let found = Self.declarations(in: text)
        #expect(
            found.filter { !$0.isDocumented && !$0.isOfProtocol }.map(\.name) == [
                "fly", "Knot", "age", "Plumage", "Pattern", "moulting",
            ])
        #expect(Self.requirements(in: text) == ["func sing"])
    }

    private struct Declaration {
        var line: Int
        var name: String
        /// With its kind, as a protocol would require it; none for what belongs to a type itself.
        var requirement: String
        var isDocumented: Bool
        /// Of Decodable, RawRepresentable or a literal.
        var isOfProtocol: Bool
    }

    private static func files(in folder: String) throws -> [(path: String, text: String)] {
        guard let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path) else { return [] }
        return try files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map {
            ("\(folder)/\($0)", try String(contentsOf: root.appending(path: folder).appending(path: $0), encoding: .utf8))
        }
    }

    /// Its keyword, and its name if it has one.
    nonisolated(unsafe) private static let declaration =
        /^(?:(?:public|static|final|indirect|mutating|convenience) )*(func|var|let|init|subscript|struct|class|enum|protocol|typealias|case) ?[`(]?([\w<=>+-]*)/

    private static func isInProtocol(after line: Substring, _ before: Bool) -> Bool {
        if line.hasPrefix("public protocol ") { return !line.hasSuffix("}") }
        return before && !line.hasPrefix("}")
    }

    private static func declarations(in text: String) -> [Declaration] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var isInProtocol = false
        // How far the cases are indented of each public enum that the line is in.
        var enums: [Int] = []
        return lines.indices.compactMap { index in
            let line = lines[index]
            isInProtocol = Self.isInProtocol(after: line, isInProtocol)
            let words = line.drop { $0 == " " }
            let indent = line.count - words.count
            if words.contains(/^public [a-z ]*enum .*\{$/) {
                enums.append(indent + 4)
            } else if words.hasPrefix("}"), enums.last == indent + 4 {
                enums.removeLast()
            }
            let isCase = indent == enums.last && words.contains(/^(indirect )?case\b/)
            guard words.hasPrefix("public ") || isInProtocol || isCase, let match = words.firstMatch(of: declaration) else {
                return nil
            }
            var above = index - 1
            while above >= 0, lines[above].contains(/^ *@\w+(\(.*\))?$/) { above -= 1 }
            let isOfProtocol = words.contains(/\binit\??\((from decoder|rawValue|\w+Literal)/)
            return Declaration(
                line: index + 1, name: String(match.2.isEmpty ? match.1 : match.2),
                requirement: words.hasPrefix("public static ") ? "" : "\(match.1 == "let" ? "var" : match.1) \(match.2)",
                isDocumented: above >= 0 && lines[above].drop { $0 == " " }.hasPrefix("///"), isOfProtocol: isOfProtocol)
        }
    }

    /// The requirements of public protocols that have a comment.
    private static func requirements(in text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var isInProtocol = false
        return lines.indices.compactMap { index in
            isInProtocol = Self.isInProtocol(after: lines[index], isInProtocol)
            guard isInProtocol, index > 0, lines[index - 1].drop(while: { $0 == " " }).hasPrefix("///") else { return nil }
            return lines[index].firstMatch(of: /^ +(?:mutating |static )*((?:func|var) \w+)/).map { String($0.1) }
        }
    }
}
