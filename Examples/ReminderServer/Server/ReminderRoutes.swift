import Belfry
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// What the server returns: reminders come in and go out as JSON, and are requests of a center in between.
struct ReminderRoutes: Sendable {
    let center: NoticeCenter

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.post("reminders") { request, context in
            let wish = try await request.decode(as: NewReminder.self, context: context)
            return EditedResponse(status: .created, response: try await add(wish))
        }
        router.get("reminders") { _, _ in try await all() }
        router.delete("reminders/:id") { _, context in
            try await remove(try context.parameters.require("id"))
        }
        return router
    }

    private func add(_ wish: NewReminder) async throws -> Reminder {
        let request = NoticeRequest(id: UUID().uuidString, title: wish.title, trigger: .date(wish.date))
        do {
            try await center.add(request)
        } catch {
            throw HTTPError(error.isTransient ? .serviceUnavailable : .badRequest, message: error.message)
        }
        return Reminder(id: request.id, title: wish.title, date: wish.date)
    }

    private func all() async throws -> [Reminder] {
        try await center.pending().map { notice in
            Reminder(id: notice.id, title: notice.request.content.title, date: notice.next)
        }
    }

    private func remove(_ id: String) async throws -> HTTPResponse.Status {
        let report = try await center.remove(id)
        return report.notFound.isEmpty ? .noContent : .notFound
    }
}

/// What a client posts.
struct NewReminder: Decodable {
    var title: String
    /// In ISO 8601, such as `2027-01-15T08:00:00Z`.
    var date: Date
}

/// A reminder that is still to come.
struct Reminder: ResponseCodable {
    var id: String
    var title: String
    var date: Date?
}
