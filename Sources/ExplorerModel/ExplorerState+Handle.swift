import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// Takes in one event.
    ///
    /// - Returns: what is to be done, in order.
    package mutating func handle(_ event: ExplorerEvent) -> [ExplorerEffect] {
        switch event {
        case .terminal(let event):
            return handle(event)
        case .tick(let time):
            now = max(now, time)
            return []
        case .operationEnqueued(let id, let sent):
            return enqueued(id, sent)
        case .sendFailed(_, let message):
            notice = Notice(.error, message)
            return []
        case .network(let event):
            now = max(now, event.time)
            operations[event.operation]?.apply(event)
            return []
        case .responseReady(let id, let response):
            operations[id]?.response = response
            return [.prepareBody(id)]
        case .collectionLoaded(let collection):
            collections[collection.path] = collection
            return []
        case .collectionFailed(_, let message):
            notice = Notice(.error, message)
            return []
        case .saved, .editorReturned:
            return []
        case .saveFailed(_, let message):
            notice = Notice(.error, message)
            return []
        case .copied(let what):
            notice = Notice(.success, "copied the \(what)")
            return []
        case .themeChanged(let name):
            theme = name
            return []
        case .notice(let notice):
            self.notice = notice
            return []
        }
    }

    private mutating func handle(_ event: TerminalEvent) -> [ExplorerEffect] {
        switch event {
        case .key(let key):
            guard let command = keymap.command(for: key, in: focus) else { return [] }
            return perform(command)
        case .resize(let size):
            self.size = size
            return []
        case .paste, .mouse, .resumed, .terminate:
            return []
        }
    }

    private mutating func enqueued(_ id: OperationID, _ sent: SentRequest) -> [ExplorerEffect] {
        operations[id] = OperationEntry(id: id, sent: sent)
        latestOperations[sent.reference] = id
        selectedOperation = id
        return []
    }

    /// Does what the user asked for, by key, palette or mouse.
    package mutating func perform(_ command: Command.ID) -> [ExplorerEffect] {
        let own: [ExplorerEffect]? =
            switch focus {
            case .collection, .request: nil
            case .operation: operationPane(perform: command)
            case .response: responsePane(perform: command)
            case .queue: queuePane(perform: command)
            case .history: historyPane(perform: command)
            }
        if let own { return own }
        switch command {
        case .quit: return [.quit]
        case .suspend: return [.suspend]
        case .redraw: return [.redraw]
        default: return []
        }
    }
}

extension OperationEntry {
    mutating func apply(_ event: NetworkEvent) {
        events.append(event)
    }
}
