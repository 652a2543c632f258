import CStormSupport
import Glibc

/// Two programs to look for what shows only in the long run.
///
///     network-storm [--seconds 20] [--seed N]    everything at random: `make sanitize` runs it under the thread sanitizer
///     network-storm --operations 20000           one queue, and what is left of it in memory
///
/// The status is 1 when a rule was broken; the sanitizer's own is 66.
@main enum NetworkLayerStorm {
    static func main() async {
        storm_annotate_mutexes()
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            let problems =
                if let operations = options.operations {
                    try await Soak(operations: operations).run()
                } else {
                    try await Storm(seconds: options.seconds, seed: options.seed).run()
                }
            for problem in problems.prefix(20) { complain(problem) }
            exit(problems.isEmpty ? 0 : 1)
        } catch {
            complain("network-storm: \(error)")
            exit(2)
        }
    }

    private static func complain(_ text: String) {
        let line = text + "\n"
        write(STDERR_FILENO, line, line.utf8.count)
    }

    private struct Options {
        var seconds = 20
        var seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var operations: Int?

        init(_ arguments: ArraySlice<String>) throws {
            var rest = arguments
            while let option = rest.popFirst() {
                guard let value = rest.popFirst().flatMap({ Int($0) }), value >= 0 else {
                    throw Misuse(description: "\(option) needs a number")
                }
                switch option {
                case "--seconds": seconds = value
                case "--seed": seed = UInt64(value)
                case "--operations": operations = max(1, value)
                default: throw Misuse(description: "\(option)? Known are --seconds, --seed and --operations.")
                }
            }
        }
    }

    private struct Misuse: Error, CustomStringConvertible {
        var description: String
    }
}
