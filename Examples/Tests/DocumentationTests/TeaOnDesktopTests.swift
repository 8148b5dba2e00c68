import Belfry
import BelfryDBus
import Foundation
import Testing

private let environment = ProcessInfo.processInfo.environment
private let hasScreen = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil

@Suite("Tea on a real desktop", .timeLimit(.minutes(5)), .enabled(if: hasScreen, "there is no desktop"))
struct TeaOnDesktopTests {
    @Test("A real server shows it, and takes it down again") func shown() async throws {
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Tea", name: "Tea"), backend: DBusBackend())
        try await center.run { center in
            let notice = try await center.show(NoticeContent(title: "Tea is ready"), id: "tea")
            #expect(notice.receipt.lost.isEmpty)
            #expect(try await center.delivered().map(\.requestID) == ["tea"])
            try await center.removeDelivered("tea")
            #expect(try await center.delivered().isEmpty)
        }
    }
}
