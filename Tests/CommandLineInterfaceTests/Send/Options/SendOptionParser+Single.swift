import Foundation
import Testing

@testable import CommandLineInterface

extension SendOptionParser {
    /// The only transfer of a command line.
    static func parse(_ words: [String]) throws -> SendArguments {
        let transfers = try transfers(words)
        return try #require(transfers.count == 1 ? transfers.first : nil)
    }

    static func transfers(_ words: [String], input: String = "") throws -> [SendArguments] {
        let files = InputFiles(standardInput: GivenInput(bytes: Data(input.utf8)))
        return try Array(SendTransfers(groups(words, reading: files)))
    }
}
