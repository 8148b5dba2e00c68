import Belfry
import Foundation

/// The button beside a ticket: "Remind me", or "Remove my reminder" where one is set.
public struct ReminderButton: Sendable {
    public enum State: Sendable, Hashable {
        case offersReminder
        /// The reminder comes then.
        case offersRemoval(Date)

        public var title: String {
            switch self {
            case .offersReminder: "Remind me"
            case .offersRemoval: "Remove my reminder"
            }
        }
    }

    /// What a press did, to be confirmed to the user.
    public enum Outcome: Sendable, Hashable {
        case set(Date)
        case removed
        /// Nothing is set; how that can be changed.
        case notAllowed(advice: String)
    }

    public let ticket: Ticket
    private let center: NoticeCenter

    public init(for ticket: Ticket, on center: NoticeCenter) {
        self.ticket = ticket
        self.center = center
    }

    /// What is pending is the truth: nothing else remembers whether a reminder is set. Throws `NoticeError`.
    public func state() async throws(NoticeError) -> State {
        guard let date = try await center.nextFireDate(of: ticket.requestID) else { return .offersReminder }
        return .offersRemoval(date)
    }

    /// Does what the button says. Throws ``TicketError/tooLate(title:)`` and `NoticeError`.
    public func press() async throws -> Outcome {
        switch try await state() {
        case .offersReminder: try await remind()
        case .offersRemoval: try await remove()
        }
    }

    /// Asks for permission where that was not done yet; set anew, a reminder takes the place of the one before.
    public func remind() async throws -> Outcome {
        guard try await center.requestAuthorization() != .denied else {
            return .notAllowed(advice: await advice())
        }
        do {
            let report = try await center.add(ticket.request)
            guard let date = report.next else { throw TicketError.tooLate(title: ticket.title) }
            return .set(date)
        } catch let error as NoticeError where error.code == .neverFires {
            throw TicketError.tooLate(title: ticket.title)
        }
    }

    public func remove() async throws -> Outcome {
        try await center.remove(ticket.requestID)
        return .removed
    }

    private func advice() async -> String {
        let app = center.app
        return await center.desktopPermission() == .off
            ? "Notices of \(app.name) are switched off in the desktop's settings: switch them on there."
            : "You denied notices of \(app.name): 'belfry apps allow \(app.id)' allows them again."
    }
}
