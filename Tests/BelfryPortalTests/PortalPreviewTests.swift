import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryPortal
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "What the portal would lose",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct PortalPreviewTests {
    @Test("The preview is the receipt beforehand, and shows nothing") func preview() async throws {
        try await PortalStage.withPortal { _, portal, backend, _ in
            let delivery = PortalStage.delivery("Tea") { content in
                content.sound = .named("bell")
                content.desktop.expiry = .never
                content.desktop.hints = ["x-b": .bool(true), "x-a": .int(1)]
                content.actions = [NoticeAction("go", title: "Go", icon: "go-next")]
            }
            let preview = try await backend.preview(delivery)
            #expect(portal.added.isEmpty)
            #expect(preview.backend == "portal" && preview.content == delivery.content)
            #expect(
                preview.lost.map(\.detail) == [
                    "the portal has no sounds by name: the usual one instead of 'bell'",
                    "the desktop behind the portal decides how long it shows a notice",
                    "the portal takes no hints: x-a, x-b", "the portal draws no icon on 'go'",
                ]
            )
            #expect(try await backend.deliver(delivery).lost == preview.lost)
            #expect(portal.added.first?.value("sound") == .string("default"))
        }
    }

    @Test("A file of more than 4 MiB stays behind") func largeFile() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("long.oga", String(repeating: "x", count: 4 << 20 + 1))
        try await PortalStage.withPortal { _, portal, backend, _ in
            let receipt = try await backend.deliver(PortalStage.delivery("Tea") { $0.sound = .file(file) })
            #expect(receipt.lost.map(\.detail) == ["'\(file)' has more than 4 MiB"])
            #expect(portal.added.first?.value("sound") == nil)
        }
    }

    @Test("A backend that runs can't be run by a second center") func twice() async throws {
        try await PortalStage.withPortal { _, _, backend, _ in
            // It has begun when the first delivery is done.
            _ = try await backend.deliver(PortalStage.delivery("Tea"))
            let error = await #expect(throws: NoticeError.self) { try await backend.run { _ in } }
            #expect(error?.code == .unsupported)
            #expect(error?.message == "This backend is running already: make one for each center.")
        }
    }
}
