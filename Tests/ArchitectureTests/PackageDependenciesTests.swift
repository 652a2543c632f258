import Foundation
import Testing

/// Package.swift names every module that a target imports. SwiftPM doesn't insist: an import that arrives through another dependency
/// compiles, and in a warm build even one that nothing brings in, as long as somebody has built the module.
@Suite struct PackageDependenciesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// What comes with the compiler, and what every module has as a dependency.
    private static let toolchain: Set<String> = [
        "Swift", "Synchronization", "FoundationEssentials", "Foundation", "Dispatch", "Glibc", "Musl", "Darwin", "Testing",
        "XCTest", "Base",
    ]

    @Test func `a target imports only what its dependencies in Package swift are`() throws {
        let package = try PackageText(String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8))
        var seen = 0
        for target in package.targets {
            let allowed = Self.toolchain.union(target.modules).union([target.module])
            for (place, module) in try Self.imports(in: target.path) {
                seen += 1
                #expect(allowed.contains(module), "\(place): \(target.name) has no dependency with \(module)")
            }
        }
        #expect(seen > 1000, "the test found hardly any import: does it still look in the right place?")
    }

    @Test func `the network layer's own manifest says the same of its targets, and resolves what they use alone`() throws {
        let all = try PackageText(String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8))
        let text = try String(contentsOf: Self.root.appending(path: "Library/Package.swift"), encoding: .utf8)
        let own = PackageText(text)
        #expect(own.targets.count >= 8)
        for target in own.targets { #expect(all.targets.contains(target), "\(target.name)") }
        let packages = text.matches(of: /\.package\(url: "[^"]*\/([^"\/]+)"/).map { String($0.1) }
        let used = Set(text.matches(of: /package: "([^"]+)"/).map { String($0.1) })
        #expect(Set(packages) == used)
        for folder in ["Sources", "Tests"] {
            let link = Self.root.appending(path: "Library/\(folder)").path
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../\(folder)")
        }
    }

    @Test func `every folder of code is a target's`() throws {
        let package = try PackageText(String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8))
        let folders = try ["Sources", "Tests"].flatMap { parent in
            try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: parent).path).map { "\(parent)/\($0)" }
        }
        let withCode = try folders.filter { try !Self.imports(in: $0).isEmpty }
        #expect(Set(withCode).subtracting(package.targets.map(\.path)) == [])
    }

    private static func imports(in folder: String) throws -> [(place: String, module: String)] {
        guard let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path) else { return [] }
        var found: [(String, String)] = []
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: root.appending(path: folder).appending(path: file), encoding: .utf8)
            var isInString = false
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                // What stands in a string may be another language.
                if !line.ranges(of: "\"\"\"").count.isMultiple(of: 2) { isInString.toggle() }
                guard !isInString, let module = LayeringTests.importedModule(in: line) else { continue }
                found.append(("\(folder)/\(file):\(index + 1)", module))
            }
        }
        return found
    }

    @Test func `reads targets however they are written`() {
        let package = PackageText(
            """
            let all = Target.Dependency.product(name: "Collections", package: "swift-collections")
            func module(_ name: String) -> Target { .target(name: name) }
            module("Alone"),
            module("One", ["Alone", all], exclude: ["README.md"]),
            .executableTarget(
                name: "a-program",
                dependencies: [
                    "One",
                    all,
                ],
                path: "Tests/Program", swiftSettings: settings),
            tests("OneTests", ["a-program"]),
            """)
        let collections: Set = ["Collections", "DequeModule", "HeapModule", "OrderedCollections"]
        #expect(
            package.targets == [
                .init(name: "Alone", path: "Sources/Alone", modules: []),
                .init(name: "One", path: "Sources/One", modules: collections.union(["Alone"])),
                .init(name: "a-program", path: "Tests/Program", modules: collections.union(["One"])),
                .init(name: "OneTests", path: "Tests/OneTests", modules: ["a_program"]),
            ])
    }
}

/// The targets in the text of a Package.swift like ours: `module`, `tests`, `.target` and the like, their name first.
private struct PackageText {
    var targets: [Target] = []

    struct Target: Equatable {
        var name: String
        /// Below the package.
        var path: String
        /// What its dependencies let it import.
        var modules: Set<String>

        var module: String { PackageText.module(name) }
    }

    /// The modules of a product, where they aren't one of its name.
    private static let modules: [String: Set<String>] = [
        "Collections": ["Collections", "DequeModule", "HeapModule", "OrderedCollections"]
    ]

    init(_ text: String) {
        var products: [String: String] = [:]
        for match in text.matches(of: /let (\w+) = Target\.Dependency\.product\(name: "([^"]+)"/) {
            products[String(match.1)] = String(match.2)
        }
        for match in text.matches(
            of: /(module|tests|\.target|\.executableTarget|\.testTarget|\.systemLibrary)\(\s*(?:name: )?"([^"]+)"/)
        {
            let name = String(match.2)
            let call = Self.call(text[match.range.lowerBound...])
            let parent = match.1 == "tests" || match.1 == ".testTarget" ? "Tests" : "Sources"
            let path = call.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) } ?? "\(parent)/\(name)"
            targets.append(Target(name: name, path: path, modules: Self.dependencies(in: call, products)))
        }
    }

    /// Up to the parenthesis that closes it.
    private static func call(_ text: Substring) -> Substring {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "(": depth += 1
            case ")":
                depth -= 1
                if depth == 0 { return text[...index] }
            default: break
            }
        }
        return text
    }

    private static func dependencies(in call: Substring, _ products: [String: String]) -> Set<String> {
        let part = call.firstRange(of: "exclude:").map { call[..<$0.lowerBound] } ?? call
        guard !part.hasPrefix(".systemLibrary"), let start = part.firstIndex(of: "["),
            let end = part[start...].firstIndex(of: "]")
        else { return [] }
        let words = part[part.index(after: start)..<end].split { $0 == "," || $0.isWhitespace }
        return words.reduce(into: []) { found, word in
            if word.hasPrefix("\"") {
                found.insert(module(String(word.dropFirst().dropLast())))
            } else if let product = products[String(word)] {
                found.formUnion(modules[product] ?? [product])
            }
        }
    }

    private static func module(_ name: String) -> String { name.replacing("-", with: "_") }
}
