import Foundation
import ServerTesting
import TerminalTesting
import Testing

/// What CI systems are given: the action's steps and GitLab's lines, as their shells run them. Building is left to `make`, which is none here.
@Suite(.serialized) struct IntegrationSnippetsTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The scripts below `run: |`, without their indentation.
    private static func steps(of action: String) -> [String] {
        action.components(separatedBy: "run: |\n").dropFirst().map { part in
            let lines = part.components(separatedBy: "\n")
            let indent = lines[0].prefix { $0 == " " }
            return lines.prefix { $0.hasPrefix(indent) }.map { String($0.dropFirst(indent.count)) }.joined(separator: "\n")
        }
    }

    /// A home with a program `make` that notes its words, and a collection with a check that holds and one that doesn't.
    private func home() throws -> Program.Home {
        let home = Program.Home()
        try FileManager.default.createDirectory(atPath: home.path("bin"), withIntermediateDirectories: true)
        for name in ["make", "git", "apt-get"] {
            try "#!/bin/sh\necho \(name) \"$@\" >> \(home.path("noted"))\n".write(
                toFile: home.path("bin/\(name)"), atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path("bin/\(name)"))
        }
        let collection = """
            turnstone: 1
            environments: { staging: { total: 3 } }
            requests:
              good:
                { get: "http://127.0.0.1:9/", tags: [smoke], mock: { body: { total: 3 } }, expect: { body: { .total: "{{total}}" } } }
              bad: { get: "http://127.0.0.1:9/", mock: { status: 500 }, expect: { status: 200 } }

            """
        try collection.write(toFile: home.path("shop.yaml"), atomically: true, encoding: .utf8)
        return home
    }

    private func told(_ script: String, _ variables: [String: String], in home: Program.Home) async throws -> String {
        let bin = URL(filePath: Program.path).deletingLastPathComponent().path()
        let environment = [
            "HOME": home.path, "XDG_STATE_HOME": "", "NO_COLOR": "1", "PATH": "\(home.path("bin")):\(bin):/usr/bin:/bin",
        ].merging(variables) { $1 }
        // As the runner of GitHub calls bash.
        let script = "cat > step.sh <<'END OF STEP'\n\(script)\nEND OF STEP\nbash -eo pipefail step.sh; echo status=$?"
        let terminal = try PseudoTerminal(["/bin/bash", "-c", script], environment: environment, directory: home.path)
        defer { terminal.stop() }
        try await terminal.wait(for: "status=")
        _ = try await terminal.waitForExit()
        return String(decoding: terminal.written, as: UTF8.self).replacing("\r\n", with: "\n")
    }

    @Test func `the action builds unless the program is in the cache, and puts it on the path`() async throws {
        let step = try #require(Self.steps(of: try Self.text("action.yml")).first)
        for isCached in [false, true] {
            let home = try home()
            let told = try await told(
                step, ["CACHED": isCached ? "true" : "", "SOURCES": "/sources of it", "GITHUB_PATH": home.path("path")], in: home)
            #expect(told.contains("status=0"))
            let noted = try String(contentsOfFile: home.path("noted"), encoding: .utf8)
            #expect(noted.hasPrefix("make -C /sources of it .build/packages-to-build YES=1\n"))
            #expect(noted.contains("build install PREFIX=\(home.path("")).local/share/turnstone-action") != isCached)
            let path = try String(contentsOfFile: home.path("path"), encoding: .utf8)
            #expect(path == "\(home.path("")).local/share/turnstone-action/bin\n")
        }
    }

    @Test func `the action runs a collection: red with an annotation, green with what is chosen`() async throws {
        let step = try #require(Self.steps(of: try Self.text("action.yml")).last)
        let home = try home()
        var inputs = [
            "COLLECTION": "shop.yaml", "ENVIRONMENT": "staging", "TRUST": "", "REPORT": "out.xml", "ARGUMENTS": "--mocks",
            "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": home.path,
        ]
        let red = try await told(step, inputs, in: home)
        #expect(red.contains("status=1"))
        #expect(red.contains("::error file=shop.yaml,line=6"))
        #expect(try String(contentsOfFile: home.path("out.xml"), encoding: .utf8).contains(#"tests="2" failures="1""#))

        inputs["ARGUMENTS"] = "--mocks  --tag smoke"
        let green = try await told(step, inputs, in: home)
        #expect(green.contains("status=0"))
        // Found by itself, and a word of a hostile input stays a word.
        inputs["COLLECTION"] = "."
        inputs["ARGUMENTS"] = "--mocks --tag smoke"
        inputs["REPORT"] = "$(touch hacked) .xml"
        #expect(try await told(step, inputs, in: home).contains("status=0"))
        #expect(!FileManager.default.fileExists(atPath: home.path("hacked")))
        #expect(FileManager.default.fileExists(atPath: home.path("$(touch hacked) .xml")))
    }

    @Test func `each input of the action is used, and the manual's example names only such`() throws {
        let action = try Self.text("action.yml")
        let head = try #require(action.components(separatedBy: "runs:").first)
        let inputs = head.matches(of: /(?m)^  (\w+):$/).map { String($0.1) }
        #expect(inputs == ["collection", "environment", "trust", "report", "arguments"])
        #expect(inputs.filter { !action.contains("inputs.\($0) ") } == [])
        let example = try #require(
            try Self.text("docs/ci.md").components(separatedBy: "- uses: ./.turnstone\n        with:\n").last)
        let given = example.components(separatedBy: "env:")[0].matches(of: /(?m)^          (\w+):/).map { String($0.1) }
        #expect(given.count == 5 && given.filter { !inputs.contains($0) } == [])
    }

    @Test func `GitLab's lines clone, build and run`() async throws {
        let page = try Self.text("docs/ci.md")
        let script = try #require(page.components(separatedBy: "  script:\n").last).components(separatedBy: "  artifacts:")[0]
        let lines = script.split(separator: "\n").map { $0.trimmingPrefix("    - ") }.joined(separator: "\n")
            .replacing("--env staging", with: "good --mocks --env staging")
        let home = try home()
        // What the collection wants is nothing: the hash of that.
        let told = try await told(
            "export SHOP_TRUST=$(turnstone trust shop.yaml --hash)\n" + lines,
            ["TURNSTONE_REPOSITORY": "https://git.example.com/turnstone"], in: home)
        #expect(told.contains("status=0"))
        let noted = try String(contentsOfFile: home.path("noted"), encoding: .utf8)
        #expect(
            noted.contains("git clone --depth 1 https://git.example.com/turnstone .turnstone\nmake -C .turnstone build install\n"))
        #expect(FileManager.default.fileExists(atPath: home.path("report.xml")))
    }
}
