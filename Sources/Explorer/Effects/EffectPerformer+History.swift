import Base
import Dispatch
import HTTPTypes
import History
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

extension EffectPerformer {
    /// One page of rows. A history that isn't there yet is not made for it.
    func loadPastRuns(in collection: String, before: Int64?) {
        guard let history else { return }
        reading.async { [mailbox] in
            guard history.isThere else { return }
            let query = HistoryQuery(collection: EffectPerformer.absolute(collection), before: before, limit: PastRuns.pageSize)
            do throws(HistoryError) {
                mailbox.post(.pastRunsLoaded(try history.open().runs(query).map { PastRun($0, in: collection) }, in: collection))
            } catch {
                mailbox.post(.notice(Notice(.warning, error.message)))
            }
        }
    }

    func loadPastRun(_ number: Int64, for purpose: PastRunPurpose, of state: ExplorerState) {
        let known = state.collectionPaths
        reading.async { [mailbox, operations, history] in
            do throws(HistoryError) {
                let contents = try EffectPerformer.contents(of: number, in: history, known: known)
                if purpose == .show { operations.keep(contents.response, of: OperationID(past: number)) }
                mailbox.post(.pastRunLoaded(contents, for: purpose))
            } catch {
                mailbox.post(.notice(Notice(.error, error.message)))
            }
        }
    }

    /// Beside the loop: bodies are read and laid out for it.
    ///
    /// - Parameter isAsked: a person wants to see the whole comparison; otherwise one line says what differs.
    func compare(_ old: OperationID, _ new: OperationID, of state: ExplorerState, isAsked: Bool = true) {
        let known = state.collectionPaths
        let runs = [old, new].map { id in (id: id, entry: state.operations[id]) }
        reading.async { [mailbox, operations, history] in
            do throws(HistoryError) {
                var compared: [ComparedRun] = []
                for (id, entry) in runs {
                    if let response = operations.response(of: id), let entry, !entry.isReleased {
                        // What is kept is without secrets anyway; this is as it came.
                        let redactor = operations.redactor(of: id)
                        compared.append(
                            ComparedRun(
                                entry.title, redactor.response(response), hiding: redactor, lacksBody: entry.lacksBody,
                                whatIf: entry.sent.whatIf?.words))
                    } else if let number = id.pastRun ?? entry?.historyNumber {
                        let contents = try EffectPerformer.contents(of: number, in: history, known: known)
                        compared.append(
                            ComparedRun(
                                contents.sent.definition.name ?? contents.sent.definition.id.rawValue, contents.response,
                                lacksBody: contents.lacksBody))
                    } else {
                        throw HistoryError("what run \(id.rawValue) brought is not kept any more")
                    }
                }
                let usual = EffectPerformer.usualTimes(of: runs.compactMap { $0.entry?.request }.last, in: history)
                mailbox.post(
                    isAsked
                        ? .runsCompared(Comparison(RunComparison(compared[0], compared[1], usual: usual)))
                        : .changeFound(new, RunChange(compared[0], compared[1], usual: usual["total"])))
            } catch {
                if isAsked { mailbox.post(.notice(Notice(.error, error.message))) }
            }
        }
    }

    func share(_ id: OperationID, asPage isPage: Bool, of state: ExplorerState) {
        guard let sharer, let entry = state.operations[id], let response = operations.response(of: id) ?? entry.response else {
            return mailbox.post(.notice(Notice(.info, "what this run brought is not kept any more")))
        }
        let name = entry.title.map { $0.isLetter || $0.isNumber ? $0 : "-" }
        reading.async { [mailbox, operations] in
            let text = sharer(
                entry.title, operations.redactor(of: id).response(response), entry.report?.expectations ?? [], isPage)
            let path = NewFile.freeName(like: String(name) + (isPage ? ".html" : ".md"))
            do throws(SystemCallError) {
                try NewFile.write(Data(text.utf8), to: path)
                mailbox.post(.notice(Notice(.success, "wrote \(path), its secrets masked")))
            } catch {
                mailbox.post(.notice(Notice(.error, "\(path) can't be written: \(error)")))
            }
        }
    }

    /// Empty: too few of its runs are kept.
    nonisolated private static func usualTimes(
        of reference: RequestReference?, in history: LazyHistory?
    ) -> [String: UsualTime] {
        guard let reference, let history, history.isThere, let file = try? history.open() else { return [:] }
        let collection = absolute(reference.collection)
        let times = [
            "wait": try? file.waits(of: reference.id, in: collection),
            "total": try? file.totals(of: reference.id, in: collection),
        ]
        return times.compactMapValues { $0.flatMap { UsualTime($0) } }
    }

    nonisolated private static func contents(
        of number: Int64, in history: LazyHistory?, known: [String]
    ) throws(HistoryError) -> PastRunContents {
        guard let file = try history?.open(), let record = try file.record(number) else {
            throw HistoryError("run \(number) isn't in the history any more")
        }
        var response = record.response
        if record.run.isBodyKept, let body = try file.body(of: number) { response.info?.body = .data(body) }
        let path = known.first { absolute($0) == record.run.collection } ?? record.run.collection
        return PastRunContents(
            number: number, sent: SentRequest(record.definition, in: path, environment: record.run.environment), response: response,
            lacksBody: record.run.bodyBytes > 0 && !record.run.isBodyKept)
    }

    nonisolated static func absolute(_ path: String) -> String {
        URL(filePath: path).standardized.path(percentEncoded: false)
    }
}

extension PastRun {
    init(_ run: HistoryRun, in collection: String) {
        let state: RequestOperation.State =
            switch run.outcome {
            case .succeeded: .succeeded
            case .failed: .failed
            case .cancelled: .cancelled
            }
        self.init(
            number: run.id, date: run.date, request: RequestReference(collection: collection, id: run.request), title: run.title,
            environment: run.environment, url: run.url, state: state, status: run.status,
            error: run.reasons.first.map(String.init),
            errorType: run.errorType, duration: run.duration,
            attempts: run.attempts, note: run.note)
    }
}

extension ComparedRun {
    /// Bodies beyond this size aren't laid out.
    static let limit = 4 << 20
    /// How much of each line is kept.
    private static let columns = 1_000

    /// - Parameter redactor: for a body in a file, which is as it came; all else is without secrets.
    init(_ title: String, _ response: Response, hiding redactor: Redactor = Redactor(), lacksBody: Bool, whatIf: String? = nil) {
        var text: String?
        var note: String?
        var json: JSONValue?
        let body = response.info?.body ?? .none
        if lacksBody {
            note = "of one of them the body is not kept"
        } else if body.count > Self.limit {
            note = "too long to compare: \(Figures.bytes(Int64(body.count)))"
        } else if var data = try? body.contents() {
            let contentType = response.info?.head.headers[.contentType]
            if case .file = body { data = redactor.bytes(data, contentType: contentType) }
            let document = BodyDocument(BodyBytes(data), contentType: contentType)
            document.extendIndexToEnd()
            if document.kind == .binary {
                note = "not text"
            } else {
                if document.kind == .json { json = String(validating: data, as: UTF8.self).flatMap(JSONParser.parse) }
                text = document.lines(0..<document.lineCount.lines, columns: 0..<Self.columns).map(\.text).joined(separator: "\n")
            }
        }
        self.init(title: title, date: response.metrics.enqueuedDate, response: response, body: text, bodyNote: note, json: json)
        self.whatIf = whatIf
    }
}
