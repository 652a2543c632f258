import Synchronization
import TerminalUI
import Testing

@testable import Explorer

@Suite struct MailboxTests {
    private final class CountingWaker: TerminalWaker {
        private let counter = Mutex(0)
        var count: Int { counter.withLock { $0 } }

        func wake() { counter.withLock { $0 += 1 } }
    }

    private func notices(_ messages: [Mailbox.Message]) -> [String] {
        messages.compactMap { message in
            if case .event(.notice(let notice)) = message { notice.text } else { nil }
        }
    }

    @Test func `a thousand messages wake the loop once`() {
        let waker = CountingWaker()
        let mailbox = Mailbox(waker: waker)
        #expect(!mailbox.prepareToWait(isQuiet: false))
        for number in 0..<1000 { mailbox.post(.notice(Notice(.info, "\(number)"))) }
        #expect(waker.count == 1)
        #expect(notices(mailbox.drain()) == (0..<1000).map(String.init))
        #expect(mailbox.drain().isEmpty)
    }

    @Test func `while a frame is due anyway nobody is woken`() {
        let waker = CountingWaker()
        let mailbox = Mailbox(waker: waker)
        _ = mailbox.prepareToWait(isQuiet: true)
        mailbox.post(.notice(Notice(.info, "a")))
        #expect(waker.count == 0)
        #expect(mailbox.prepareToWait(isQuiet: false))
        mailbox.post(.notice(Notice(.info, "b")))
        #expect(waker.count == 1)
        #expect(notices(mailbox.drain()) == ["a", "b"])
    }
}
