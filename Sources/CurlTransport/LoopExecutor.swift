/// The I/O thread of a ``CurlTransport`` as a place for tasks: a task that prefers it starts its transfers and reads their answers without
/// another thread in between.
///
///     let response = await withTaskExecutorPreference(transport.executor) {
///         await queue.enqueue(.get(url)).response
///     }
///
/// Worth it where one request follows another, and what is done in between takes microseconds: it keeps all transfers of the transport
/// waiting, as would anything that blocks the thread.
public final class LoopExecutor: TaskExecutor {
    private let loop: Loop

    init(_ loop: Loop) {
        self.loop = loop
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        loop.post(.job(UnownedJob(job), self))
    }
}

extension Loop.Command {
    /// What goes on after the thread has ended: tasks, which nothing may leave suspended for ever.
    func runElsewhere() {
        if case .job(let job, _) = self { globalConcurrentExecutor.enqueue(job) }
    }
}
