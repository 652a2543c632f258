/// One alarm serves all timeouts, and reports that nothing follows: it rings no later than the next can be due, and then there is
/// another look.
extension RequestOperation.StateMachine {
    mutating func alarmRang(at time: MonotonicTime) {
        // One that was replaced may still ring.
        guard let alarm, alarm <= time else { return }
        self.alarm = nil
        callbacks.look(at: time)
        if let timeout = deadlines.due(at: time) ?? (callbacks.isDue ? .callback : nil) {
            let asked = retrying.isAsking ? retrying.candidate?.error : nil
            abandon(
                .timedOut(
                    timeout, configuration.timeouts, metrics, request: request, step: askedStep, callbacks: callbacks,
                    underlying: asked),
                at: time)
        } else {
            reportStalledProgress(at: time)
            if let leavesAt = exchange?.leavesAt, leavesAt <= time { goOn(at: time) }
            retryIfReady(at: time)
        }
        // A policy that is asked may take its time: the operation timeout goes on.
        if !state.isFinal { lookAgain(at: time) }
    }

    mutating func lookAgain(at time: MonotonicTime) {
        let others = [callbacks.nextLook, retrying.due, exchange?.leavesAt, reportDue]
        guard let next = others.reduce(deadlines.nextLook(after: time), earlier) else { return }
        if let alarm, alarm <= next { return }
        alarm = next
        perform(.setAlarm(next))
    }
}
