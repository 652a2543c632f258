import Base
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// Everything that can happen to the explorer.
enum ExplorerEvent: Sendable {
    case terminal(TerminalEvent)
    /// Time goes by. Sent when the state asked for it, see ``ExplorerState/nextTick``; every other event finds ``ExplorerState/now`` set.
    case tick(MonotonicTime)

    // Operations
    /// The answer to ``ExplorerEffect/send(_:in:environment:)``; its network events follow.
    case operationEnqueued(OperationID, SentRequest)
    /// The other answer: nothing was sent.
    ///
    /// - Parameters:
    ///   - missing: the variable that has no value, if that is why.
    ///   - code: what kind of reason it is.
    ///   - location: where what is wrong stands.
    case sendFailed(
        RequestReference, message: String, missing: String? = nil, code: ResolutionError.Code? = nil, at: SourceLocation? = nil)
    /// Another answer: nothing was sent, since a request that it needs failed.
    case runStopped(SentRequest, message: String, at: Date)
    /// A send isn't in the queue yet: it waits for something that isn't in the program's hands. May come again, with something else.
    ///
    /// - Parameter number: in the order in which they were sent.
    case sendWaits(Int, SentRequest, RunWait)
    /// Its wait is over: it is in the queue, or won't be sent.
    case sendOver(Int)
    /// The person has cancelled it before it was in the queue.
    case sendCancelled(RequestReference)
    /// The cookies that the requests of a collection share for as long as the explorer runs, without their values.
    case cookiesKept(CookieJar, in: String)
    case network(NetworkEvent)
    /// What a run found out; comes after its response, and only when there is something to say.
    case runReported(OperationID, RunReport)
    /// The operation has ended; comes after its last network event.
    case responseReady(OperationID, Response)
    /// The answer to ``ExplorerEffect/peekBody(_:contentType:beyond:)``: the whole lines of so many bytes. `nil`: nothing new, or
    /// nothing that may be seen.
    case bodyArrived(OperationID, BodyDocument?, bytes: Int)
    /// The answer to ``ExplorerEffect/readStream(_:_:attempt:isWhole:)``.
    ///
    /// - Parameter isLast: nothing more comes of what was asked for.
    case streamArrived(OperationID, attempt: Int, [StreamRecord], isLast: Bool, unended: Int = 0)
    /// The answer to ``ExplorerEffect/filterStream(_:filter:_:)``: the numbers of the records that it lets through, of those that were
    /// looked at.
    case streamFiltered(OperationID, filter: String, [Int], of: Range<Int>, failure: String? = nil)
    /// The answers to ``ExplorerEffect/prepareBody(_:_:)``.
    case bodyPrepared(OperationID, BodyDocument)
    case bodyFailed(OperationID, message: String)
    /// The body is an image; comes after `bodyPrepared`.
    case pictureRead(OperationID, Picture)
    /// The number of lines is known now.
    case bodyIndexed(OperationID)
    /// The answer to ``ExplorerEffect/searchBody(_:_:)``, and then, now and again until all is counted, how many there are.
    case bodySearched(OperationID, BodySearch, BodyMatch?)
    case bodyCounted(OperationID, BodyTally)
    /// The answers to ``ExplorerEffect/filterBody(_:filter:_:)``.
    case bodyFiltered(OperationID, filter: String, BodyDocument)
    case bodyFilterFailed(OperationID, filter: String, message: String)

    /// The other answer to ``ExplorerEffect/sendMessage(_:_:)``; where it was sent, it comes with the stream.
    case messageNotSent(String, OperationID, because: String)
    /// The run is in the history now, under this number.
    case runRecorded(OperationID, Int64)
    /// The answers to ``ExplorerEffect/loadPastRuns(in:before:)`` and ``ExplorerEffect/loadPastRun(_:for:)``.
    case pastRunsLoaded([PastRun], in: String)
    case pastRunLoaded(PastRunContents, for: PastRunPurpose)
    case runsCompared(Comparison)
    case changeFound(OperationID, RunChange)
    /// All that has come of the lab so far; ten times a second at most.
    case labProgressed(LabProgress)

    /// The answer to ``ExplorerEffect/loadSchema(_:)`` and ``ExplorerEffect/askSchema(_:_:in:environment:)``.
    case schemaFound(SchemaSource, SchemaFinding)

    // People
    /// A run waits for an answer: ``ExplorerEffect/answer(_:_:)``.
    case questionAsked(Question)
    /// The run no longer asks this question.
    case questionWithdrawn(Int)

    // Trust
    case trustFound(TrustFinding)

    // Files
    /// Read for the first time, or again since it changed on disk.
    case collectionLoaded(RequestCollection)
    case collectionFailed(path: String, message: String)
    /// Another program's file as a collection that is in no file: from where, and what of it has no equivalent.
    case collectionImported(RequestCollection, from: String, losses: [String])
    /// An unsaved edit that the program before this one could not ask about: it crashed, or its terminal went away.
    case draftFound(RequestReference, RequestEdit)
    /// They are in their files now, and the collection is as it was written, with what others wrote meanwhile.
    case saved([RequestEdit], RequestCollection)
    /// - Parameter conflicts: requests of which others have written the same entries meanwhile; they were read again before this comes.
    case saveFailed(conflicts: [RequestReference], message: String?)
    /// The answers to ``ExplorerEffect/changeTree(_:)`` and ``ExplorerEffect/revertTree(_:)``: the collections as they are now, and what
    /// could not follow.
    case treeChanged(TreeChange, [RequestCollection], remarks: [String])
    case treeChangeFailed(TreeEdit, message: String)

    // The world around
    /// `$EDITOR` is done with a text; `nil`: it failed, or nothing changed.
    case editorReturned(EditorRequest, text: String?)
    case copied(what: String, hasArrived: Bool)
    case themeChanged(String)
    /// What was read at the start, and the answer to ``ExplorerEffect/countUse(_:)``.
    case usesCounted(RecentUses)
    /// Something the user should know that has no place of its own.
    case notice(Notice)
}

/// What an operation was made from: enough to show it, and to send the same again.
struct SentRequest: Hashable, Sendable {
    /// The collection's path.
    var collection: String
    /// The request as it was when it was sent, with edits that were not saved.
    var definition: RequestDefinition
    var environment: String?
    var priority: Priority
    /// By another request, and not sent by the person: it takes nothing of the screen.
    var isNeeded = false
    /// What was different this time.
    var whatIf: WhatIf?
    /// Whether the request asks for the server's schema.
    var isIntrospection = false
    /// Whether it is sent as the person has written it: others aren't compared with the runs before.
    var isPlain: Bool { whatIf == nil && !isIntrospection }

    init(
        _ definition: RequestDefinition, in collection: String, environment: String? = nil, priority: Priority = .normal
    ) {
        self.collection = collection
        self.definition = definition
        self.environment = environment
        self.priority = priority
    }

    var reference: RequestReference { RequestReference(collection: collection, id: definition.id) }
}

/// A text for `$EDITOR`, and where the edited one belongs.
struct EditorRequest: Hashable, Sendable {
    var request: RequestReference
    var field: RequestField
    var text: String
    /// Tells the editor how to colour: `json`, `txt`.
    var fileExtension = "txt"
}

/// One line for the user, in the status line.
package struct Notice: Hashable, Sendable {
    package enum Level: Hashable, Sendable {
        case info, success, warning, error
    }

    package var level: Level
    package var text: String

    package init(_ level: Level, _ text: String) {
        self.level = level
        self.text = text
    }
}
