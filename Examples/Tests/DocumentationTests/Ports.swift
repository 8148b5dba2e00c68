import Belfry
import Foundation
import Synchronization

/// What the article about UserNotifications has beside Apple's code.
final class TaskReminders: Sendable {
    private let center: NoticeCenter
    private let completed = Mutex<[String]>([])

    init(center: NoticeCenter) {
        self.center = center
    }

    var completedTasks: [String] { completed.withLock { $0 } }

    // Again every five minutes, until it is answered.
    func remindAgain(_ content: NoticeContent) async throws(NoticeError) {
        try await center.add(.untilAnswered(id: UUID().uuidString, content: content, every: .seconds(300)))
    }

    // Ten reminders from a date on; an answer to one ends them all.
    func remind(_ content: NoticeContent, from date: Date) async throws(NoticeError) {
        let series = NoticeSeries(
            id: UUID().uuidString,
            content: content,
            first: date,
            spacing: .seconds(300),
            count: 10
        )
        try await center.add(series)
    }

    // A task with two buttons, on weekdays in the morning.
    func plan(_ task: String) async throws(NoticeError) {
        try await center.setCategories([
            NoticeCategory("task", actions: [NoticeAction("done", title: "Done"), NoticeAction("edit", title: "Edit")])
        ])
        var content = NoticeContent(title: task)
        content.category = "task"
        content.userInfo["task"] = .string(task)
        try await center.add(NoticeRequest(id: task, content: content, trigger: .weekdays(at: "8:30")))
    }

    func handleResponses() async {
        for await response in await center.responses() where response.actionID == "done" {
            guard let task = response.userInfo["task"]?.stringValue else { continue }
            completed.withLock { $0.append(task) }
        }
    }
}
