package import FoundationEssentials
package import RequestCollections

/// Asks about a regular expression in a process of its own: another one of this program, which is ended when it takes too long.
///
/// The question goes to its standard input: `i` or `-`, the bytes of the pattern in digits, a line break, the pattern, and the text. It
/// says `found` or `missing`.
package enum RegexProcess {
    /// The word by which the program knows what it is started for.
    package static let word = "__find"

    static func answer(_ question: RegexQuestion, by program: String, timeout: Duration) async -> RegexAnswer {
        let command = Command(
            [program, word], environment: [:], input: .data(input(of: question)), timeout: timeout, outputLimit: 100)
        do throws(CommandError) {
            switch String(decoding: try await command.run(.own), as: UTF8.self) {
            case "found": return .found
            case "missing": return .missing
            default: return .unknown("could not be asked about")
            }
        } catch {
            switch error.reason {
            case .late(let timeout):
                return .unknown(
                    "took longer than \(timeout / .seconds(1)) s: a repetition in a repetition, such as (a+)+, can be tried in too many ways"
                )
            default: return .unknown(error.predicate)
            }
        }
    }

    static func input(of question: RegexQuestion) -> Data {
        let pattern = Data(question.pattern.utf8)
        return Data("\(question.ignoringCase ? "i" : "-")\(pattern.count)\n".utf8) + pattern + Data(question.text.utf8)
    }

    /// The answer to what ``input(of:)`` says.
    ///
    /// - Returns: `nil` for something else.
    package static func answer(to input: Data) -> String? {
        guard let end = input.firstIndex(of: 0x0A), let count = Int(String(decoding: input[..<end].dropFirst(), as: UTF8.self)),
            count >= 0, count <= input.count - end - 1
        else { return nil }
        let rest = input[(end + 1)...]
        let question = RegexQuestion(
            String(decoding: rest.prefix(count), as: UTF8.self), ignoringCase: input.first == UInt8(ascii: "i"),
            in: String(decoding: rest.dropFirst(count), as: UTF8.self))
        return question.answer() == .found ? "found" : "missing"
    }
}
