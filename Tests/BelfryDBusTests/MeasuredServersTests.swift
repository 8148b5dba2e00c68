import Belfry
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryDBus

/// Whole centers on servers that do what mako, swaync, notify-osd, LXQt's and awesome's were seen to do.
@Suite(
    "Servers as they were measured",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct MeasuredServersTests {
    @Test("what is shown again and again takes its own place, and mako lives") func mako() async throws {
        try await Stage.center(.mako) { stage, center in
            for step in 1...3 {
                let bar = NoticeContent.made("Copying") { $0.progress = Double(step) / 4 }
                let plain = NoticeContent.made("Tea \(step)") { _ in }
                let tagged = NoticeContent.made("Volume \(step)") {
                    $0.desktop.hints = ["x-dunst-stack-tag": .string("v")]
                }
                for (id, content) in [("bar", bar), ("plain", plain), ("tagged", tagged)] {
                    _ = try await center.show(NoticeRequest(id: id, content: content))
                }
            }
            #expect(stage.server.calls.allSatisfy { $0.replaces == 0 || !$0.hasTag })
            #expect(stage.server.calls.filter { $0.replaces != 0 }.count == 6)
            #expect(stage.server.bus != nil && stage.server.standing.count == 3)
        }
    }

    @Test("what is taken down as soon as it is shown does not crash xfce4-notifyd") func xfce() async throws {
        try await Stage.center(.xfce) { stage, center in
            for number in 1...3 {
                _ = try await center.show(NoticeRequest(id: "tea", content: .made("Tea \(number)") { _ in }))
                try await center.removeDelivered("tea")
            }
            #expect(stage.server.bus != nil && stage.server.standing.isEmpty)
            #expect(stage.server.calls.count == 3)
        }
    }

    @Test("notify-osd shows a bar, and a tag of the app's own costs the number, not the notice")
    func notifyOSD() async throws {
        try await Stage.center(.notifyOSD) { stage, center in
            let bar = NoticeContent.made("Copying") { $0.progress = 0.1 }
            let receipt = try await center.show(NoticeRequest(id: "bar", content: bar)).receipt
            #expect(receipt.handle == "1" && stage.server.calls.last?.hasTag == false)
            let tagged = NoticeContent.made("Volume") { $0.desktop.hints = ["synchronous": .string("volume")] }
            let first = try await center.show(NoticeRequest(id: "volume", content: tagged)).receipt
            #expect(first.lost.contains { $0.feature == .replacing && $0.detail.contains("no number") })
            let other = try await center.show(NoticeRequest(id: "brightness", content: tagged)).receipt
            #expect(first.handle != other.handle && first.handle != "0" && UInt32(first.handle) == nil)
            let again = try await center.show(NoticeRequest(id: "volume", content: tagged)).receipt
            #expect(stage.server.calls.last?.replaces == 0)
            #expect(again.lost.contains { $0.detail == "notify-osd gave the former notice no number" })
            // Nothing is asked of the server by a number that it never gave.
            try await center.removeDelivered("volume")
            let standing = try await center.delivered().map(\.requestID).sorted()
            #expect(standing == ["bar", "brightness"])
        }
    }

    @Test(
        "a picture is drawn, whatever form the server takes it in",
        arguments: [ServerProfile.mako, .swaync, .notifyOSD, .lxqt, .awesome, .gnome, .kde]
    )
    func pictures(profile: ServerProfile) async throws {
        let path = NSTemporaryDirectory() + "belfry picture \(UUID().uuidString).png"
        try Data([1]).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await Stage.center(profile) { stage, center in
            let content = NoticeContent.made { $0.image = .file(path) }
            let receipt = try await center.show(NoticeRequest(id: "a", content: content)).receipt
            let drawn = try #require(stage.server.calls.last?.picture(drawnBy: profile), "nothing is drawn")
            // As the icon it is smaller than asked for.
            #expect(receipt.lost.contains { $0.feature == .image } == (drawn == .icon))
            // Beside an icon of the app's a picture that isn't drawn is said to be lost.
            let both = NoticeContent.made("Both") { ($0.image, $0.icon) = (.file(path), .named("mail-unread")) }
            let loss = try await center.show(NoticeRequest(id: "b", content: both)).receipt.lost
            let form = stage.server.calls.last?.picture(drawnBy: profile)
            #expect(loss.contains { $0.feature == .image } == (form == .icon))
        }
    }
}
