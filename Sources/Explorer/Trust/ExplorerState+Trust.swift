import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// What has to change for it to be found out again what collections want.
    struct TrustQuestion: Hashable, Sendable {
        var reading: Int
        var environments: [String: String]
        var session: SessionVariables
    }

    var trustQuestion: TrustQuestion {
        TrustQuestion(reading: workspace.reading, environments: workspace.environments, session: workspace.sessionVariables)
    }

    /// Whether sending the request wants what isn't allowed.
    func hasOpenWants(_ reference: RequestReference) -> Bool {
        workspace.trusts[reference.collection]?.openRequests.contains(reference.id) ?? false
    }

    /// `3 things not allowed`, of the collection that the panes are about; `nil`: all that it wants is allowed.
    var trustWarning: String? {
        guard let collection = shownCollection, let trust = workspace.trusts[collection.path], trust.openCount > 0 else {
            return nil
        }
        let things = trust.openCount == 1 ? "1 thing" : "\(trust.openCount) things"
        let key = keymap.keys(for: .askTrust).first
        return "\(things) \(trust.standing.trust.isNever ? "never" : "not") allowed" + (key.map { ": \($0.name)" } ?? "")
    }

    /// What the shown request wants.
    ///
    /// - Parameter all: also what is allowed.
    private func trustRows(all: Bool) -> [TrustReview.Row] {
        guard let reference = selectedRequest, let collection = workspace[reference.collection],
            let trust = workspace.trusts[reference.collection], let wants = trust.wants[reference.id]
        else { return [] }
        return TrustReview(of: collection, wants, trust.standing.trust, allowed: trust.standing.allowed, all: all).rows
    }

    /// Rows of the request pane, below the URL or at the end of what is explained.
    func withTrust(_ rows: [RequestPaneRow]) -> [RequestPaneRow] {
        switch panes.request.tab {
        case .params:
            let open = trustRows(all: false)
            guard !open.isEmpty else { return rows }
            let needs = open.map { "\($0.noted.want.kind) \($0.noted.want.subject)" }.joined(separator: ", ")
            var rows = rows
            let end = rows.lastIndex { $0 == .url || $0 == .preview }
            rows.insert(.want(mark: "needs:", needs, isOpen: true), at: end.map { $0 + 1 } ?? rows.endIndex)
            return rows
        case .settings where explainsRequest:
            let wants = trustRows(all: true)
            guard !wants.isEmpty else { return rows }
            return rows + [.heading("wants")]
                + wants.map { row in
                    .want(
                        mark: row.state == .new ? "not allowed" : row.mark,
                        (["\(row.noted.want.kind) \(row.noted.want.subject)"] + row.details).joined(separator: "   "),
                        isOpen: row.state != .allowed)
                }
        case .headers, .body, .auth, .checks, .settings: return rows
        }
    }

    mutating func found(_ finding: TrustFinding) {
        guard workspace[finding.collection] != nil else { return }
        var wants = workspace.trusts[finding.collection]?.wants ?? [:]
        switch finding.subject {
        case .standing: break
        case .request(let request, let found): wants[request] = found.isEmpty ? nil : found
        case .collection(let found): wants = found
        }
        // The cursor stays on its row while rows come and go above it.
        let row = selectedRequestRow
        workspace.trusts[finding.collection] = CollectionTrust(finding.standing, wants: wants)
        if let row { panes.request.select(row, in: requestRows) }
    }

    mutating func askTrust() -> [ExplorerEffect] {
        guard let collection = shownCollection else { return [] }
        return [.askTrust(in: collection.path)]
    }
}
