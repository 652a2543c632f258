import CCurl
import NetworkLayer
import Synchronization

extension Loop {
    func isActive(_ transfer: CurlTransfer) -> Bool {
        active[ObjectIdentifier(transfer)] != nil
    }

    func start(_ transfer: CurlTransfer) {
        if transfer.isCancelled { return transfer.finishUnstarted(.cancelled(in: .queue)) }
        launch(transfer)
    }

    func launch(_ transfer: CurlTransfer) {
        do throws(NetworkError) {
            let handle = try CurlEasyHandle(connections: connections, userAgent: userAgent)
            try transfer.prepare(handle)
            active[ObjectIdentifier(transfer)] = transfer
            let status = curl_multi_add_handle(multi, handle.raw)
            guard status == CURLM_OK else { throw NetworkError.libraryFailed(String(cString: curl_multi_strerror(status))) }
        } catch {
            active[ObjectIdentifier(transfer)] = nil
            transfer.letGoOfHandle()
            transfer.finishUnstarted(error)
        }
    }

    private func beginAnew(_ transfer: CurlTransfer) {
        withdraw(transfer)
        launch(transfer)
    }

    /// Takes a transfer that isn't over from libcurl, and makes it as it was at first.
    func withdraw(_ transfer: CurlTransfer) {
        endHandshakes(of: transfer)
        if transfer.connection.hasOpenedSockets { connections.abandon(transfer) }
        if let handle = transfer.handle { curl_multi_remove_handle(multi, handle.raw) }
        transfer.letGoOfHandle()
        if let way = transfer.connection.way.take() { connections.release(way, pool) }
        transfer.beginAnew()
    }

    /// A server has said which stream is the last that it answers. The connection may be gone before libcurl asks whether the later
    /// ones may be sent again, so each transfer is told.
    func end(_ way: ConnectionTable.Connection, after stream: Int) {
        way.lastStream = stream
        for transfer in active.values where transfer.connection.way === way {
            if let own = transfer.connection.stream, own > stream { transfer.connection.isRefused = true }
        }
    }

    /// Whether another transfer goes on over the connection. One that is over for libcurl doesn't, though its end hasn't been reported:
    /// libcurl gives a connection to the next one within the same call.
    func isBusy(_ way: ConnectionTable.Connection, besides transfer: CurlTransfer) -> Bool {
        active.values.contains { other in
            other !== transfer && other.connection.way === way
                && !(other.response.head != nil && other.handle?.hasGivenConnectionBack == true)
        }
    }

    /// A server has ended an HTTP/2 connection with an error; one of its transfers has been told.
    func breakOff(_ way: ConnectionTable.Connection, with error: Int) {
        for transfer in active.values where transfer.connection.way === way { transfer.connection.goAway = error }
    }

    func cancel(_ transfer: CurlTransfer) {
        guard isActive(transfer) else { return }
        end(transfer, code: CURLE_ABORTED_BY_CALLBACK)
    }

    /// Takes the transfer out, lets its handle go, and only then reports: what `receive` starts next finds the connection free.
    func end(_ transfer: CurlTransfer, code: CURLcode) {
        if transfer.beginsAnew(after: code) { return beginAnew(transfer) }
        transfer.flushBody()
        let result = transfer.conclude(code)
        let mayLeaveInput = result.error != nil && transfer.connection.isMultiplexed
        if let handle = transfer.handle {
            // Closes the connection of a transfer that isn't over (HTTP/2: resets the stream).
            curl_multi_remove_handle(multi, handle.raw)
            transfer.letGoOfHandle()
        }
        if let way = transfer.connection.way.take() {
            if mayLeaveInput { shareInput(of: way, without: transfer) }
            connections.release(way, pool)
        }
        active[ObjectIdentifier(transfer)] = nil
        transfer.finish(result)
    }

    func noteBeginning() {
        hasBegun = true
    }

    func cancelAll() {
        // From here on nothing comes in: a task that never waits would keep the thread for ever.
        let left = mailbox.withLock { mailbox in
            mailbox.isOver = true
            defer { mailbox.commands.removeAll() }
            return mailbox.commands
        }
        for command in left { command.runElsewhere() }
        for transfer in active.values {
            transfer.markCancelled()
            end(transfer, code: CURLE_ABORTED_BY_CALLBACK)
        }
        curl_multi_cleanup(multi)
    }
}
