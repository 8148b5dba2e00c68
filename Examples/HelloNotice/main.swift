import Belfry
import BelfryDesktop

let app = AppIdentity(id: "org.example.HelloNotice", name: "Hello")
let center = NoticeCenter(app: app, backend: .auto(for: app))
let response = try await center.run { center in
    var content = NoticeContent(title: "Tea is ready")
    content.actions = [NoticeAction("drink", title: "Drink it"), NoticeAction("later", title: "Later")]
    content.reportsDismissal = true
    content.desktop.expiry = .never
    try await center.add(NoticeRequest(id: "tea", content: content, trigger: .after(.seconds(5))))
    return await center.responses().first { _ in true }
}
print(response?.actionID ?? "closed without a response")
