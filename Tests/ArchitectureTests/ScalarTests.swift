import Foundation
import Testing

/// To Swift a quote with an accent behind it is one character and not a quote, and `"\r\n"` is one and not a line feed. Who writes for a
/// shell, a server or a file, or reads what one wrote, goes by scalars: `replacing(scalars:with:)`, `escaping(_:)`, `begins(with:)`,
/// `ends(with:)`, `pieces(at:)`, `halves(at:)` and `lines` of NetworkLayer.
@Suite struct ScalarTests {
    private let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    /// Folders and files that write or read the syntax of others.
    private static let syntax = [
        "NetworkLayer/Cache/CacheControl.swift", "NetworkLayer/Challenges/", "NetworkLayer/Cookies/CookieFile.swift",
        "NetworkLayer/Cookies/CookieTransport.swift", "NetworkLayer/Cookies/SetCookie.swift", "NetworkLayer/HTTP/",
        "NetworkLayer/Queue/Backoff/RateLimitFields.swift", "NetworkLayer/Redaction/", "NetworkLayer/Request/CurlCommand.swift",
        "CurlTransport/CertificateReader.swift", "RequestCollections/Saving/ScalarWriter.swift",
        "RequestCollections/Trust/CollectionPlace.swift",
        "RequestCollections/Trust/CommandFiles.swift", "RequestCollections/Trust/CommandWatch.swift",
        "RequestCollections/Trust/CommandGround.swift", "RequestCollections/Trust/CommandLimit.swift",
        "RequestCollections/Trust/CommandWords.swift", "RequestCollections/Trust/ProgramFiles.swift",
        "RequestCollections/Trust/Runner.swift",
        "RequestCollections/Trust/ShellWord.swift",
        "Interchange/Curl/CertificateArgument.swift", "Interchange/Curl/Import/CurlCommandReader+Fields.swift",
        "Interchange/Curl/Import/CurlFormArgument.swift", "Interchange/Import/TemplateText+Percent.swift",
        "Interchange/Curl/CurlExport.swift", "Interchange/Curl/ShellReferences.swift", "Interchange/Locust/PythonText.swift",
        "CommandLineInterface/Run/Reports/", "CommandLineInterface/Send/Output/OutputNames.swift",
    ]

    /// A text replaced by another goes by characters; one that a regular expression finds says itself what it goes by.
    @Test func `no text is replaced by characters`() throws {
        #expect(try lines { $0.contains(".replacing(\"") } == [])
    }

    /// The demo server does without NetworkLayer, and reads heads that end in line feeds behind carriage returns alone.
    @Test func `no text is parted into lines by characters`() throws {
        #expect(
            try lines { $0.contains(#"split(separator: "\n""#) || $0.contains(#"split(separator: "\r\n""#) }.filter {
                !$0.hasPrefix("DemoServer/")
            } == [])
    }

    @Test func `the syntax of others isn't looked for by characters`() throws {
        let found = try lines { line in
            // Quick to say for most lines.
            (line.contains("(\"") || line.contains(": \""))
                && line.contains(
                    /\.(hasPrefix|hasSuffix|contains|split|firstIndex|lastIndex)\((separator: |of: )?"[^"A-Za-z0-9_]+"/)
                && !line.contains(/unicodeScalars|utf8/)
        }
        #expect(found.filter { line in Self.syntax.contains { line.hasPrefix($0) } } == [])
        for place in Self.syntax {
            #expect(FileManager.default.fileExists(atPath: sources.appending(path: place).path), "\(place)")
        }
    }

    /// `file:line: code`, comments aside.
    private func lines(_ isMeant: (Substring) -> Bool) throws -> [String] {
        var found: [String] = []
        var seen = 0
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                seen += 1
                let code = line.drop { $0 == " " }
                if !code.hasPrefix("//"), isMeant(code) { found.append("\(file):\(number + 1): \(code)") }
            }
        }
        #expect(seen > 10_000, "the test found hardly any source: does it still look in the right place?")
        return found.sorted()
    }
}
