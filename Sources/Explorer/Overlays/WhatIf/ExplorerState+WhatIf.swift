import NetworkLayer
import OrderedCollections
import RequestCollections

extension ExplorerState {
    /// `.`: a row of choices for the next time alone.
    mutating func openWhatIf() -> [ExplorerEffect] {
        guard let reference = selectedRequest, definition(of: reference) != nil else {
            return say("pick a request first")
        }
        let known =
            workspace[reference.collection]?.environments.keys.filter {
                $0 != workspace.environments[reference.collection]
            } ?? []
        let last = whatIfRuns.last.map { fitting($0, reference.collection) }
        overlay = .whatIf(
            WhatIfBoard(
                environments: Array(known), hasMocks: transport.usesMocks, last: last.flatMap { $0.isEmpty ? nil : $0 }))
        return []
    }

    /// Without an environment that this collection doesn't have.
    private func fitting(_ whatIf: WhatIf, _ path: String) -> WhatIf {
        var whatIf = whatIf
        if let name = whatIf.environment, workspace[path]?.environments[name] == nil { whatIf.environment = nil }
        return whatIf
    }

    /// The request as it stands, but for that. What is edited stays edited.
    mutating func send(_ whatIf: WhatIf) -> [ExplorerEffect] {
        var effects = sendShownRequest()
        guard case .send(let definition, let path, let environment)? = effects.last else { return effects }
        let whatIf = fitting(whatIf, path)
        guard !whatIf.isEmpty else { return effects }
        whatIfRuns.last = whatIf
        effects[effects.count - 1] = sending(definition, in: path, environment, whatIf)
        notice = Notice(.info, "what if: \(whatIf.words); \(keyName(.compare)) compares with the run before")
        return effects
    }

    // MARK: Both ways

    /// As it is and with the change, twice each in turn, so that what changes by itself hits both; then the last two are compared.
    mutating func sendBothWays(_ whatIf: WhatIf) -> [ExplorerEffect] {
        let effects = sendShownRequest()
        guard case .send(let definition, let path, let environment)? = effects.last else { return effects }
        let whatIf = fitting(whatIf, path)
        let reference = RequestReference(collection: path, id: definition.id)
        whatIfRuns.contrast = Contrast(reference: reference, definition: definition, environment: environment, whatIf: whatIf)
        whatIfRuns.last = whatIf
        notice = Notice(.info, "as it is and with \(whatIf.words), in turn; \(keyName(.cancel)) ends it")
        return effects
    }

    /// An operation is over: what comes next.
    mutating func contrastGoesOn(after id: OperationID) -> [ExplorerEffect] {
        guard let contrast = whatIfRuns.contrast, contrast.ids.last == id else { return [] }
        if operations[id]?.state == .cancelled || contrast.ids.count == Contrast.times { whatIfRuns.contrast = nil }
        guard operations[id]?.state != .cancelled else { return [] }
        guard whatIfRuns.contrast != nil else {
            return [.compareRuns(contrast.ids[Contrast.times - 2], contrast.ids[Contrast.times - 1])]
        }
        whatIfRuns.contrast?.isAwaiting = true
        let path = contrast.reference.collection
        operations.shownAtSend[contrast.reference] = contrast.reference
        guard contrast.ids.count % 2 == 1 else { return [.send(contrast.definition, in: path, environment: contrast.environment)] }
        return [sending(contrast.definition, in: path, contrast.environment, contrast.whatIf)]
    }

    private func sending(
        _ definition: RequestDefinition, in path: String, _ environment: String?, _ whatIf: WhatIf
    ) -> ExplorerEffect {
        let whatIf = fitting(whatIf, path)
        return .sendWhatIf(whatIf.applied(to: definition), in: path, environment: whatIf.environment ?? environment, whatIf)
    }
}
