import Belfry
import BelfryAgent
import BelfryGLib
import CGtk
import Foundation

let app = AppIdentity(id: "org.example.RemindersWindow", name: "Reminders")
let center = NoticeCenter(app: app, agent: AgentOptions())
let application = gtk_application_new(app.id, GApplicationFlags(rawValue: 0))!
let serving = Task { try await center.run() }

application.on("activate") {
    closeOnControlW(application)
    let window = ReminderWindow(of: application, center: center)
    Task {
        await window.follow()
        do { try await serving.value } catch { window.report(error) }
    }
}

// From here on the tasks above run.
try GLibMainActor.attach()
let status = g_application_run(application.of(GApplication.self), CommandLine.argc, CommandLine.unsafeArgv)
serving.cancel()
try? GLibMainActor.run(until: serving)
exit(status)
