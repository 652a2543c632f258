import Dispatch
import Foundation
import Synchronization

/// One run of a command that prints a secret.
///
/// Its words are taken as they are, it reads nothing, and may not take for ever. Its first line is the secret: password managers put
/// notes below it.
struct SecretCommand: Sendable {
    private let words: [String]
    private let directory: String
    private let environment: [String: String]
    private let timeout: Duration

    init(_ words: [String], directory: String, environment: [String: String], timeout: Duration) {
        self.words = words
        self.directory = directory
        self.environment = environment
        self.timeout = timeout
    }

    private enum EarlyEnd {
        case late, cancelled
    }

    func run() async throws(SecretError) -> String {
        let child: ChildProcess
        do throws(ChildProcess.StartError) {
            child = try ChildProcess(words, directory: directory, environment: environment)
        } catch {
            throw SecretError("\(name) can't be started: \(String(cString: strerror(error.number)).lowercased())")
        }
        let early = Mutex<EarlyEnd?>(nil)
        let end: @Sendable (EarlyEnd) -> Void = { reason in
            early.withLock { if $0 == nil { $0 = reason } }
            child.kill()
        }
        let timer = DispatchWorkItem { end(.late) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(timeout / .milliseconds(1))), execute: timer)
        let status = await withTaskCancellationHandler {
            await child.end()
        } onCancel: {
            end(.cancelled)
        }
        timer.cancel()
        guard status == 0 else {
            switch early.withLock({ $0 }) {
            case .late: throw SecretError("\(name) took longer than \(timeout / .seconds(1)) s")
            case .cancelled: throw SecretError("\(name) was cancelled")
            case nil:
                let said = child.firstErrorLine()
                throw SecretError("\(name) failed with exit status \(status)\(said.isEmpty ? "" : ": \(said)")")
            }
        }
        let secret = child.firstLine()
        guard !secret.isEmpty else { throw SecretError("\(name) printed nothing") }
        return secret
    }

    private var name: String { "the command `\(words.joined(separator: " "))`" }
}
