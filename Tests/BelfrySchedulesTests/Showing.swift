import Belfry
import BelfryRecorder

/// What a content comes to on the screen.
enum Showing {
    static func body(of content: NoticeContent, in languages: [String]) async throws -> String {
        let recorder = RecorderBackend()
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Test"), backend: recorder)
        var request = NoticeRequest(id: "a", content: content)
        request.languages = languages
        let shown = request
        try await center.run { center in _ = try await center.show(shown) }
        return recorder.deliveries.last?.content.body ?? ""
    }
}
