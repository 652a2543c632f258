import NetworkLayer
import OrderedCollections
import RequestCollections

/// What surrounds the shown request: computed when it changes, not when it is drawn.
struct RequestContext: Sendable {
    let reference: RequestReference
    let environment: String?
    let inherited: InheritedValues
    let templates: TemplatePreview
    /// Made when it is first looked at.
    var explained: ExplainedRequest?

    init(
        _ reference: RequestReference, in collection: RequestCollection, folders: [RequestID], environment: String?,
        variables: [String: String], secrets: [String: [OriginPattern]]
    ) {
        self.reference = reference
        self.environment = environment
        self.inherited = InheritedValues(collection: collection, folders: folders)
        self.templates = TemplatePreview(
            collection, environment: environment, of: collection.request(reference.id), given: variables,
            secrets: Set(secrets.keys))
    }

    /// Whether anyone may answer over TLS, since neither authorities nor pins are asked for; then the screen says so.
    func trustsAnyone(_ definition: RequestDefinition) -> Bool {
        let verifies = definition.settings.verifiesTLS ?? inherited.settings.verifiesTLS ?? true
        return !verifies && pins(of: definition).isEmpty
    }

    /// The URL with the values of its path in it and all parameters behind it, also those that folders above say; templates are left whole,
    /// and parameters that are secrets are masked.
    func wholeURL(of definition: RequestDefinition) -> String {
        let url = definition.path.filter(\.isEnabled).reduce(definition.shownURL) { text, row in
            text.split(separator: "/", omittingEmptySubsequences: false).map { $0 == ":\(row.name)" ? row.value[...] : $0 }
                .joined(separator: "/")
        }
        let query = rows(.query, of: definition).map { row in
            "\(row.name)=\(Redaction.standard.redacts(parameter: row.name) ? "••••••" : row.value)"
        }
        guard !query.isEmpty else { return url }
        return url + (url.contains("?") ? "&" : "?") + query.joined(separator: "&")
    }

    /// The request's own rows that are on, and those of the folders that it doesn't have itself.
    func rows(_ list: RequestField.Rows, of definition: RequestDefinition) -> [(name: String, value: String)] {
        let own = definition[list]
        let others = inherited.rows(list).filter { row in
            row.isEnabled && !own.contains { $0.name.lowercased() == row.name.lowercased() }
        }
        return own.filter(\.isEnabled).map { ($0.name, $0.value) } + others.map { ($0.name, $0.value) }
    }

    func pins(of definition: RequestDefinition) -> [String] { definition.settings.pins ?? inherited.settings.pins ?? [] }
}

extension ExplorerState {
    /// Called whenever the shown request, its environment or its collection may have changed.
    mutating func refreshContext(isStale: Bool = false) {
        guard let reference = selectedRequest, let collection = workspace[reference.collection] else {
            context = nil
            return
        }
        let environment = workspace.environments[reference.collection]
        if !isStale, context?.reference == reference, context?.environment == environment { return }
        let given = givenVariables(in: reference.collection)
        context = RequestContext(
            reference, in: collection, folders: tree.folders(of: reference), environment: environment, variables: given.texts,
            secrets: given.secrets)
    }
}
