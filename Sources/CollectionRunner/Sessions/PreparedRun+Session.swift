package import Base
package import NetworkLayer
import RequestCollections
import WebSockets

/// A session as the explorer follows it: what goes through it as it comes, and the messages that a person types.
extension PreparedRun {
    package var opensSession: Bool { player != nil }

    /// From now on ``news(atMost:hiding:)`` has what goes through the session.
    package func keepNews() { player?.news.keep() }

    /// What has gone through since the last call, as lines of the transcript, and the number of the first; `nil`: nothing. Where nobody asks
    /// for long, the oldest are forgotten.
    package func news(atMost limit: Int, hiding redactor: () -> Redactor) -> (first: Int, lines: Data)? {
        guard let player, case let entries = player.news.take(atMost: limit), let first = entries.first else { return nil }
        let (opened, redactor) = (player.played.record.opened, redactor())
        var lines = Data()
        for entry in entries { lines += SessionRecord.line(of: entry, since: opened, hiding: redactor) }
        return (first.number, lines)
    }

    /// Begins to close it with 1000; while it isn't open yet, cancels it.
    package func closeSession() { player?.socket.close() }
}

extension CollectionRunner {
    /// Sends a text through a session that is open, its templates filled in as those of a step.
    ///
    /// - Returns: why it wasn't sent, without secrets; `nil`: it was.
    package func send(_ text: String, through run: PreparedRun) async -> String? {
        guard let player = run.player else { return nil }
        var message = WebSocket.Message.text(text)
        if text.contains("{{") {
            var definition = run.job.definition
            definition.body = nil
            definition.messages = [SessionStep(.send(.text(text)), location: definition.location)]
            do throws(ResolutionError) {
                if case .send(let filled) = try await filledIn(0, in: definition, of: run, player) { message = filled.sent }
            } catch {
                return error.message
            }
        }
        do throws(NetworkError) {
            try await player.socket.send(message)
            return nil
        } catch {
            return error.message
        }
    }
}
