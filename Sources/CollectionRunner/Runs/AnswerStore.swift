import Base
import HTTPTypes
import NetworkLayer
import RequestCollections
import Synchronization

/// The answers that `max-age` allows to be used again, kept for other programs of the same user in a file that only they may read.
///
/// An answer counts for one collection as its files were, one environment and the same `--var`. The file is replaced under a lock.
final class AnswerStore: Sendable {
    struct Key: Hashable, Codable, Sendable {
        var collection: String
        var environment: String?
        var request: RequestID
        /// Of the collection's files, and of what `--var` gave.
        var digest: String
    }

    struct Answer: Codable, Sendable {
        var time: Date
        /// When nothing takes it any more.
        var expires: Date
        /// The head and the body; of the request the address alone.
        var info: ResponseInfo?
        var captured: [String: CapturedValue]
    }

    /// `nil`: nothing is kept.
    private let path: String?
    /// The requests that had an answer in the file when it was first read, or were given one since.
    private let known = Mutex<Set<RequestID>?>(nil)
    private static let longestBody = 1 << 20

    init(path: String?) { self.path = path }

    func answer(for key: Key, within age: Duration, at date: Date) -> Answer? {
        guard let path, let answer = Self.entries(in: (try? PrivateFile.read(path)) ?? nil).first(where: { $0.key == key })?.answer,
            answer.time <= date, date.timeIntervalSince(answer.time) <= age / Duration.seconds(1)
        else { return nil }
        return answer
    }

    /// Whether a new answer of this request takes the place of a kept one.
    func keeps(_ request: RequestID) -> Bool {
        guard let path else { return false }
        return known.withLock { known in
            if known == nil { known = Set(Self.entries(in: (try? PrivateFile.read(path)) ?? nil).map(\.key.request)) }
            return known?.contains(request) ?? false
        }
    }

    /// What can't be written is got again by the next program.
    ///
    /// - Parameter age: how old others let it become; `nil`: as old as the one whose place it takes, if there is one.
    func keep(_ response: EarlierResponse, _ captured: [String: CapturedValue], for key: Key, within age: Duration?, at date: Date)
    {
        guard let path, response.info?.body.count ?? 0 <= Self.longestBody else { return }
        var info = response.info
        if let url = info?.finalRequest.url { info?.finalRequest = Request(url: url.withoutSecretParts) }
        if let data = try? info?.body.contents() { info?.body = .data(data) }
        known.withLock { _ = $0?.insert(key.request) }
        try? PrivateFile.makeDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        try? PrivateFile.change(path) { [info] data in
            var entries = Self.entries(in: data).filter { $0.answer.expires > date }
            let old = entries.firstIndex { $0.key == key }.map { entries.remove(at: $0).answer }
            if let life = age.map({ $0 / Duration.seconds(1) }) ?? old.map({ $0.expires.timeIntervalSince($0.time) }) {
                let answer = Answer(time: date, expires: date + life, info: info, captured: captured)
                entries.append(Entry(key: key, answer: answer))
            }
            return (try? JSONEncoder().encode(Contents(answers: entries))) ?? Data()
        }
    }

    private struct Contents: Codable {
        var version = 1
        var answers: [Entry]
    }

    private struct Entry: Codable {
        var key: Key
        var answer: Answer
    }

    /// A file that can't be read is as good as none.
    private static func entries(in data: Data?) -> [Entry] {
        guard let data, let contents = try? JSONDecoder().decode(Contents.self, from: data), contents.version == 1 else {
            return []
        }
        return contents.answers
    }
}

extension AnswerStore.Key {
    /// - Returns: `nil` for what counts in this process alone: an item of a loop, and a request that isn't sent as it stands in the file.
    init?(_ job: RunJob) {
        guard job.iterations.isEmpty, job.isPlain else { return nil }
        var texts: [String] = []
        for path in job.collection.files.keys.sorted() {
            guard let bytes = AtomicFile.read(path) else { return nil }
            texts += [path, DigestFunction.sha256.hash(Data(bytes)).hexadecimal]
        }
        for (name, value) in job.given.sorted(by: { $0.key < $1.key }) { texts += [name, value.text(pretty: false)] }
        self.init(
            collection: job.collection.path, environment: job.environment, request: job.definition.id,
            digest: DigestFunction.sha256.digest(of: texts))
    }
}

extension CollectionRunner {
    /// Takes over an answer that another program has kept, so that it is found where this one's are.
    func recall(_ job: RunJob, within age: Duration) {
        let time = queue.client.time
        guard mocks == nil, let key = AnswerStore.Key(job), let answer = keptAnswers.answer(for: key, within: age, at: time.date)
        else { return }
        let earlier = EarlierResponse(info: answer.info, redactor: Redactor(capturedIn: answer.captured))
        knownSecrets.withLock { $0 = $0.union(earlier.redactor) }
        memory.withLock {
            $0.capture(answer.captured, in: job.place)
            $0.keep(
                earlier, answer.captured, of: job.definition.id, in: job.place,
                at: time.now - .seconds(time.date.timeIntervalSince(answer.time)))
        }
    }

    /// Keeps an answer for other programs, when somebody takes one of a certain age.
    func keep(_ outcome: NodeOutcome, of job: RunJob, within age: Duration?) {
        guard mocks == nil, outcome.isUsable, let response = outcome.response, age != nil || keptAnswers.keeps(job.definition.id),
            !response.repeatsSecret(besides: outcome.captured), let key = AnswerStore.Key(job)
        else { return }
        keptAnswers.keep(response, outcome.captured, for: key, within: age, at: queue.client.time.date)
    }
}

extension Redactor {
    fileprivate init(capturedIn values: [String: CapturedValue]) {
        // A name such as `token` hides its value, too.
        let hidden = values.filter { $0.value.isSecret || Redaction.standard.redacts(parameter: $0.key) }
        self.init(Set(hidden.values.flatMap { $0.value.leafTexts }))
    }
}

extension EarlierResponse {
    /// Whether the server sent a secret back that isn't kept with the answer: nobody would know it for one later.
    fileprivate func repeatsSecret(besides captured: [String: CapturedValue]) -> Bool {
        guard let info, !redactor.isEmpty else { return false }
        let own = Redactor(capturedIn: captured)
        let body = own.bytes((try? info.body.contents()) ?? Data())
        return redactor.finds(in: String(decoding: body, as: UTF8.self))
            || info.head.headers.contains { redactor.finds(in: own.text($0.value)) }
    }
}

extension URL {
    /// Without user, password, query and fragment.
    fileprivate var withoutSecretParts: URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return parts.url ?? self
    }
}
