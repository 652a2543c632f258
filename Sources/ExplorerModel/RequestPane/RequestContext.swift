import NetworkLayer
import OrderedCollections
package import RequestCollections

/// What surrounds the shown request: computed when it changes, not when it is drawn.
package struct RequestContext: Sendable {
    package let reference: RequestReference
    package let environment: String?
    package let inherited: InheritedValues
    package let templates: TemplatePreview
    /// Made when it is first looked at.
    package internal(set) var explained: ExplainedRequest?

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
    package func trustsAnyone(_ definition: RequestDefinition) -> Bool {
        let verifies = definition.settings.verifiesTLS ?? inherited.settings.verifiesTLS ?? true
        return !verifies && pins(of: definition).isEmpty
    }

    func pins(of definition: RequestDefinition) -> [String] { definition.settings.pins ?? inherited.settings.pins ?? [] }
}

extension ExplorerState {
    /// Called whenever the shown request, its environment or its collection may have changed.
    mutating func refreshContext(isStale: Bool = false) {
        guard let reference = selectedRequest, let collection = collections[reference.collection] else {
            context = nil
            return
        }
        let environment = environments[reference.collection]
        if !isStale, context?.reference == reference, context?.environment == environment { return }
        let given = givenVariables(in: reference.collection)
        context = RequestContext(
            reference, in: collection, folders: tree.folders(of: reference), environment: environment, variables: given.texts,
            secrets: given.secrets)
    }
}
