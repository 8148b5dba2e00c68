import Dispatch

/// The serial queue on which one store's file is read and written, because its calls wait for the disk.
final class StoreQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "org.belfry.store")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
