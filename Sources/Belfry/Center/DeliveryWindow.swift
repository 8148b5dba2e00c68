/// How many deliveries the backend has in hand, and how many it may have.
///
/// A prompt backend gets one more each time. One that is slow gets one at a time: those behind it would run into their time
/// limit.
struct DeliveryWindow {
    let largest: Int
    private(set) var count = 0
    private(set) var size = 1
    private var waiter: CheckedContinuation<Void, Never>?

    init(largest: Int) { self.largest = largest }

    /// An answer within this is a prompt one.
    static let promptAnswer = Duration.milliseconds(250)

    mutating func begin() { count += 1 }

    /// - Parameter took: nil where there was no answer within the limit.
    mutating func end(after took: Duration?) {
        count -= 1
        let isPrompt = took.map { $0 < Self.promptAnswer } ?? false
        size = isPrompt ? min(largest, size + 1) : 1
    }

    /// Resumes `waiter` when fewer than so many are under way, or when that may have changed.
    mutating func wait(below limit: Int, _ waiter: CheckedContinuation<Void, Never>) {
        if count < limit { waiter.resume() } else { self.waiter = waiter }
    }

    mutating func wakeWaiter() {
        waiter?.resume()
        waiter = nil
    }
}
