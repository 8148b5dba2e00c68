import Belfry
import BelfryRecurrence
import FoundationEssentials

/// A schedule file that is read again whenever it changes.
///
/// ```swift
/// for await news in ScheduleWatch("schedule.json") {
///     switch news {
///     case .success(let schedule): try await center.synchronize(with: schedule, owner: "schedule.json")
///     case .failure(let error): print(error)
///     }
/// }
/// ```
///
/// The first element is the current file. Editors may write a new file and rename it over the old one. An empty or
/// missing file is read again after a second, and then reported once. The sequence ends when the task is canceled.
public struct ScheduleWatch: AsyncSequence, Sendable {
    public typealias Element = Result<NoticeSchedule, ScheduleError>
    public typealias Failure = Never

    let path: String
    let options: ScheduleOptions
    /// Returns the zone for each reading if the options name none.
    var systemZone: @Sendable () -> ZoneRules = { .system() }

    /// Creates a watch of a file. Watching begins with the iteration.
    public init(_ path: String, options: ScheduleOptions = ScheduleOptions()) {
        self.path = path
        self.options = options
    }

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// The iterator, which returns one reading of the file at a time.
    public struct Iterator: AsyncIteratorProtocol {
        private let watch: ScheduleWatch
        private let changes: FileChanges
        private var looks: AsyncStream<Void>.Iterator
        private var lastSeen: FileIdentity?
        private var lastBytes: [UInt8]?
        private var isKnownAbsent = false
        private var repeated: (element: Element, date: SuspendingClock.Instant)?

        init(_ watch: ScheduleWatch) {
            self.watch = watch
            changes = FileChanges(of: watch.path)
            looks = changes.looks.makeAsyncIterator()
        }

        public mutating func next() async -> Element? {
            while await looks.next(isolation: #isolation) != nil {
                guard let news = await news() ?? dueRepetition() else { continue }
                repeated = nil
                return news
            }
            return nil
        }

        /// Returns an element again after a delay, unless the file changes before.
        mutating func repeatElement(_ element: Element, after delay: Duration) {
            repeated = (element, .now + delay)
            changes.look(after: delay)
        }

        private func dueRepetition() -> Element? {
            repeated.flatMap { $0.date <= .now ? $0.element : nil }
        }

        /// Returns nil if the file has not changed.
        private mutating func news() async -> Element? {
            let state = FileIdentity(ofFileAt: watch.path)
            guard let state, state.size > 0 else { return await absent() }
            isKnownAbsent = false
            guard state != lastSeen else { return nil }
            lastSeen = state
            return await read()
        }

        /// Handles a missing or an empty file; an empty one is probably about to be written.
        private mutating func absent() async -> Element? {
            guard !isKnownAbsent else { return nil }
            await pause(for: .seconds(1))
            guard !Task.isCancelled else { return nil }
            let later = FileIdentity(ofFileAt: watch.path)
            guard later == nil || later?.size == 0 else {
                changes.look()
                return nil
            }
            isKnownAbsent = true
            lastSeen = later
            lastBytes = nil
            return bytes().flatMap(parsed)
        }

        private mutating func read() async -> Element? {
            let result = bytes()
            let bytes = try? result.get()
            // The file was emptied after it was examined, so another program is about to write it.
            if bytes == [] { return await absent() }
            guard bytes == nil || bytes != lastBytes else { return nil }
            lastBytes = bytes
            return result.flatMap(parsed)
        }

        private func bytes() -> Result<[UInt8], ScheduleError> {
            Result { () throws(ScheduleError) in
                try NoticeSchedule.bytes(of: watch.path, named: watch.options.name)
            }
        }

        private func parsed(_ bytes: [UInt8]) -> Element {
            var options = watch.options
            options.zone = options.zone ?? watch.systemZone()
            return Result { () throws(ScheduleError) in
                try NoticeSchedule(bytes, of: watch.path, options: options)
            }
        }
    }
}
