package import CollectionRunner
package import History
package import Interchange
package import MockTransport
package import NetworkLayer
package import Presentation
package import RequestCollections

/// The world outside, as far as the explorer's effects reach it. Everything can be stood in for.
package struct ExplorerServices: Sendable {
    package var client: NetworkClient
    /// What the client's transport calls itself, and the codings of responses that it decodes: the screen shows what will be sent.
    package var userAgent: String?
    package var contentCodings: [String]
    package var secrets: any SecretSource
    /// The store of what collections are allowed to do.
    package var grants: TrustStore
    /// What is allowed for as long as it runs: the demo's own wants, or everything.
    package var builtIn: Trust
    package var editor: any ExternalEditor
    package var themes: ThemeLibrary
    package var keymap: Keymap
    /// This program, for another process of it; `nil`: there is none.
    package var program: String?
    /// Turnstone's, for what belongs to saving but can't be beside a collection; `nil` where there is none.
    package var stateDirectory: String?
    /// Turnstone's, for what can be had again; `nil` where there is none.
    package var cacheDirectory: String?
    /// `nil`: unsaved edits are not kept.
    package var drafts: DraftStore?
    /// `nil`: runs are not kept, and former ones not shown.
    package var history: LazyHistory?
    /// The client's transport, when requests that have a mock are to be answered by it.
    package var mocks: MockTransport?
    /// Another program's file, or a directory of them, as a collection below `./Collections` that isn't written yet.
    ///
    /// - Parameter keepsSecrets: for one that gets into no file.
    package typealias Importer = @Sendable (_ path: String, _ keepsSecrets: Bool) throws -> AssembledImport
    package var importer: Importer?
    /// A run for other people, by its title: a page, or Markdown.
    package typealias Sharer = @Sendable (String, Response, [ExpectationResult], _ isPage: Bool) -> String
    package var sharer: Sharer?
    /// Shown when it opens, such as themes that could not be read.
    package var startNotices: [Notice]

    package init(
        client: NetworkClient, userAgent: String? = nil, contentCodings: [String] = [], secrets: any SecretSource = SystemSecrets(),
        grants: TrustStore = TrustStore(directory: nil),
        builtIn: Trust = .nothing, editor: any ExternalEditor, themes: ThemeLibrary = ThemeLibrary(),
        keymap: Keymap = Keymap(set: .default),
        program: String? = nil,
        stateDirectory: String? = nil, cacheDirectory: String? = nil, drafts: DraftStore? = nil, history: LazyHistory? = nil,
        mocks: MockTransport? = nil,
        importer: Importer? = nil,
        sharer: Sharer? = nil, startNotices: [Notice] = []
    ) {
        self.client = client
        self.userAgent = userAgent
        self.contentCodings = contentCodings
        self.secrets = secrets
        self.grants = grants
        self.builtIn = builtIn
        self.editor = editor
        self.themes = themes
        self.keymap = keymap
        self.program = program
        self.stateDirectory = stateDirectory
        self.cacheDirectory = cacheDirectory
        self.drafts = drafts
        self.history = history
        self.mocks = mocks
        self.importer = importer
        self.sharer = sharer
        self.startNotices = startNotices
    }
}
