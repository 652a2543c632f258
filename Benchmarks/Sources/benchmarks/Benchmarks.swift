import Foundation
import Glibc

/// Measures Turnstone against its peers in one run, and puts each figure beside its budget (DESIGN, section 7).
///
///     benchmarks --operations N URL
///     benchmarks [overhead] [network] [command] [explorer] [--only CONTESTANT] [--test NAME] [--turnstone PATH] [--seconds N] [--rounds N]
///
/// A budget that is missed is reported, not an error: figures hold on the machine on which they were taken.
@main
enum Benchmarks {
    /// Not `async`: then the main thread would end, which callgrind doesn't survive.
    static func main() {
        Task.detached {
            await measure()
            exit(0)
        }
        while true { pause() }
    }

    private static func measure() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if let operations = options.operations { return try await Turnstone().operations(operations.url, operations.count) }
            let machine = ProcessInfo.processInfo
            print("\(machine.activeProcessorCount) cores, \(machine.operatingSystemVersionString)\n")
            var reports: [Report] = []
            if options.parts.contains(.overhead) { reports.append(try await OverheadBenchmark(options: options).run()) }
            if options.parts.contains(.network) { reports.append(try await NetworkBenchmark(options: options).run()) }
            if options.parts.contains(.command) { reports.append(try CommandBenchmark(options: options).run()) }
            if options.parts.contains(.explorer) { reports.append(try ExplorerBenchmark(options: options).run()) }
            let missed = reports.flatMap(\.rows).filter { $0.isMet == false }
            print(missed.isEmpty ? "Every budget is met." : "Missed: " + missed.map(\.name).joined(separator: "; ") + ".")
        } catch {
            FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
            exit(2)
        }
    }
}

/// What the command line says.
struct Options {
    enum Part: String, CaseIterable {
        case overhead, network, command, explorer
    }

    var parts: Set<Part> = []
    /// The release build of the program; `make bench` makes it first.
    var turnstone: String
    /// Of the checkout that this was built from: the shipped collections are below it.
    var root: String
    /// One contestant of the network part alone: for a profiler.
    var only: String?
    /// `one`, `many`, `dropped` or `kept`, of the network part alone: for a profiler.
    var test: String?
    /// That many operations, one at a time, and nothing else: .ci/instructions counts their instructions.
    var operations: (count: Int, url: String)?
    /// How long one contestant runs in one round.
    var seconds = 0.5
    /// In each round every contestant runs once, so that all of them see the same weather.
    var rounds = 9

    init(_ arguments: some Sequence<String>) throws {
        root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL.path
        turnstone = root + "/.build/release/turnstone"
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--turnstone": turnstone = try Self.value(of: argument, &rest)
            case "--only": only = try Self.value(of: argument, &rest)
            case "--operations":
                let count = Int(try Self.number(of: argument, &rest))
                operations = (count, try Self.value(of: argument, &rest))
            case "--test":
                let name = try Self.value(of: argument, &rest)
                guard NetworkBenchmark.tests.contains(name) else {
                    throw BenchmarkError("--test takes one of \(NetworkBenchmark.tests.joined(separator: ", ")), and not \(name)")
                }
                test = name
            case "--seconds": seconds = try Self.number(of: argument, &rest)
            case "--rounds": rounds = Int(try Self.number(of: argument, &rest))
            default:
                guard let part = Part(rawValue: argument) else {
                    throw BenchmarkError(
                        "unknown argument \(argument); known are overhead, network, command, explorer, --only, --test, --turnstone, --seconds, --rounds"
                    )
                }
                parts.insert(part)
            }
        }
        if parts.isEmpty { parts = Set(Part.allCases) }
        root = root.hasSuffix("/") ? String(root.dropLast()) : root
    }

    func checkProgram() throws {
        guard access(turnstone, X_OK) == 0 else {
            throw BenchmarkError("\(turnstone) isn't there; `make build` makes it, or name another with --turnstone")
        }
    }

    private static func value(of argument: String, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw BenchmarkError("\(argument) needs a value") }
        return value
    }

    private static func number(of argument: String, _ rest: inout ArraySlice<String>) throws -> Double {
        let text = try value(of: argument, &rest)
        guard let number = Double(text), number > 0 else { throw BenchmarkError("\(argument) \(text): a number above 0, please") }
        return number
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
