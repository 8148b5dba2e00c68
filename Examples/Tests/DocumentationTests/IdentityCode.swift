import Belfry
import BelfryAgent
import BelfryBus
import BelfryPortal
import Foundation

/// Code that the article "An app's identity" quotes: it compiles. `AgentAppStartTests` and `ActivatableAppTests` run its
/// like.
@MainActor
struct IdentityCode {
    let app = AppIdentity(id: "org.example.Tea", name: "Tea", icon: .file("/opt/tea/share/tea.svg"))
    let delegate: any NoticeCenterDelegate
    let window: any Window

    protocol Window: Sendable {
        func raise(with token: String?) async
        func show(_ url: URL) async
        func closed() async
    }

    func main() async throws {
        let window = window
        let center = NoticeCenter(app: app, agent: AgentOptions(isActivatable: true))
        let activatable = ActivatableApp(
            app,
            activate: { token in await window.raise(with: token) },
            action: { name, _, token in if name == "new-window" { await window.raise(with: token) } },
            open: { urls, _ in for url in urls { await window.show(url) } }
        )
        try await center.run { [delegate] center in
            await center.setDelegate(delegate)  // receives the response that started the app
            try await activatable.run { await window.closed() }
        }
    }

    func start(_ activatable: ActivatableApp) async throws {
        let files = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
        if try await activatable.forward(.open(files)) { return }
        // No other process runs: this one is the app.
    }

    func portal(_ activatable: ActivatableApp) {
        let center = NoticeCenter(app: app, backend: PortalBackend(activating: activatable))
        print(center)
    }
}
