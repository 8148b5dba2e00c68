import Belfry
import BelfryRecorder

let app = AppIdentity(id: "org.example.CoreProgram")
let center = NoticeCenter(app: app, backend: RecorderBackend())
try await center.run { center in
    _ = try await center.show(NoticeRequest(id: "tea", title: "Tea is ready"))
}
