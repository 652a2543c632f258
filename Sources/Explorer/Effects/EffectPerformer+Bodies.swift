import Dispatch
import ExplorerModel
import FoundationEssentials
import HTTPTypes
import NetworkLayer
import Presentation

extension EffectPerformer {
    /// More than this, and no terminal takes it.
    private static let clipboardLimit = 1 << 20

    /// The first lines as soon as they can be laid out, then the index of all.
    func prepareBody(of id: OperationID, _ mode: BodyMode) {
        guard let operation = operations[id] else { return }
        Task.detached(priority: .userInitiated) { [mailbox] in
            guard let info = operation.finalResponse?.info else { return }
            do {
                guard let document = try BodyDocument(info.body, contentType: info.head.headers[.contentType], mode: mode) else {
                    return
                }
                document.extendIndex(byBytes: 1 << 18)
                mailbox.post(.bodyPrepared(id, document))
                while document.extendIndex() { await Task.yield() }
                mailbox.post(.bodyIndexed(id))
            } catch {
                mailbox.post(.bodyFailed(id, message: "\(error)"))
            }
        }
    }

    /// Never over a file that is there.
    func saveBody(of id: OperationID, to path: String) {
        guard let body = operations[id]?.finalResponse?.info?.body else { return }
        files.async { [mailbox] in
            let target = path.hasPrefix("~/") ? FileManager.default.homeDirectoryForCurrentUser.path() + path.dropFirst(2) : path
            do {
                let contents = try body.contents()
                try contents.write(to: URL(filePath: target), options: .withoutOverwriting)
                mailbox.post(.notice(Notice(.success, "wrote \(contents.count) bytes to \(path)")))
            } catch let error as CocoaError where error.code == .fileWriteFileExists {
                mailbox.post(.notice(Notice(.error, "\(path) exists; choose another name")))
            } catch {
                mailbox.post(.notice(Notice(.error, "\(path) could not be written: \(error)")))
            }
        }
    }

    func copyBody(of id: OperationID) {
        guard let body = operations[id]?.finalResponse?.info?.body else { return }
        guard body.count <= EffectPerformer.clipboardLimit else {
            mailbox.post(.notice(Notice(.warning, "the body is too large for the clipboard; save it to a file instead")))
            return
        }
        Task.detached { [mailbox] in
            if let contents = try? body.contents(), let text = String(validating: contents, as: UTF8.self) {
                mailbox.post(.effect(.copy(text, what: "body")))
            } else {
                mailbox.post(.notice(Notice(.warning, "the body is not text; save it to a file instead")))
            }
        }
    }
}
