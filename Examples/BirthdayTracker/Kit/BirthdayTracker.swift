import Belfry
import BelfryRecurrence
import Foundation

/// Keeps a center's notices in step with the people in a file.
///
/// The file is the truth: ``synchronize()`` makes the pending notices what it says, and the user is asked for
/// permission before the first one is scheduled.
public actor BirthdayTracker {
    /// What became of the people's notices.
    public enum Outcome: Sendable, Hashable {
        /// So many notices are pending; the next one of all comes then, or never where there is nobody.
        case scheduled(count: Int, next: Date?)
        /// The user does not want notices: nothing is pending.
        case notAllowed
    }

    private let center: NoticeCenter
    private let file: PeopleFile
    private let leapDay: MissingDatePolicy

    /// - Parameter leapDay: When 29 February is celebrated in a common year; the day after, where nothing is said.
    public init(center: NoticeCenter, file: PeopleFile, leapDay: MissingDatePolicy = .nextDay) {
        self.center = center
        self.file = file
        self.leapDay = leapDay
    }

    /// Stores a user and schedules the notice. Throws ``BirthdayError`` and `NoticeError`.
    @discardableResult
    public func add(_ person: Person) async throws -> Outcome {
        try file.add(person)
        return try await synchronize()
    }

    /// Removes a user, the notices to come and the one on the screen. False where there was nobody of that name.
    public func remove(name: String) async throws -> Bool {
        guard try file.remove(name: name) else { return false }
        try await synchronize()
        return true
    }

    /// Reads the file and makes the pending notices what it says: at start, and when another process changed it.
    @discardableResult
    public func synchronize() async throws -> Outcome {
        // Asked once: from then on the center knows the decision.
        let isAllowed = try await center.requestAuthorization() != .denied
        let wanted = isAllowed ? try file.load().map { $0.request(leapDay: leapDay) } : []
        let pending = try await center.pending().map(\.request).filter { $0.id.hasPrefix(Person.requestPrefix) }
        let unwanted = Set(pending.map(\.id)).subtracting(wanted.map(\.id)).sorted()
        try await center.remove(unwanted)
        try await center.removeDelivered(unwanted)
        // What has not changed is left alone: adding it anew would stand in the history as a replacement.
        let known = Set(pending)
        let new = wanted.filter { !known.contains($0) }
        if !new.isEmpty { try await center.add(new) }
        return isAllowed ? .scheduled(count: wanted.count, next: try await center.nextFireDate()) : .notAllowed
    }
}
