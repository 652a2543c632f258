import Synchronization

/// How many retries a host gets: a share of the requests it got lately, and a few always (tower's and reqwest's budget). It
/// keeps clients from holding a server down that is already on its knees.
///
/// Every first attempt pays in, every retry takes out `1 / share` times as much; what was paid in more than a `window` ago is
/// gone. `minimumPerSecond` retries a second are free, so that a client that asks little can retry at all.
public struct RetryBudget: Sendable, Hashable, Codable {
    /// How many retries a request pays for: 0.2 is one retry for five requests.
    package var share: Double
    /// How long what was paid in lasts; more than zero.
    package var window: Duration
    /// Retries a second that are free; zero: every retry must have been paid for.
    package var minimumPerSecond: Double

    /// 20 % more load over 10 s, and 10 retries a second in any case.
    public init(share: Double = 0.2, window: Duration = .seconds(10), minimumPerSecond: Double = 10) {
        self.share = share
        self.window = window
        self.minimumPerSecond = minimumPerSecond
    }

    /// The account of one host. Pure: times in, answers out.
    struct Account: Sendable, Hashable {
        /// A window has so many slots, each forgotten as a whole.
        static let slotCount = 10

        private let slot: Int64
        private let share: Double
        private let reserve: Double
        /// Requests less what retries cost, for each slot of the last window.
        private var balances: [Slot] = []

        private struct Slot: Hashable {
            var number: Int64
            var balance: Double
        }

        init(_ budget: RetryBudget) {
            slot = max(1, budget.window.wholeNanoseconds / Int64(Self.slotCount))
            share = max(0, budget.share)
            reserve = max(0, budget.minimumPerSecond) * budget.window.inSeconds
        }

        var isEmpty: Bool { balances.isEmpty }

        mutating func payIn(at time: MonotonicTime) {
            add(share, at: time)
        }

        /// - Returns: whether a retry may be made; then it is counted.
        mutating func tryWithdraw(at time: MonotonicTime) -> Bool {
            forget(before: time)
            let balance = balances.reduce(reserve) { $0 + $1.balance }
            // A little less than 1, or five times 0.2 would not be enough.
            guard balance >= 1 - 1e-9 else { return false }
            add(-1, at: time)
            return true
        }

        mutating func forget(before time: MonotonicTime) {
            let oldest = time.nanoseconds / slot - Int64(Self.slotCount) + 1
            balances.removeAll { $0.number < oldest }
        }

        private mutating func add(_ amount: Double, at time: MonotonicTime) {
            let number = time.nanoseconds / slot
            if let last = balances.last, last.number == number {
                balances[balances.count - 1].balance += amount
            } else {
                forget(before: time)
                balances.append(Slot(number: number, balance: amount))
            }
        }
    }
}

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
