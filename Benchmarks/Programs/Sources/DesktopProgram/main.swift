import Belfry
import BelfryDesktop

let app = AppIdentity(id: "org.example.DesktopProgram")
let center = NoticeCenter(app: app, backend: .auto(for: app))
try await center.run { center in
    _ = try await center.show(NoticeRequest(id: "tea", title: "Tea is ready"))
}
