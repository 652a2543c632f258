import Synchronization

/// The accounts of all hosts of a client.
final class RetryBudgets: Sendable {
    private let budget: RetryBudget?
    private let accounts = Mutex<[String: RetryBudget.Account]>([:])

    /// Beyond so many hosts, those that were quiet for a window are forgotten.
    private static let mostHosts = 256

    /// - Parameter budget: `nil`: everybody may retry.
    init(_ budget: RetryBudget?) {
        self.budget = budget
    }

    func countRequest(to host: String, at time: MonotonicTime) {
        guard let budget else { return }
        accounts.withLock { accounts in
            if accounts.count >= Self.mostHosts { Self.forgetQuiet(&accounts, at: time) }
            accounts[host, default: .init(budget)].payIn(at: time)
        }
    }

    func tryWithdraw(for host: String, at time: MonotonicTime) -> Bool {
        guard let budget else { return true }
        return accounts.withLock { $0[host, default: .init(budget)].tryWithdraw(at: time) }
    }

    private static func forgetQuiet(_ accounts: inout [String: RetryBudget.Account], at time: MonotonicTime) {
        for host in accounts.keys { accounts[host]?.forget(before: time) }
        accounts = accounts.filter { !$0.value.isEmpty }
    }
}
