/// One alarm serves all timeouts, and reports that nothing follows: it rings no later than the next can be due, and then there is
/// another look.
extension RequestOperation.StateMachine {
    mutating func alarmRang(at time: MonotonicTime) {
        // An alarm that was replaced may still ring.
        guard let alarm, alarm <= time else { return }
        self.alarm = nil
        callbacks.look(at: time)
        if let timeout = deadlines.due(at: time) ?? (callbacks.isDue ? .callback : nil) {
            var asked: NetworkError?
            if case .asking(let asking) = phase { asked = asking.candidate.error }
            abandon(
                .timedOut(
                    timeout, configuration.timeouts, metrics, request: request, step: askedStep, callbacks: callbacks,
                    underlying: asked),
                at: time)
        } else {
            reportStalledProgress(at: time)
            if !isAsking, let leavesAt = exchange?.leavesAt, leavesAt <= time { goOn(at: time) }
            retryIfReady(at: time)
        }
        // A policy that is asked may take its time: the operation timeout goes on.
        if !phase.isOver { lookAgain(at: time) }
    }

    mutating func lookAgain(at time: MonotonicTime) {
        var soonest = earlier(deadlines.nextLook(after: time), callbacks.nextLook)
        switch phase {
        case .attempting(let exchange, _): soonest = earlier(soonest, earlier(exchange.leavesAt, exchange.reportDue))
        case .asking(let asking): soonest = earlier(soonest, asking.exchange?.reportDue)
        case .waitingToRetry(let wait): soonest = earlier(soonest, wait.due)
        case .waiting, .preparing, .awaitingSlot, .over: break
        }
        guard let next = soonest else { return }
        if let alarm, alarm <= next { return }
        alarm = next
        perform(.setAlarm(next))
    }
}
