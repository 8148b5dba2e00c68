import Belfry
import Foundation

/// Reminders of the user: each is a notice at its date, with a button to finish it and one to snooze it.
public struct Reminders: Sendable {
    private let center: NoticeCenter

    public init(center: NoticeCenter) {
        self.center = center
    }

    /// Reminds at a date.
    public func add(_ title: String, date: Date) async throws(NoticeError) {
        var content = NoticeContent(title: title)
        content.actions = [
            NoticeAction("done", title: "Done"),
            .snooze(.after(.seconds(600))),
        ]
        try await center.add(NoticeRequest(id: title, content: content, trigger: .date(date)))
    }

    /// The titles of what is still to come, soonest first.
    public func titles() async throws(NoticeError) -> [String] {
        try await center.pending().map(\.request.content.title)
    }
}
