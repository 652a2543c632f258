package import CollectionRunner
package import ExplorerModel
package import NetworkLayer
package import Presentation

/// The world outside, as far as the explorer's effects reach it. Everything can be stood in for.
package struct ExplorerServices: Sendable {
    package var client: NetworkClient
    package var secrets: any SecretSource
    package var editor: any ExternalEditor
    package var themes: ThemeLibrary
    /// `nil`: unsaved edits are not kept.
    package var drafts: DraftStore?
    /// Told when it opens: themes that could not be read, say.
    package var startNotices: [Notice]

    package init(
        client: NetworkClient, secrets: any SecretSource = SystemSecrets(), editor: any ExternalEditor,
        themes: ThemeLibrary = ThemeLibrary(), drafts: DraftStore? = nil, startNotices: [Notice] = []
    ) {
        self.client = client
        self.secrets = secrets
        self.editor = editor
        self.themes = themes
        self.drafts = drafts
        self.startNotices = startNotices
    }
}
