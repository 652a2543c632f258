import FoundationEssentials
package import RequestCollections

/// The `jq` of this machine.
package struct JQProgram: Hashable, Sendable {
    package let path: String
    private let limits: BodyFilter.Limits

    package init?(in environment: [String: String], limits: BodyFilter.Limits = .init()) {
        guard let path = ProgramSearch.find("jq", in: environment["PATH"] ?? "") else { return nil }
        self.path = path
        self.limits = limits
    }

    /// `jq-1.6` of jq itself; other programs of that name say something else.
    package func version() async -> String? {
        guard let output = try? await run(["--version"]) else { return nil }
        let line = output.prefix(64).prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// Whether it takes every number for a `Double`, as jq does before 1.7: then 9007199254740993 becomes 9007199254740992.
    package static func roundsIntegers(_ version: String) -> Bool {
        guard let match = version.prefixMatch(of: /jq-1\.(\d+)/), let minor = Int(match.1) else { return false }
        return minor < 7
    }

    /// What it says about a filter that it can't compile; `nil` for one that it can. It evaluates nothing, for want of a body.
    package func complaint(about filter: JSONFilter) async -> String? {
        do throws(CommandError) {
            // After a blank it is no option, whatever it begins with.
            _ = try await run([" \(filter.source)"])
            return nil
        } catch {
            guard case .failed(_, let said) = error.reason, !said.isEmpty else { return "jq \(error.predicate)" }
            return said
        }
    }

    private func run(_ words: [String]) async throws(CommandError) -> Data {
        try await Command([path] + words, environment: [:], timeout: limits.timeout, outputLimit: limits.output).run(.own)
    }
}

/// Integers of JSON, and of programs for jq, that a `Double` can't hold.
enum LongInteger {
    /// The first integer that is farther from 0 than 2^53, outside of texts.
    static func first(in bytes: some Sequence<UInt8>) -> String? {
        var digits: [UInt8] = []
        var isInText = false
        var isEscaped = false
        /// Behind a point, a letter or another digit: a fraction, an exponent, a name.
        var isPart = false
        for byte in bytes {
            if isInText {
                let ends = !isEscaped && byte == UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                isInText = !ends
                continue
            }
            let isDigit = (0x30...0x39).contains(byte)
            if isDigit, !isPart {
                digits.append(byte)
                continue
            }
            let goesOn = isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte | 0x20)
            if !goesOn, isLong(digits) { return String(decoding: digits, as: UTF8.self) }
            digits.removeAll(keepingCapacity: true)
            isPart = goesOn
            isInText = byte == UInt8(ascii: "\"")
        }
        return isLong(digits) ? String(decoding: digits, as: UTF8.self) : nil
    }

    private static let most = Array("9007199254740992".utf8)

    private static func isLong(_ digits: [UInt8]) -> Bool {
        let digits = digits.drop { $0 == 0x30 }
        return digits.count > most.count || (digits.count == most.count && most.lexicographicallyPrecedes(digits))
    }
}
