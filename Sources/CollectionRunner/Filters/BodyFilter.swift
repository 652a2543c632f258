package import FoundationEssentials
import Glibc
package import NetworkLayer
package import RequestCollections

/// A filter on a body: a path, evaluated here; a jq program, run by `jq`; or, after an exclamation mark, any shell command.
///
///     .items[0].id        .items | map(.id)        !wc -l
package struct BodyFilter: Hashable, Sendable {
    /// As it was written.
    package let source: String
    private let form: Form

    private enum Form: Hashable {
        case jq(JSONFilter)
        case shell(String)
    }

    package init(_ source: String) {
        self.source = source
        let text = source.drop { $0 == " " }
        form = text.hasPrefix("!") ? .shell(String(text.dropFirst())) : .jq(JSONFilter(source))
    }

    /// Whether what it gives are JSON values: what a command prints may be anything.
    package var givesJSON: Bool {
        if case .jq = form { true } else { false }
    }

    /// What programs may take and print.
    package struct Limits: Hashable, Sendable {
        package var timeout: Duration
        /// Bytes.
        package var output: Int
        /// Bytes that jq may reserve: it takes about twelve times those of a body.
        package var memory: Int

        package init(timeout: Duration = .seconds(30), output: Int = 64 << 20, memory: Int = defaultMemory) {
            self.timeout = timeout
            self.output = output
            self.memory = memory
        }

        /// The others on this machine keep half of it.
        package static let defaultMemory = min(4 << 30, max(256 << 20, Int(ProcessInfo.processInfo.physicalMemory / 2)))
    }

    package enum Body: Equatable, Sendable {
        case data(Data)
        /// A large body is never read into memory for a filter. The file stays as long as this value.
        case file(TemporaryFile)

        package static func == (left: Self, right: Self) -> Bool {
            switch (left, right) {
            case (.data(let left), .data(let right)): left == right
            case (.file(let left), .file(let right)): left === right
            default: false
            }
        }
    }

    /// What the filter makes of the body, for a reader: JSON in lines of its own, or what the command printed.
    ///
    /// - Parameter permit: leave for a command; the others take none.
    /// - Throws: a ``BodyFilterError``; cancelling the task ends the program.
    package func output(
        of body: Body, environment: [String: String] = ProcessInfo.processInfo.environment, permit: Permit? = nil,
        limits: Limits = Limits()
    ) async throws(BodyFilterError) -> Data {
        switch form {
        case .jq(let filter) where !filter.needsJQ: return try Self.evaluate(filter, body, limit: limits.output)
        case .jq(let filter): return try await Self.run(filter, body, environment, limits)
        case .shell(let line):
            guard let permit else { throw BodyFilterError("the command `\(line)` isn't allowed") }
            return try await Self.run(["sh", "-c", line], "the command", body, environment, limits, permit)
        }
    }

    /// The JSON values that a filter makes of a body, for captures and expectations.
    package func values(
        of body: Body, environment: [String: String] = ProcessInfo.processInfo.environment, permit: Permit? = nil,
        limits: Limits = Limits()
    ) async throws(BodyFilterError) -> [JSONValue] {
        if case .jq(let filter) = form, filter.needsJQ { try await Self.checkDigits(filter, body, environment, limits) }
        let output = try await output(of: body, environment: environment, permit: permit, limits: limits)
        do throws(JSONFilterError) {
            return output.isEmpty ? [] : try JSONFilter(".").values(in: output)
        } catch {
            throw BodyFilterError("what `\(source)` printed isn't JSON")
        }
    }

    /// What an old jq makes of a long integer is another number, and would pass for it.
    private static func checkDigits(
        _ filter: JSONFilter, _ body: Body, _ environment: [String: String], _ limits: Limits
    ) async throws(BodyFilterError) {
        let inBody: String?
        do throws(JSONFilterError) {
            inBody = try contents(body).withUnsafeBytes { LongInteger.first(in: $0) }
        } catch {
            throw BodyFilterError(error.message)
        }
        guard let integer = inBody ?? LongInteger.first(in: filter.source.utf8), filter.refusedName == nil,
            let version = await JQProgram(in: environment, limits: limits)?.version(), JQProgram.roundsIntegers(version)
        else { return }
        throw BodyFilterError(
            "\(inBody == nil ? "it" : "the body") has the integer \(integer), and \(version) loses the last digits of such; "
                + "jq 1.7 keeps them, and so do paths such as `.a.b[0]`")
    }

    private static func evaluate(_ filter: JSONFilter, _ body: Body, limit: Int) throws(BodyFilterError) -> Data {
        var output = Data()
        var isTooLong = false
        do throws(JSONFilterError) {
            try filter.find(in: try contents(body)) { text in
                guard output.count + text.count <= limit else { return isTooLong = true }
                output.append(contentsOf: text)
                output.append(0x0A)
            }
        } catch {
            throw BodyFilterError(error.message)
        }
        if isTooLong { throw BodyFilterError("what `\(filter.source)` finds is longer than \(limit >> 20) MiB") }
        return output
    }

    private static func contents(_ body: Body) throws(JSONFilterError) -> Data {
        switch body {
        case .data(let data): return data
        case .file(let file):
            // Mapped, so that its pages come and go.
            guard let data = try? file.contents() else { throw JSONFilterError("the body's file \(file.path) can't be read") }
            return data
        }
    }

    /// jq gets nothing of our environment: what it finds may be shown, kept and sent.
    private static func run(
        _ filter: JSONFilter, _ body: Body, _ environment: [String: String], _ limits: Limits
    ) async throws(BodyFilterError) -> Data {
        if let name = filter.refusedName {
            throw BodyFilterError("`\(name)` reaches out of the body, which a filter may not: into the environment, or into files")
        }
        guard let program = ProgramSearch.find("jq", in: environment["PATH"] ?? "") else {
            throw BodyFilterError(
                "this filter takes the jq program, which isn't installed; paths such as `.a.b[0]` work without it")
        }
        // After a blank it is no option, whatever it begins with.
        return try await run([program, " \(filter.source)"], "jq", body, [:], limits, .own)
    }

    /// What jq says without the beginnings of values that it quotes, `string ("abcdefghij...)`: of a secret cut off nobody knows
    /// any more that it is one.
    private static func withoutCut(_ message: String) -> String {
        var result = ""
        var rest = Substring(message)
        while let end = rest.firstRange(of: "...)"), let start = rest[..<end.lowerBound].lastIndex(of: "(") {
            result += rest[...start] + "…)"
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    private static func run(
        _ words: [String], _ name: String, _ body: Body, _ environment: [String: String], _ limits: Limits, _ permit: Permit
    ) async throws(BodyFilterError) -> Data {
        let input: Command.Input =
            switch body {
            case .data(let data): .data(data)
            case .file(let file): .file(file.path)
            }
        let isJQ = name == "jq"
        let command = Command(
            words, environment: environment, input: input, timeout: limits.timeout, outputLimit: limits.output,
            memoryLimit: isJQ ? limits.memory : nil)
        do throws(CommandError) {
            return try await command.run(permit)
        } catch {
            switch error.reason {
            // So it ends when there is no more.
            case .failed(status: 128 + SIGABRT, _) where isJQ, .failed(status: 128 + SIGSEGV, _) where isJQ:
                throw BodyFilterError("jq needed more than \(limits.memory >> 20) MiB of memory, and was ended")
            case .failed(_, let said) where isJQ && !said.isEmpty: throw BodyFilterError(Self.withoutCut(said))
            default: throw BodyFilterError("\(name) \(error.predicate)")
            }
        }
    }
}

/// Why a filter gave nothing.
package struct BodyFilterError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
