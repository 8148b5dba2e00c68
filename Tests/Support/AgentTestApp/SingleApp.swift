import Belfry
import BelfryPortal
import Foundation

/// The app `org.example.Tea`, of which one process runs at a time.
struct SingleApp {
    let files: [URL]

    /// What this process has done.
    func open() async throws -> String {
        let (calls, called) = AsyncStream.makeStream(of: String.self)
        let app = ActivatableApp(
            TeaApp.identity,
            activate: { _ in called.yield("activated") },
            open: { urls, _ in called.yield("opened \(urls.count)") }
        )
        if try await app.forward(.open(files)) { return "forwarded" }
        return try await app.run {
            for await call in calls { return call }
            return "cancelled"
        }
    }
}
