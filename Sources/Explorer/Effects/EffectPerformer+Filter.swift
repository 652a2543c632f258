import Base
import CollectionRunner
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections

extension EffectPerformer {
    /// The one before is ended, and waited for: a large body is never gone through twice at a time.
    func filterBody(of id: OperationID, by filter: String, _ mode: BodyMode) {
        let before = filtering
        before?.cancel()
        guard !filter.isEmpty, let info = operations.response(of: id)?.info else { return }
        let redactor = operations.redactor(of: id)
        filtering = Task.detached(priority: .userInitiated) { [mailbox, worker = runner.worker] in
            await before?.value
            guard !Task.isCancelled else { return }
            do throws(BodyFilterError) {
                let output = try await BodyFilter(filter).output(of: BodyFilter.Body(info), permit: .own, worker: worker)
                guard !Task.isCancelled else { return }
                // A command may give back the encoding of the body.
                let masked = redactor.bytes(output, contentType: info.head.headers[.contentType])
                let document = Self.document(over: masked, isJSON: BodyFilter(filter).givesJSON, mode)
                document.extendIndex(byBytes: 1 << 18)
                mailbox.post(.bodyFiltered(id, filter: filter, document))
                while document.extendIndex() { await Task.yield() }
                mailbox.post(.bodyIndexed(id))
            } catch {
                guard !Task.isCancelled else { return }
                mailbox.post(.bodyFilterFailed(id, filter: filter, message: error.message))
            }
        }
    }

    nonisolated private static func document(over output: Data, isJSON: Bool, _ mode: BodyMode) -> BodyDocument {
        let bytes = BodyBytes(output)
        return isJSON ? BodyDocument(bytes, kind: .jsonValues, mode: mode) : BodyDocument(bytes, mode: mode)
    }
}
