import NetworkLayer
import Presentation
import RequestCollections

/// What the explorer asks the world for. A value, so that a test can compare it and a log can print it.
enum ExplorerEffect: Hashable, Sendable {
    // Operations
    /// Resolve, and enqueue; answered by `operationEnqueued` or `sendFailed`.
    case send(RequestDefinition, in: String, environment: String?)
    /// The same with something changed for once; the file stays.
    case sendWhatIf(RequestDefinition, in: String, environment: String?, WhatIf)
    case cancel(OperationID, CancelSource)
    /// Through an open session, its templates filled in, behind those before it; `messageNotSent` says when it can't be.
    case sendMessage(String, OperationID)
    /// Close a session with 1000.
    case closeSession(OperationID)
    /// A send that isn't in the queue yet, by its number; answered by `sendCancelled`.
    case cancelSend(Int)
    /// The cookies of a collection that no jar keeps. Answered by `cookiesKept` and a notice.
    case forgetCookies(in: String)
    /// Cut the wait before a retry short.
    case retryNow(OperationID)
    /// Try no more.
    case stopRetrying(OperationID)
    case setQueueSuspended(Bool)
    /// The operation isn't over: its place among those that wait changes, too.
    case setPriority(OperationID, Priority)
    /// Answered by `labProgressed`, in batches; ends the one before it.
    case startLab(LabOrder)
    case pauseLab(Bool)
    /// What is under way is waited for, and cancelled the second time.
    case stopLab
    /// Make lines of what has come of a body if that is more than so many bytes, beside the loop: answered by `bodyArrived`.
    ///
    /// - Parameter isWhole: no more comes of it, so its last line counts too.
    case peekBody(OperationID, contentType: String?, beyond: Int, isWhole: Bool)
    /// Take what has come of a stream apart, beside the loop: answered by `streamArrived`, in one or more parts.
    ///
    /// - Parameter isWhole: the response is there.
    case readStream(OperationID, BodyKind, attempt: Int, isWhole: Bool)
    /// Find out which records a filter lets through, beside the loop: answered by `streamFiltered`.
    case filterStream(OperationID, filter: String, [StreamRecord])
    /// Make the lines over the response's body, beside the loop: answered by `bodyPrepared` as soon as the first can be drawn
    /// (or `bodyFailed`), and when all are indexed by `bodyIndexed`.
    case prepareBody(OperationID, BodyMode)
    /// Look through a large body, beside the loop; ends the search before it.
    case searchBody(OperationID, BodySearch)
    /// Filter the body, beside the loop; ends the filter before it. Answered by `bodyFiltered` or `bodyFilterFailed`, and then
    /// `bodyIndexed`.
    case filterBody(OperationID, filter: String, BodyMode)
    /// A page of former runs of a collection, older than one of them; answered by `pastRunsLoaded`, in no hurry.
    case loadPastRuns(in: String, before: Int64?)
    /// All of a former run, its body included; answered by `pastRunLoaded`.
    case loadPastRun(Int64, for: PastRunPurpose)
    /// The older one first; answered by `runsCompared`.
    case compareRuns(OperationID, OperationID)
    /// Find what differs in the second run; answered by `changeFound`, unless one of the two isn't kept.
    case findChange(OperationID, OperationID)
    /// Let go of what is kept of these operations.
    case release([OperationID])
    /// Show the response's body in another program, as it came; `isText`: in the pager.
    case openBody(OperationID, fileExtension: String, isText: Bool)
    /// Write the response's body to a file; answered by a notice.
    case saveBody(OperationID, to: String)
    /// Write a run for other people, masked, to a file that isn't there: a page, or Markdown; answered by a notice.
    case share(OperationID, asPage: Bool)
    /// Write a text to a file that isn't there; answered by a notice.
    case writeText(String, to: String)

    /// Read the schema of a file, or the one that is kept of a server; answered by `schemaFound`.
    case loadSchema(SchemaSource)
    /// Send introspection, which the request was made to, and keep what comes of it; answered by `schemaFound` as well.
    case askSchema(SchemaSource, RequestDefinition, in: String, environment: String?)

    // People
    /// To the question with this number.
    case answer(Int, QuestionAnswer)

    // Trust
    /// Ask for all that a collection wants; answered by `trustFound`.
    case askTrust(in: String)

    // Files
    /// Answered by `collectionLoaded`, `collectionFailed`, or for another program's file `collectionImported`.
    case loadCollection(path: String)
    /// All of one collection, merged with what others have written meanwhile; answered by `saved`, `saveFailed`, or both.
    case save([RequestEdit], in: String)
    /// Keep an unsaved edit where a crash can't reach it; `nil`: it is saved or undone.
    case writeDraft(RequestReference, RequestEdit?)

    /// Answered by `treeChanged` or `treeChangeFailed`; on the disk at once.
    case changeTree(TreeEdit)
    /// Take a change back, or do again what was taken back; answered in the same way.
    case revertTree(TreeChange)

    // The world around
    case openEditor(EditorRequest)
    /// A file of a collection itself, at a line; when it changes, it is read again.
    case openFile(SourceLocation)
    /// To the clipboard; `what` is the word for the message (`body`, `URL`).
    case copy(String, what: String)
    /// The body of an operation's response, as it came.
    case copyBody(OperationID)
    /// The request with its variables' values; answered by `copied` or `sendFailed`.
    case copyRequest(RequestDefinition, in: String, environment: String?, as: RequestRendering)
    case setTheme(String)
    /// Something was found in the omnibox: answered by `usesCounted`.
    case countUse(String)
    /// Leave, and come back on the demo.
    case openDemo
    case suspend
    case redraw
    case quit
}

/// A form in which a resolved request can be given away.
enum RequestRendering: String, Hashable, Sendable, CaseIterable {
    case curl
    case url

    /// The word for menus and messages.
    var title: String {
        switch self {
        case .curl: "curl command"
        case .url: "URL"
        }
    }

    /// How its secrets are in it.
    var detail: String {
        switch self {
        case .curl: "a shell fills its secrets in"
        case .url: "its secrets masked"
        }
    }
}
