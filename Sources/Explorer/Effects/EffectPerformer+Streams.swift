import Base
import CollectionRunner
import Dispatch
import NetworkLayer
import Presentation
import RequestCollections
import Synchronization

/// How far the body of an attempt is taken apart.
final class StreamSource: Sendable {
    let attempt: Int
    let reader: Mutex<StreamReader>

    init(_ kind: BodyKind, attempt: Int, sessionOpened opened: MonotonicTime?) {
        self.attempt = attempt
        reader = Mutex(StreamReader(kind, sessionOpened: opened))
    }
}

extension EffectPerformer {
    /// How many records the loop is told of at a time.
    nonisolated private static let portion = 5_000

    func readStream(of id: OperationID, _ kind: BodyKind, attempt: Int, isWhole: Bool) {
        let source =
            streams[id].flatMap { $0.attempt == attempt ? $0 : nil }
            ?? StreamSource(kind, attempt: attempt, sessionOpened: operations.sessionOpened(of: id))
        streams[id] = source
        if let run = operations.session(of: id) { return readSession(of: run, attempt: attempt, source, isWhole: isWhole) }
        taking.async { [mailbox, operations] in
            let body = isWhole ? operations.response(of: id)?.info?.body ?? .none : operations.partialBody(of: id)
            let redactor = operations.redactor(of: id)
            let arrivals = operations.arrivals(of: id)
            if let bytes = try? body.bytes {
                while true {
                    let (records, unended) = source.reader.withLock { reader in
                        (
                            reader.read(
                                bytes, arrivals: arrivals, isWhole: isWhole, limit: Self.portion,
                                redact: { redactor.text($0) }), reader.unended
                        )
                    }
                    guard records.count == Self.portion else {
                        mailbox.post(
                            .streamArrived(id, attempt: attempt, records, isLast: true, unended: isWhole ? unended : 0))
                        return
                    }
                    mailbox.post(.streamArrived(id, attempt: attempt, records, isLast: false))
                }
            }
            mailbox.post(.streamArrived(id, attempt: attempt, [], isLast: true))
        }
    }

    /// All that went through a session while the explorer runs is there, also what its transcript leaves out.
    private func readSession(of run: PreparedRun, attempt: Int, _ source: StreamSource, isWhole: Bool) {
        taking.async { [mailbox, operations] in
            var records: [StreamRecord] = []
            repeat {
                if !records.isEmpty { mailbox.post(.streamArrived(run.id, attempt: attempt, records, isLast: false)) }
                var redactor = Redactor([])
                // Secrets of a message are known before it is sent.
                let news = run.news(atMost: Self.portion) {
                    redactor = operations.redactor(of: run.id).union(run.redactor)
                    return redactor
                }
                records = source.reader.withLock { reader in
                    news.map { reader.read(next: $0.lines, from: $0.first) { redactor.text($0) } } ?? []
                }
            } while isWhole && !records.isEmpty
            mailbox.post(.streamArrived(run.id, attempt: attempt, records, isLast: true))
        }
    }

    func sendMessage(_ text: String, to id: OperationID) {
        guard let run = operations.session(of: id) else { return }
        let before = messages[id]
        messages[id] = Task.detached(priority: .userInitiated) { [mailbox, runner] in
            await before?.value
            if let reason = await runner.send(text, through: run) { mailbox.post(.messageNotSent(text, id, because: reason)) }
        }
    }

    /// Words in slashes are looked for here; everything else is a program for jq, which is asked about all of them at once.
    func filterStream(of id: OperationID, by filter: String, _ records: [StreamRecord]) {
        let before = passing
        passing = Task.detached(priority: .userInitiated) { [mailbox, worker = runner.worker] in
            await before?.value
            let looked = (records.first?.number ?? 0)..<(records.last?.number ?? -1) + 1
            do throws(BodyFilterError) {
                let numbers = try await Self.numbers(of: records, passing: filter, worker)
                mailbox.post(.streamFiltered(id, filter: filter, numbers, of: looked))
            } catch {
                mailbox.post(.streamFiltered(id, filter: filter, [], of: looked, failure: error.message))
            }
        }
    }

    nonisolated private static func numbers(
        of records: [StreamRecord], passing filter: String, _ worker: QuestionWorker
    ) async throws(BodyFilterError) -> [Int] {
        if let words = StreamFilter.words(of: filter) {
            let patterns = words.compactMap { BodyPattern($0) }
            return records.filter { record in patterns.allSatisfy { record.matches($0) } }.map(\.number)
        }
        // What isn't JSON passes no program.
        var input = Data()
        for record in records where JSONParser.parse(record.data) != nil {
            input.append(contentsOf: "{\"n\":\(record.number),\"v\":\(record.data)}\n".utf8)
        }
        guard !input.isEmpty else { return [] }
        let program = ".n as $__n | (try first(.v | (\(filter)\n)) catch false) | if . then $__n else empty end"
        let output = try await BodyFilter(program).output(of: .data(input), worker: worker)
        return output.split(separator: 0x0A).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
}
