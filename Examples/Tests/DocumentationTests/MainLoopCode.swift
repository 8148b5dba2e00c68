import Belfry
import BelfryDesktop
import BelfryGLib
import Foundation

/// Code that the article "Beside a main loop" quotes: it compiles. `Examples/RemindersWindow` and the tests of
/// BelfryGLib run its like.
@MainActor
struct MainLoopCode {
    let app = AppIdentity(id: "org.example.Tea", name: "Tea")
    var isOpen = true
    let runToolkit: () -> CInt
    let nextEvent: () -> String?
    let handle: (String) -> Void
    let draw: () -> Void
    let showInWindow: (String) -> Void
    let post: @Sendable (String) -> Void

    func main() throws -> CInt {
        try GLibMainActor.attach()
        let center = NoticeCenter(app: app, backend: .auto(for: app))
        let serving = Task { try await center.run() }
        let status = runToolkit()  // g_application_run(…), gtk_main(), g_main_loop_run(…)
        serving.cancel()
        try? GLibMainActor.run(until: serving)
        return status
    }

    nonisolated func clicked(_ center: NoticeCenter) {
        MainActor.assumeIsolated {
            _ = Task {
                try await center.add(NoticeRequest(id: "tea", title: "Tea is ready", trigger: .after(.seconds(240))))
                showInWindow("Tea in four minutes")
            }
        }
    }

    func loop() {
        while isOpen {
            while let event = nextEvent() { handle(event) }  // SDL_PollEvent
            _ = RunLoop.main.run(mode: .default, before: .distantPast)
            draw()
        }
    }

    func detached(_ center: NoticeCenter) {
        let post = post
        Task.detached {
            for await response in await center.responses() { post(response.requestID) }
        }
    }
}
