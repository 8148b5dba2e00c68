import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryPortal
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "What the portal is given",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct PortalMessageTests {
    private func full(_ content: inout NoticeContent) {
        content.subtitle = "R&D"
        content.body = "1 < 2"
        content.level = .timeSensitive
        content.icon = .named("mail-unread")
        content.sound = .standard
        content.desktop.isTransient = true
        content.desktop.category = "alarm.ringing"
        content.desktop.expiry = .never
        content.desktop.hints = ["x": .int(7)]
        content.actions = [
            NoticeAction("default", title: ""), NoticeAction("go", title: "Go", icon: "go-next"),
            NoticeAction("say", title: "Say", kind: .reply(placeholder: "what?")),
            NoticeAction("more", title: "More", kind: .reply(placeholder: "")),
        ]
    }

    @Test("version 2: every key in its type, the answer's target names delivery and action, the losses are told")
    func second() async throws {
        try await PortalStage.withPortal { _, portal, backend, _ in
            let receipt = try await backend.deliver(PortalStage.delivery("Mail", "1", full))
            #expect(receipt.backend == "portal" && receipt.server == nil)
            let sent = try #require(portal.added.first)
            #expect(sent.id == receipt.handle)
            #expect(sent.value("title") == .string("Mail"))
            #expect(sent.value("body") == .string("R&D\n1 < 2"))
            #expect(sent.value("priority") == .string("high"))
            #expect(sent.value("icon") == .structure([.string("themed"), .variant(.strings(["mail-unread"]))]))
            #expect(sent.value("sound") == .string("default"))
            #expect(sent.value("display-hint") == .strings(["transient"]))
            #expect(sent.value("category") == .string("alarm.ringing"))
            #expect(sent.value("default-action") == .string("belfry-answer"))
            #expect(sent.value("default-action-target") == .string("Mail.231.-default"))
            #expect(sent.buttons.map { $0["label"]?.string } == ["Go", "Say", "More"])
            #expect(sent.buttons.map { $0["purpose"]?.string } == [nil, "im.reply-with-text", nil])
            #expect(sent.buttons[0]["target"] == .string("Mail.231.-go"))
            #expect(receipt.lost.map(\.feature) == [.reply, .expiry, .hint, .icon])
        }
    }

    @Test("the app's icon is shown where the content has none") func appIcon() async throws {
        try await PortalStage.withPortal { bus, portal, _, _ in
            let app = AppIdentity(id: PortalStage.app.id, icon: .named("tea"))
            let backend = PortalBackend(for: app, bus: .address(bus.address))
            try await NoticeCenter(app: app, backend: backend).run { center in
                _ = try await center.show(NoticeRequest(id: "plain", title: "Plain"))
            }
            let icon = portal.added.first?.value("icon")
            #expect(icon == .structure([.string("themed"), .variant(.strings(["tea"]))]))
        }
    }

    @Test("version 1: nothing of version 2, and what is lost by that is told")
    func first() async throws {
        try await PortalStage.withPortal(.old) { _, portal, backend, _ in
            let capabilities = try await backend.capabilities()
            #expect(capabilities.features.isDisjoint(with: [.markup, .links, .sound, .reply, .progress, .expiry]))
            #expect(capabilities.features.isSuperset(of: [.body, .actions, .icon, .persistence, .replacing]))
            #expect(!capabilities.reportsClosing)
            let receipt = try await backend.deliver(PortalStage.delivery("Mail", "1", full))
            let sent = try #require(portal.added.first)
            #expect(Set(portal.calls) == ["AddNotification"])
            #expect(sent.value("sound") == nil && sent.value("category") == nil && sent.value("display-hint") == nil)
            #expect(sent.buttons.allSatisfy { $0["purpose"] == nil })
            #expect(receipt.lost.map(\.feature) == [.transient, .category, .expiry, .hint, .icon])
        }
    }

    @Test("markup goes as markup to version 2, with the subtitle escaped; breaks of lines are told as lost")
    func markup() async throws {
        try await PortalStage.withPortal { _, portal, backend, _ in
            let receipt = try await backend.deliver(
                PortalStage.delivery("Markup") { content in
                    content.subtitle = "a < b"
                    content.body = "<b>bold</b> &amp; more"
                    content.bodyFormat = .markup
                }
            )
            #expect(portal.added.first?.value("markup-body") == .string("a &lt; b\n<b>bold</b> &amp; more"))
            #expect(portal.added.first?.value("body") == nil)
            #expect(receipt.lost.map(\.feature) == [.markup])
        }
    }

    @Test("a portal that claims version 2 for a desktop of version 1 gets the whole text, and the losses are told")
    func claimed() async throws {
        try await PortalStage.withPortal(.init(partVersion: 1)) { bus, portal, _, _ in
            let backend = PortalBackend(for: PortalStage.app, bus: .address(bus.address))
            try await NoticeCenter(app: PortalStage.app, backend: backend).run { center in
                var content = NoticeContent(title: "Mail", body: "<b>bold</b> text", sound: .standard)
                content.bodyFormat = .markup
                let receipt = try await center.show(NoticeRequest(id: "mail", content: content)).receipt
                #expect(portal.added.first?.value("body") == .string("bold text"))
                #expect(receipt.lost.map(\.feature) == [.markup, .sound])
            }
        }
    }

    private func displayHints(
        replaces: DeliveryReceipt? = nil,
        _ change: @escaping (inout NoticeContent) -> Void
    ) async throws -> [String]? {
        var hints: [String]?
        try await PortalStage.withPortal { _, portal, backend, _ in
            _ = try await backend.deliver(PortalStage.delivery("Mail", replaces: replaces, change))
            hints = portal.added.first?.value("display-hint")?.strings
        }
        return hints
    }

    @Test("each display hint follows from the content; what fires again is shown as new, a bar that moves on is not")
    func displayHints() async throws {
        #expect(try await displayHints { _ in } == nil)
        #expect(try await displayHints { $0.level = .passive } == ["tray"])
        #expect(
            try await displayHints {
                $0.level = .passive
                $0.desktop.isTransient = true
            } == ["transient"]
        )
        #expect(
            try await displayHints {
                $0.desktop.isPersistent = true
                $0.desktop.privacy = .hidden
            } == ["persistent", "hide-on-lock-screen"]
        )
        #expect(try await displayHints { $0.desktop.privacy = .contentHidden } == ["hide-content-on-lock-screen"])
        #expect(try await displayHints { $0.desktop.privacy = .visible } == nil)
        let old = DeliveryReceipt(backend: "portal", handle: "belfry-1")
        #expect(try await displayHints(replaces: old) { _ in } == ["show-as-new"])
        #expect(try await displayHints(replaces: old) { $0.progress = 0.5 } == nil)
        try await PortalStage.withPortal(.old) { _, portal, backend, _ in
            let receipt = try await backend.deliver(
                PortalStage.delivery("Mail", replaces: old) {
                    $0.desktop.isPersistent = true
                    $0.desktop.privacy = .contentHidden
                }
            )
            #expect(receipt.lost.map(\.feature) == [.persistent, .privacy])
            #expect(portal.added.first?.value("display-hint") == nil)
        }
    }

    @Test("buttons of a call have their purposes where the desktop knows them, and their category")
    func calls() async throws {
        try await PortalStage.withPortal { _, portal, backend, _ in
            _ = try await backend.deliver(
                PortalStage.delivery("Call") {
                    $0.actions = [
                        NoticeAction("yes", title: "Take", purpose: .acceptCall),
                        NoticeAction("no", title: "Not now", purpose: .declineCall),
                        NoticeAction("later", title: "Later"),
                    ]
                }
            )
            _ = try await backend.deliver(
                PortalStage.delivery("Talk") {
                    $0.actions = [
                        NoticeAction("end", title: "End", purpose: .hangUp),
                        NoticeAction("loud", title: "Loud", purpose: .enableSpeakerphone),
                        // The scripted desktop doesn't know this one.
                        NoticeAction("low", title: "Low", purpose: .disableSpeakerphone),
                    ]
                }
            )
            let sent = portal.added.map { $0.buttons.map { $0["purpose"]?.string } }
            #expect(sent[0] == ["call.accept", "call.decline", nil])
            #expect(sent[1] == ["call.hang-up", "call.enable-speakerphone", nil])
            #expect(portal.added.map { $0.value("category") } == [.string("call.incoming"), .string("call.ongoing")])
        }
    }

    @Test("a picture of pixels goes as a PNG that others read, and is small", arguments: [false, true])
    func pixels(hasAlpha: Bool) async throws {
        // Two colors, no square, more than one block of the stream, and bytes between the rows.
        let (width, height, stride) = (200, 120, 900)
        let row = (0..<stride).map { UInt8($0 / (hasAlpha ? 4 : 3) < 100 ? 0xFF : 0x40) }
        let image = NoticeImage.Pixels(
            width: width,
            height: height,
            rowStride: stride,
            hasAlpha: hasAlpha,
            bytes: Array(repeatElement(row, count: height).joined())
        )
        try await PortalStage.withPortal { _, portal, backend, _ in
            let receipt = try await backend.deliver(PortalStage.delivery("Pixels") { $0.image = .pixels(image) })
            #expect(receipt.lost.map(\.feature) == [.image] && receipt.lost[0].detail == "shown small, as the icon")
            let file = try #require(portal.added.first?.value("icon")?.elements?[1].fileDescriptor)
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = pread(file.number, &bytes, bytes.count, 0)
            let path = NSTemporaryDirectory() + "belfry-\(UUID().uuidString).png"
            defer { try? FileManager.default.removeItem(atPath: path) }
            try Data(bytes.prefix(count)).write(to: URL(fileURLWithPath: path))
            defer { try? FileManager.default.removeItem(atPath: path + ".raw") }
            _ = try await output(of: "/usr/bin/env", ["convert", path, "-depth", "8", "rgba:\(path).raw"])
            let pixels = try Array(Data(contentsOf: URL(fileURLWithPath: path + ".raw")))
            #expect(pixels.count == width * width * 4)
            let pixel = { (column: Int, row: Int) in
                Array(pixels[((row * width) + column) * 4..<((row * width) + column) * 4 + 4])
            }
            #expect(pixel(0, 39) == [0, 0, 0, 0] && pixel(199, 160) == [0, 0, 0, 0])
            #expect(pixel(0, 40) == [0xFF, 0xFF, 0xFF, 0xFF] && pixel(99, 159) == [0xFF, 0xFF, 0xFF, 0xFF])
            #expect(pixel(199, 159) == [0x40, 0x40, 0x40, hasAlpha ? 0x40 : 0xFF])
        }
    }

    @Test("pictures of other formats, which the portal would drop without a word, are told as lost")
    func formats() async throws {
        let folder = NSTemporaryDirectory()
        let jpeg: [UInt8] = [
            0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 17, 8, 2, 88, 0, 64, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11,
            1,
        ]
        let wide = try Array(Data(contentsOf: URL(fileURLWithPath: png(64, 32))))
        let files: [(String, [UInt8], String?)] = [
            ("gif", Array("GIF89a".utf8), "no PNG, JPEG or SVG"), ("jpg", jpeg, "64 × 600 pixels"),
            ("png", wide, "64 × 32 pixels"),
            ("svg", Array("<?xml version=\"1.0\"?><svg/>".utf8), nil), ("short.jpg", Array(jpeg.prefix(10)), nil),
        ]
        try await PortalStage.withPortal { _, portal, backend, _ in
            for (name, bytes, detail) in files {
                let path = folder + "belfry-\(UUID().uuidString).\(name)"
                defer { try? FileManager.default.removeItem(atPath: path) }
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                let lost = try await backend.deliver(PortalStage.delivery(name) { $0.icon = .file(path) }).lost
                #expect(lost.map(\.feature) == (detail == nil ? [] : [.icon]))
                #expect(detail == nil || lost[0].detail.contains(detail ?? ""))
                #expect((portal.added.last?.value("icon") == nil) == (detail != nil))
            }
        }
    }

    /// A PNG's head is all that is looked at.
    private func png(_ width: UInt8, _ height: UInt16) throws -> String {
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        let size: [UInt8] = [0, 0, 0, width, 0, 0, UInt8(height >> 8), UInt8(height & 255)]
        let path = NSTemporaryDirectory() + "belfry-\(UUID().uuidString).png"
        try Data(head + size + [8, 6, 0, 0, 0]).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(
        "a picture of a file goes as a file in memory, in version 1 as bytes; one that is too large is told",
        arguments: [1, 2]
    )
    func pictures(version: Int) async throws {
        let small = try png(64, 64)
        let large = try png(64, 513)
        try await PortalStage.withPortal(version == 1 ? .old : .init()) { _, portal, backend, _ in
            let shown = try await backend.deliver(PortalStage.delivery("Small") { $0.image = .file(small) })
            #expect(shown.lost.map(\.feature) == [.image])
            let icon = try #require(portal.added.first?.value("icon")?.elements)
            let expected = try Data(contentsOf: URL(fileURLWithPath: small))
            if version == 1 {
                #expect(icon[0] == .string("bytes") && icon[1].bytes == Array(expected))
            } else {
                let file = try #require(icon[1].fileDescriptor)
                var bytes = [UInt8](repeating: 0, count: 100)
                #expect(pread(file.number, &bytes, 100, 0) == expected.count)
                #expect(bytes.starts(with: Array(expected)))
            }
            let lost = try await backend.deliver(PortalStage.delivery("Large") { $0.icon = .file(large) }).lost
            #expect(lost.map(\.feature) == [.icon] && lost[0].detail.contains("64 × 513"))
            let gone = try await backend.deliver(PortalStage.delivery("Gone") { $0.icon = .file("/nowhere.png") }).lost
            #expect(gone.map(\.feature) == [.icon])
            // Nobody writes into it: whoever opened it would wait.
            let pipe = NSTemporaryDirectory() + "belfry-\(UUID().uuidString).pipe"
            try #require(mkfifo(pipe, 0o600) == 0)
            let waiting = try await backend.deliver(PortalStage.delivery("Pipe") { $0.icon = .file(pipe) }).lost
            #expect(waiting.map(\.feature) == [.icon] && waiting[0].detail.contains(pipe))
            #expect(portal.added.suffix(3).allSatisfy { $0.value("icon") == nil })
        }
    }

    @Test("what a portal finds fault with is left out and told; a notice that it refuses by itself is refused")
    func refused() async throws {
        try await PortalStage.withPortal(.init(refusedKeys: ["icon"])) { _, portal, backend, _ in
            let receipt = try await backend.deliver(PortalStage.delivery("Mail", "1", full))
            #expect(portal.added.count == 1 && portal.added[0].value("icon") == nil)
            #expect(portal.added[0].buttons.count == 3)
            let features = receipt.lost.map(\.feature)
            #expect(features.suffix(5) == [.icon, .sound, .transient, .category, .reply])
        }
        try await PortalStage.withPortal(.init(refusedKeys: ["title"])) { _, _, backend, _ in
            let error = await #expect(throws: NoticeError.self) {
                try await backend.deliver(PortalStage.delivery("Mail", "1", full))
            }
            #expect(error?.code == .rejected && error?.isTransient == false)
        }
    }

    @Test(
        "random texts, names and actions are shown or refused with an error, and do no harm",
        arguments: [UInt64](1...3)
    )
    func odd(seed: UInt64) async throws {
        try await PortalStage.withPortal { _, portal, backend, _ in
            var state = seed
            for round in 0..<200 {
                let bytes = (0..<40).map { _ -> UInt8 in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 56)
                }
                let text = String(decoding: bytes, as: UTF8.self)
                do throws(NoticeError) {
                    _ = try await backend.deliver(
                        PortalStage.delivery(text) { content in
                            content.body = text
                            content.icon = .named(text)
                            content.desktop.category = text
                            content.actions = [NoticeAction(text, title: text)]
                        }
                    )
                } catch {
                    // Only what D-Bus can't carry: a NUL, which the core removes before a backend sees it.
                    #expect(
                        error.code == .invalidContent && bytes.contains(0),
                        "seed \(seed), round \(round): \(error)"
                    )
                }
            }
            #expect(portal.added.count > 150)
        }
    }
}
