import Glibc

/// What a piece of work takes of the processor: what else the machine does meanwhile doesn't count.
package func processorTime(of work: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let begun = now()
    try work()
    return now() - begun
}
