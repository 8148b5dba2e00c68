import Belfry
import CGtk
import Foundation

/// The window: what is to come, with buttons to change it; what became of the rest; and permission.
@MainActor
final class ReminderWindow {
    private let center: NoticeCenter
    private let window: Widget
    private let subject = gtk_entry_new()!
    private let minutes = gtk_spin_button_new_with_range(0, 10_000, 1)!
    private let pendingList = gtk_list_box_new()!
    private let historyList = gtk_list_box_new()!
    private let permission = makeBox(GTK_ORIENTATION_HORIZONTAL, [])
    private let news = makeLabel("")
    private var title = "" {
        didSet { gtk_window_set_title(window.of(GtkWindow.self), title) }
    }
    private var lastResponse = "no response yet"
    private var refreshCount = 0
    /// The reminder whose text and time are in the fields, to be changed.
    private var edited: String?

    init(of application: UnsafeMutablePointer<GtkApplication>, center: NoticeCenter) {
        self.center = center
        window = gtk_application_window_new(application)!
        gtk_entry_set_placeholder_text(subject.of(GtkEntry.self), "Remind me of…")
        gtk_widget_set_hexpand(subject, 1)
        gtk_spin_button_set_value(minutes.instance, 10)
        let fields = makeBox(
            GTK_ORIENTATION_HORIZONTAL,
            [subject, minutes, gtk_label_new("min"), makeButton("Save") { [weak self] in self?.save() }]
        )
        gtk_box_append(permission.of(GtkBox.self), makeLabel("No notice is shown without your permission."))
        gtk_box_append(permission.of(GtkBox.self), makeButton("Ask me") { [weak self] in self?.askForPermission() })
        gtk_widget_set_vexpand(historyList, 1)
        let content = makeBox(
            GTK_ORIENTATION_VERTICAL,
            [fields, makeLabel("To come"), pendingList, makeLabel("History"), historyList, news, permission]
        )
        gtk_widget_set_margin_top(content, 12)
        gtk_widget_set_margin_bottom(content, 12)
        gtk_widget_set_margin_start(content, 12)
        gtk_widget_set_margin_end(content, 12)
        gtk_window_set_child(window.of(GtkWindow.self), content)
        gtk_window_set_default_size(window.of(GtkWindow.self), 480, 440)
        gtk_window_present(window.of(GtkWindow.self))
    }

    /// Keeps the window up to date until the center ends.
    func follow() async {
        let responses = await center.responses()
        let events = await center.events()
        Task {
            for await response in responses { await show(response) }
        }
        await refresh()
        for await _ in events { await refresh() }
    }

    func report(_ error: any Error) { gtk_label_set_text(news.instance, "\(error)") }

    // MARK: What the buttons do

    private func save() {
        // What is typed counts without Return, too.
        gtk_spin_button_update(minutes.instance)
        let title = String(cString: gtk_editable_get_text(subject.instance))
        let after = Duration.seconds(gtk_spin_button_get_value(minutes.instance) * 60)
        let replaced = edited
        guard !title.isEmpty else { return }
        edited = nil
        gtk_editable_set_text(subject.instance, "")
        perform { center in
            if let replaced, replaced != title { try await center.remove(replaced) }
            var content = NoticeContent(title: title)
            content.actions = [NoticeAction("done", title: "Done"), .snooze(.after(.seconds(600)))]
            let trigger: any NoticeTrigger = after == .zero ? .now : .after(after)
            try await center.add(NoticeRequest(id: title, content: content, trigger: trigger))
        }
    }

    private func edit(_ title: String, _ date: Date?) {
        edited = title
        self.title = "Change \(title)"
        gtk_editable_set_text(subject.instance, title)
        gtk_spin_button_set_value(minutes.instance, ((date ?? .now).timeIntervalSinceNow / 60).rounded())
    }

    private func askForPermission() {
        perform { center in try await center.requestAuthorization() }
    }

    /// Calls the center, off the handler, and shows what came of it.
    private func perform(_ call: @escaping @MainActor (NoticeCenter) async throws -> Void) {
        Task {
            do { try await call(center) } catch { report(error) }
            await refresh()
        }
    }

    // MARK: What is shown

    /// Shows what the center says now. Several run at once, and only the one that was begun last counts.
    private func refresh() async {
        refreshCount += 1
        let number = refreshCount
        do {
            let pending = try await center.pending()
            let history = try await center.history(HistoryQuery(limit: 8, newestFirst: true))
            let isAllowed = try await center.authorizationStatus() == .authorized
            guard number == refreshCount else { return }
            fill(pendingList, pending.map(row))
            fill(historyList, history.map { makeLabel("\(time($0.date))  \($0.requestID): \($0.outcome.rawValue)") })
            gtk_widget_set_visible(permission, isAllowed ? 0 : 1)
            title = isAllowed ? "\(pending.count) to come, \(lastResponse)" : "Reminders need permission"
        } catch { report(error) }
    }

    private func row(_ notice: PendingNotice) -> Widget {
        let title = notice.request.content.title
        return makeBox(
            GTK_ORIENTATION_HORIZONTAL,
            [
                makeLabel("\(notice.next.map(time) ?? "now")  \(title)"),
                makeButton("Edit") { [weak self] in self?.edit(title, notice.next) },
                makeButton("Delete") { [weak self] in self?.perform { center in try await center.remove(notice.id) } },
            ]
        )
    }

    private func show(_ response: NoticeResponse) async {
        lastResponse = "\(response.requestID): \(response.actionID ?? "closed")"
        gtk_label_set_text(news.instance, "Your response: \(lastResponse)")
        await refresh()
    }

    private func time(_ date: Date) -> String { date.formatted(date: .omitted, time: .shortened) }
}
