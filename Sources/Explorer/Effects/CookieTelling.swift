import Base
import CollectionRunner
import NetworkLayer
import Synchronization

/// Tells the loop which cookies the session has, without their values.
final class CookieTelling: Sendable {
    private let runner: CollectionRunner
    private let mailbox: Mailbox
    /// The jar that the loop was last told of, by the collection's path.
    private let told = Mutex<[String: CookieJar]>([:])

    init(_ runner: CollectionRunner, _ mailbox: Mailbox) {
        self.runner = runner
        self.mailbox = mailbox
    }

    func tell(of collection: String) {
        told.withLock { told in
            let now = runner.queue.client.time.date
            let jar = CookieJar(
                runner.sessionCookies(of: collection).cookies.filter { !$0.isExpired(at: now) }.map { cookie in
                    var cookie = cookie
                    (cookie.value, cookie.lastUsed) = ("", cookie.created)
                    return cookie
                })
            guard told[collection, default: CookieJar()] != jar else { return }
            told[collection] = jar
            mailbox.post(.cookiesKept(jar, in: collection))
        }
    }

    func forget(_ collection: String) {
        let count = runner.forgetCookies(of: collection)
        tell(of: collection)
        let cookies =
            switch count {
            case 0: "the session has no cookies here"
            case 1: "the session's cookie is forgotten"
            default: "the session's \(count) cookies are forgotten"
            }
        let hasAnswers = runner.forgetAnswers() > 0
        mailbox.post(
            .notice(
                Notice(
                    count > 0 || hasAnswers ? .success : .info,
                    hasAnswers ? "\(cookies); commands and people are asked for secrets again" : cookies)))
    }
}
