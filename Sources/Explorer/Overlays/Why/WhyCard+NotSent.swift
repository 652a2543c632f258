import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

extension WhyCard {
    /// When only a variable has no value, it can be set here.
    init(_ refusal: Refusal, of request: RequestReference, in state: ExplorerState) {
        var remedies: [Remedy] = []
        if let variable = refusal.missing, state.workspace[request.collection] != nil {
            remedies += Self.setting(variable, of: request, in: state)
        }
        switch refusal.code {
        case .notAllowed: remedies.append(Remedy("t", "see what it wants, and allow it", .allow))
        case .environment, .variable: remedies += Self.environments(of: request, in: state)
        case .url: remedies.append(Self.editURL)
        case .header: remedies.append(Remedy("h", "edit the headers", .showRequest(.headers)))
        case .body, .file: remedies.append(Remedy("b", "edit the body", .showRequest(.body)))
        case .authentication: remedies.append(Self.editAuth)
        default: break
        }
        if let location = refusal.location, !location.path.isEmpty {
            remedies.append(Remedy("o", "open \(state.shortPlace(location)) in $EDITOR", .open(location)))
        }
        remedies.append(Remedy("s", "send it as it stands", .send))
        self.init(
            "Not sent: \(request.id)", request, cause: [StyledLine(SafeText.line(refusal.message), .error)], remedies: remedies)
    }

    private static func setting(_ variable: String, of request: RequestReference, in state: ExplorerState) -> [Remedy] {
        func set(_ key: Character, _ title: String, _ place: VariableWish.Place) -> Remedy {
            Remedy(key, title, .set(VariableWish(name: variable, request: request, place: place)))
        }
        let secret = set("p", "set \(variable) as a secret, unseen, for this session", .secret)
        if state.templates(of: request)?.isSecret(variable) == true { return [secret] }
        let environment = state.workspace.environments[request.collection]
        return [
            set("n", "set \(variable) for this session", .session), secret,
            set(
                "f", "set \(variable) in the \(environment.map { "environment \($0)" } ?? "file")",
                .file(environment: environment)),
        ]
    }

    static func environments(of request: RequestReference, in state: ExplorerState) -> [Remedy] {
        guard let collection = state.workspace[request.collection] else { return [] }
        let choice = Remedy("v", "choose another environment", .chooseEnvironment)
        return (collection.environments.isEmpty ? [] : [choice]) + [Remedy("V", "edit the variables", .editVariables)]
    }

    static let editURL = Remedy("e", "edit the URL", .edit(.url))
    static let editAuth = Remedy("a", "edit the authentication (tab auth)", .showRequest(.auth))
    static let sendAgain = Remedy("s", "send it again as it stands", .send)
}
