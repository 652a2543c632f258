import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// Whether the shown request or its run has something to explain.
    var asksWhy: Bool { refusal != nil || shownOperation?.raisesQuestions == true }

    /// Why the shown request was not sent, when that was asked for last.
    var refusal: Refusal? { selectedRequest.flatMap { operations.refusals[$0] } }

    /// `nil`: nothing went wrong here.
    var whyCard: WhyCard? {
        if let selectedRequest, let refusal { return WhyCard(refusal, of: selectedRequest, in: self) }
        return shownOperation.flatMap { WhyCard($0, in: self) }
    }

    var why: Opening {
        if let card = whyCard { return .overlay(.why(card)) }
        if let shownOperation, !shownOperation.state.isFinal {
            return .notice("it isn't over yet: \(keyName(.cancel)) cancels it")
        }
        return .notice(shownOperation == nil ? "nothing was sent yet" : "nothing went wrong here")
    }

    /// Where to go from what went wrong, in one line below it.
    var remediesLine: StyledLine {
        var line = StyledLine("  ")
        line.append(keyName(.why), .key)
        let titles = (whyCard?.remedies ?? []).filter { $0.action != .send }.map(\.title)
        line.append(" why: \((titles.prefix(2) + ["send it again"]).joined(separator: ", "))", .keyHelp)
        return line
    }

    mutating func perform(_ remedy: WhyCard.Remedy, of card: WhyCard) -> [ExplorerEffect] {
        switch remedy.action {
        case .showOperation(let id):
            show(id)
            open(why)
            return []
        case .showResponse(let tab):
            go(toResponse: tab)
            return []
        case .set(let wish):
            overlay = .entry(form(of: wish))
            return []
        case .open(let location): return [.openFile(location)]
        default: break
        }
        // It may have come up while another request is shown.
        guard tree.index(of: card.request) != nil else {
            return say("the request isn't there any more")
        }
        show(request: card.request)
        return perform(remedy.action)
    }

    /// With the request shown.
    private mutating func perform(_ action: WhyCard.Action) -> [ExplorerEffect] {
        switch action {
        case .change(let changes):
            let effects = edit { definition in
                for change in changes { try? change.field.set(change.text, in: &definition.settings) }
            }
            let sent = sendShownRequest()
            // A pin is longer than the line.
            let what =
                changes.count == 1
                ? "\(changes[0].field.key) is \(changes[0].text)"
                : "\(changes.map(\.field.key).joined(separator: " and ")) are set"
            notice = Notice(.info, "\(what) now: \(keyName(.save)) saves it, \(keyName(.undo)) takes it back")
            return effects + sent
        case .edit(let field): return edit(field)
        case .showRequest(let tab):
            go(toRequest: tab)
        case .chooseEnvironment: open(environmentChooser)
        case .editVariables: open(variableBoard)
        case .allow: return askTrust()
        case .send: return sendShownRequest()
        case .showOperation, .showResponse, .set, .open: break
        }
        return []
    }

    /// Goes to the row of a field, and begins to edit it there.
    private mutating func edit(_ field: RequestField) -> [ExplorerEffect] {
        let tab: RequestPaneState.Tab =
            switch field {
            case .value: .checks
            case .policy: .policy
            default: .url
            }
        go(toRequest: tab)
        if tab != .url { panes.request.select(RequestPaneRow(of: field), in: requestRows) }
        let effects = settle()
        if let chooser = choices(of: field) { overlay = .chooser(chooser) } else { beginEditing(field) }
        return effects
    }
}
