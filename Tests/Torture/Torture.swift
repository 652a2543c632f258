import Foundation
import Glibc
import NetworkLayerTesting

/// A server that answers almost well, against everything that reads answers: `make torture` runs it under the address sanitizer.
///
///     torture --turnstone PROGRAM [--seconds 60] [--seed N]      rounds of each kind, until the time is over
///     torture --turnstone PROGRAM --rounds 8 --seed N            so many, however long they take
///     torture --turnstone PROGRAM --seed N --round R             one of them again, with what the server did
///
/// A round is a client with one set of connections, and some hundred requests; what is asked and what is answered follows from the seed
/// and the number of the round. The status is 1 when a rule was broken; a crash or the sanitizer ends the program at once, and the
/// line before says which round it was.
@main enum Torture {
    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            let server = try TortureServer(seed: options.seed, without: options.without, isVerbose: options.round != nil)
            say("torture: --seed \(options.seed)")
            let end = ContinuousClock.now + .seconds(options.seconds)
            var tally = Tally()
            var number = options.round ?? 0
            repeat {
                say("round \(number) begins")
                let watchdog = Watchdog("round \(number)", patience: 240)
                let problems = try await play(number, options, server, &tally)
                watchdog.stop()
                for problem in problems { say("round \(number): \(problem)") }
                if !problems.isEmpty { say("once more: make torture SEED=\(options.seed) ROUND=\(number)") }
                tally.problems += problems.count
                tally.rounds += 1
                number += 1
                let goesOn = options.rounds.map { tally.rounds < $0 } ?? (ContinuousClock.now < end)
                if options.round != nil || !goesOn || tally.problems >= 100 { break }
            } while true
            say("\(tally)")
            guard tally.problems == 0 else { exit(1) }
            exit(0)
        } catch {
            say("torture: \(error)")
            exit(2)
        }
    }

    private static func play(
        _ number: Int, _ options: Options, _ server: TortureServer, _ tally: inout Tally
    ) async throws -> [String] {
        // The transport alone sends most in the same time.
        switch number % 4 {
        case 0, 2:
            var round = TransportRound(number: number, seed: options.seed, server: server)
            return try await round.play(&tally)
        case 1:
            var round = RunRound(number: number, seed: options.seed, server: server, program: options.turnstone)
            return try await round.play(&tally)
        default:
            var round = ExplorerRound(number: number, seed: options.seed, server: server)
            return try await round.play(&tally)
        }
    }

    private struct Options {
        var turnstone = ""
        var seconds = 60
        var seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var round: Int?
        var rounds: Int?
        var without: [String] = []

        init(_ arguments: ArraySlice<String>) throws {
            var rest = arguments
            while let option = rest.popFirst() {
                guard let value = rest.popFirst() else { throw Misuse(description: "\(option) needs a value") }
                switch (option, Int(value)) {
                case ("--turnstone", _): turnstone = value
                case ("--seconds", let number?): seconds = number
                case ("--seed", let number?) where number >= 0: seed = UInt64(number)
                case ("--round", let number?) where number >= 0: round = number
                case ("--without", _) where value == "leftovers": without.append(value)
                case ("--rounds", let number?) where number > 0: rounds = number
                default:
                    throw Misuse(
                        description:
                            "\(option) \(value)? Known are --turnstone PROGRAM, --seconds, --rounds, --seed, --round and --without leftovers."
                    )
                }
            }
            guard !turnstone.isEmpty else { throw Misuse(description: "--turnstone has to say where the program is") }
        }
    }

    struct Misuse: Error, CustomStringConvertible {
        var description: String
    }
}

/// A line that is there also when the program ends in the middle of the next thing.
func say(_ text: String) {
    let line = text + "\n"
    write(STDOUT_FILENO, line, line.utf8.count)
}

/// How it went, for people.
struct Tally: CustomStringConvertible {
    var rounds = 0
    var requests = 0
    var succeeded = 0
    var problems = 0

    var description: String {
        "\(rounds) rounds, \(requests) requests, \(succeeded) answered, \(requests - succeeded) failed with a name, \(problems) problems"
    }
}

/// Ends a program that hangs, and says where.
struct Watchdog {
    private let thread: Thread

    /// - Parameter patience: in seconds.
    init(_ what: String, patience: Double) {
        thread = Thread {
            Thread.sleep(forTimeInterval: patience)
            guard !Thread.current.isCancelled else { return }
            say("\(what) hangs: it isn't over after \(patience) s")
            abort()
        }
        thread.start()
    }

    func stop() { thread.cancel() }
}
