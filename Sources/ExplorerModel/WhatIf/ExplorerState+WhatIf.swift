import OrderedCollections
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// `.`: a row of choices for the next time alone.
    mutating func openWhatIf() -> [ExplorerEffect] {
        let effects = commitEditing()
        guard requestPane.editing == nil else { return effects }
        guard let reference = selectedRequest, definition(of: reference) != nil else {
            notice = Notice(.info, "pick a request first")
            return effects
        }
        let known = collections[reference.collection]?.environments.keys.filter { $0 != environments[reference.collection] } ?? []
        overlay = .whatIf(WhatIfBoard(environments: Array(known), hasMocks: usesMocks, last: lastWhatIf))
        return effects
    }

    mutating func handle(_ board: WhatIfBoard, _ key: KeyPress) -> [ExplorerEffect] {
        var board = board
        switch key.key {
        case .escape, .character("q"):
            overlay = nil
            return []
        case .enter:
            overlay = nil
            return send(board.whatIf)
        case _ where isKey(key, of: .whatIf):
            guard let last = board.last else { return [] }
            overlay = nil
            return send(last)
        case .right, .character("l"), .character(" "): board.pick(1)
        case .left, .character("h"): board.pick(-1)
        case .down, .character("j"): board.move(1)
        case .up, .character("k"): board.move(-1)
        case .tab: board.move(key.modifiers.contains(.shift) ? -1 : 1)
        default: return []
        }
        overlay = .whatIf(board)
        return []
    }

    /// The request as it stands, but for that. What is edited stays edited.
    private mutating func send(_ whatIf: WhatIf) -> [ExplorerEffect] {
        var effects = sendShownRequest()
        guard !whatIf.isEmpty, case .send(let definition, let path, let environment)? = effects.last else { return effects }
        lastWhatIf = whatIf
        // An environment that this collection doesn't have stays out of it.
        let own = whatIf.environment.flatMap { collections[path]?.environments[$0] == nil ? nil : $0 }
        effects[effects.count - 1] = .sendWhatIf(
            whatIf.applied(to: definition), in: path, environment: own ?? environment, whatIf)
        notice = Notice(.info, "what if: \(whatIf.words); \(keyName(.compare)) compares with the run before")
        return effects
    }
}
