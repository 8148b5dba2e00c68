import Glibc

/// What a piece of work takes of the processor: what else the machine does meanwhile doesn't count.
///
/// Of work that is done several times, the least: a cold cache, which others have emptied, only adds.
package func processorTime(leastOf count: Int = 1, of work: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    var least = Duration.seconds(Int64.max)
    for _ in 0..<count {
        let begun = now()
        try work()
        least = min(least, now() - begun)
    }
    return least
}
