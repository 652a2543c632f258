import Base
import Dispatch
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

extension EffectPerformer {
    /// No terminal accepts more than this.
    private static let clipboardLimit = 1 << 20

    /// Whole lines only, as long as more may come: the rest of one may be half of a secret.
    func peekBody(of id: OperationID, contentType: String?, beyond bytes: Int, isWhole: Bool) {
        Task.detached(priority: .userInitiated) { [mailbox, operations] in
            let body = operations.partialBody(of: id)
            let redactor = operations.redactor(of: id)
            guard body.count > bytes, let all = try? redactor.shown(body, contentType: contentType, declared: contentType) else {
                mailbox.post(.bodyArrived(id, nil, bytes: bytes))
                return
            }
            // JSON and markup are laid out up to their end; nobody reads half a line of a text.
            let isLaidOut = BodyKind.isReadFromItsBeginning(contentType: contentType)
            let shown = isWhole || isLaidOut ? all : all.wholeLines
            let document = BodyDocument(shown, contentType: contentType, isPartial: !isWhole)
            document.extendIndexToEnd()
            mailbox.post(.bodyArrived(id, shown.count == 0 ? nil : document, bytes: body.count))
        }
    }

    /// The first lines as soon as they can be laid out, then the index of all. Lines that are there already are only indexed.
    func prepareBody(of id: OperationID, _ mode: BodyMode, for state: ExplorerState) {
        // What has arrived is only a part, unless it is ready.
        if case .ready = state.operations[id]?.body, let document = state.document(of: id), document.mode == mode {
            Task.detached(priority: .userInitiated) { await self.index(document, of: id) }
            return
        }
        guard let info = operations.response(of: id)?.info else { return }
        let contentType = state.operations[id]?.contentType ?? info.head.headers[.contentType]
        Task.detached(priority: .userInitiated) { [mailbox, operations] in
            do {
                let redactor = operations.redactor(of: id)
                let declared = info.head.headers[.contentType]
                guard let bytes = try redactor.shown(info.body, contentType: contentType, declared: declared) else { return }
                let document = BodyDocument(bytes, contentType: contentType, mode: mode)
                document.extendIndex(byBytes: 1 << 18)
                mailbox.post(.bodyPrepared(id, document))
                await self.index(document, of: id)
                if document.imageHeader != nil, let data = try? info.body.contents(), let picture = Picture(data) {
                    mailbox.post(.pictureRead(id, picture))
                }
            } catch {
                mailbox.post(.bodyFailed(id, message: "\(error)"))
            }
        }
    }

    nonisolated private func index(_ document: BodyDocument, of id: OperationID) async {
        while document.extendIndex() { await Task.yield() }
        mailbox.post(.bodyIndexed(id))
        guard document.extendPlaces() else { return }
        while document.extendPlaces() { await Task.yield() }
        mailbox.post(.bodyIndexed(id))
    }

    /// The match as soon as it is found; then all are counted.
    func searchBody(of id: OperationID, _ search: BodySearch, for state: ExplorerState) {
        searching?.cancel()
        guard let document = state.document(of: id) else { return }
        searching = Task.detached(priority: .userInitiated) { [mailbox] in
            let match = search.match(in: document)
            guard !Task.isCancelled else { return }
            mailbox.post(.bodySearched(id, search, match))
            guard var tally = search.tally else { return }
            var blocks = 0
            while tally.advance(in: document) {
                guard !Task.isCancelled else { return }
                blocks += 1
                if blocks.isMultiple(of: EffectPerformer.blocksBetweenCounts) { mailbox.post(.bodyCounted(id, tally)) }
            }
            mailbox.post(.bodyCounted(id, tally))
        }
    }

    /// A block has 1 MiB.
    nonisolated private static let blocksBetweenCounts = 16

    /// Writes the body as it came, since a saved body is to be used. It never replaces a file.
    func saveBody(of id: OperationID, to path: String) {
        guard let body = operations.response(of: id)?.info?.body else { return }
        files.async { [mailbox] in
            let contents: Data
            do { contents = try body.contents() } catch {
                return mailbox.post(.notice(Notice(.error, "the body can't be read: \(error)")))
            }
            Self.write(contents, to: path, mailbox)
        }
    }

    /// Writes a new file; an existing one is never overwritten.
    func write(_ contents: Data, to path: String) {
        files.async { [mailbox] in Self.write(contents, to: path, mailbox) }
    }

    /// A large one says how far it is, four times a second at most.
    nonisolated private static func write(_ contents: Data, to path: String, _ mailbox: Mailbox) {
        var told = ContinuousClock.now
        do throws(SystemCallError) {
            try NewFile.write(contents, to: path) { written in
                guard ContinuousClock.now - told >= .milliseconds(250) else { return }
                told = ContinuousClock.now
                let percent = Figures.percent(Double(written) / Double(contents.count))
                mailbox.post(
                    .notice(Notice(.info, "writing \(path): \(percent) of \(Figures.bytes(Int64(contents.count)))")))
            }
            mailbox.post(.notice(Notice(.success, "wrote \(contents.count) bytes to \(path)")))
        } catch {
            let reason = error == .exists ? "exists; choose another name" : "could not be written: \(error.message)"
            mailbox.post(.notice(Notice(.error, "\(path) \(reason)")))
        }
    }

    /// The text as it came. The terminal belongs to the other program until that ends.
    func openBody(of id: OperationID, _ fileExtension: String, isText: Bool) -> [ExplorerEvent] {
        guard let body = operations.response(of: id)?.info?.body else { return [] }
        terminal.leave()
        let result = Result { [editor] in
            try editor.show(try body.contents(), fileExtension: fileExtension, isText: isText)
        }
        terminal.enter()
        let resized = ExplorerEvent.terminal(.resize(terminal.size))
        switch result {
        case .success(nil): return [resized]
        case .success(let path?): return [resized, .notice(Notice(.info, "\(path) was opened; it stays until you delete it"))]
        case .failure(let error): return [resized, .notice(Notice(.error, "\(error)"))]
        }
    }

    func copyBody(of id: OperationID, for state: ExplorerState) {
        guard let info = operations.response(of: id)?.info else {
            mailbox.post(.notice(Notice(.info, "there is no body to copy")))
            return
        }
        let body = info.body
        guard body.count <= EffectPerformer.clipboardLimit else {
            mailbox.post(.notice(Notice(.warning, "the body is too large for the clipboard; save it to a file instead")))
            return
        }
        let contentType = state.operations[id]?.contentType
        Task.detached { [mailbox, operations] in
            let (redactor, declared) = (operations.redactor(of: id), info.head.headers[.contentType])
            let masked = (try? body.contents()).map { redactor.shown($0, contentType: contentType, declared: declared) }
            let contents = masked.map { CharsetText.converted($0, contentType: contentType) ?? $0 }
            if let text = contents.flatMap({ String(validating: $0, as: UTF8.self) }) {
                mailbox.post(.effect(.copy(text, what: "body")))
            } else {
                mailbox.post(.notice(Notice(.warning, "the body is not text; save it to a file instead")))
            }
        }
    }
}

extension Redactor {
    /// What may be shown of a body. One in a file stays as it came, and in the file, unless another form of it is read: then all of it is
    /// in memory anyway.
    ///
    /// - Parameters:
    ///   - contentType: what it is read as.
    ///   - declared: what its server says.
    fileprivate func shown(_ body: ResponseBody, contentType: String?, declared: String?) throws -> BodyBytes? {
        if case .data(let data) = body { return BodyBytes(shown(data, contentType: contentType, declared: declared)) }
        guard case .file = body, !isEmpty, let mapped = try body.bytes,
            mapped.isTranscoded(contentType: contentType)
        else { return try body.bytes }
        return BodyBytes(shown(try body.contents(), contentType: contentType, declared: declared))
    }

    /// Whatever it is read as, its secrets are in the encoding that its server names, too.
    fileprivate func shown(_ body: Data, contentType: String?, declared: String?) -> Data {
        let masked = bytes(body, contentType: declared)
        return contentType == declared ? masked : bytes(masked, contentType: contentType)
    }
}
