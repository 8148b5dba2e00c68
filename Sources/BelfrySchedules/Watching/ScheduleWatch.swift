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

        init(_ watch: ScheduleWatch) {
            self.watch = watch
            changes = FileChanges(of: watch.path)
            looks = changes.looks.makeAsyncIterator()
        }

        public mutating func next() async -> Element? {
            while await looks.next(isolation: #isolation) != nil {
                let state = FileIdentity(ofFileAt: watch.path)
                guard let state, state.size > 0 else {
                    if let news = await absent(state) { return news }
                    continue
                }
                isKnownAbsent = false
                guard state != lastSeen else { continue }
                lastSeen = state
                if let news = await read() { return news }
            }
            return nil
        }

        /// Handles a missing or an empty file; an empty one is probably about to be written.
        private mutating func absent(_ state: FileIdentity?) async -> Element? {
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
            return parsed()
        }

        private mutating func read() async -> Element? {
            let bytes = try? NoticeSchedule.bytes(of: watch.path)
            // The file was emptied after it was examined, so another program is about to write it.
            if bytes == [] { return await absent(nil) }
            guard bytes == nil || bytes != lastBytes else { return nil }
            lastBytes = bytes
            return parsed(bytes)
        }

        /// Returns the result of a reading. If that failed, the file is read again to get the error.
        private func parsed(_ bytes: [UInt8]? = nil) -> Element {
            var options = watch.options
            options.zone = options.zone ?? watch.systemZone()
            do throws(ScheduleError) {
                guard let bytes else { return .success(try NoticeSchedule(contentsOf: watch.path, options: options)) }
                return .success(try NoticeSchedule(bytes, of: watch.path, options: options))
            } catch { return .failure(error) }
        }
    }
}
