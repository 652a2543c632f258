import NetworkLayer

/// The I/O thread of a ``CurlTransport`` as a place for tasks: a task that prefers it starts its transfers and reads their answers without
/// another thread in between.
///
///     let response = await withTaskExecutorPreference(transport.executor) {
///         await queue.enqueue(.get(url)).response
///     }
///
/// Worth it where one request follows another, and what is done in between takes microseconds: it keeps all transfers of the transport
/// waiting, as would anything that blocks the thread. A task that goes on without an `await` can't be interrupted, and with it the
/// transport stands still; one that only yields takes turns with the transfers. When the transport is gone, its tasks go on elsewhere.
public final class LoopExecutor: TaskExecutor {
    private let loop: Loop

    init(_ loop: Loop) {
        self.loop = loop
    }

    /// Runs the job on the transport's thread, behind what waits there; elsewhere once the transport is gone.
    public func enqueue(_ job: consuming ExecutorJob) {
        loop.post(.job(UnownedJob(job), self))
    }
}

extension Loop.Command {
    /// What goes on after the thread has ended: nothing may be left waiting for ever. All other transfers end with the thread.
    func runElsewhere() {
        switch self {
        case .job(let job, _): globalConcurrentExecutor.enqueue(job)
        case .start(let transfer):
            transfer.markCancelled()
            transfer.finishUnstarted(.cancelled(in: .queue))
        case .cancel, .resume, .wakeUpload, .prioritize, .prune, .keep, .stop: break
        }
    }
}
