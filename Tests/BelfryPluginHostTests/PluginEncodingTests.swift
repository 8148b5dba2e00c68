import Belfry
import BelfryPluginHost
import BelfryTestSupport
import CMisbehavingPlugin
import Foundation
import Testing

/// One at a time: the plug-in has one page to write notices on.
@Suite("A notice on its way to a plug-in", .takesTurns, .serialized)
struct PluginEncodingTests {
    func record(_ delivery: Delivery) async throws -> String {
        var text = ""
        try await onStage("record") { backend, _ in
            _ = try await backend.deliver(delivery)
            text = String(cString: misbehaving_record())
        }
        return text
    }

    @Test("A bare notice: everything that isn't given is absent")
    func bare() async throws {
        #expect(
            try await record(delivery("record")) == """
                size=1 flags=0 level=0 sound=0 expire=-1
                request=record
                app=Stage
                entry=org.example.Stage
                subtitle=
                body=
                icon=
                image=
                sound=
                category=
                thread=
                progress=0.000

                """
        )
    }

    @Test("A full notice: every field arrives")
    func full() async throws {
        var full = delivery(
            "record",
            { content in
                content.subtitle = "sub"
                content.body = "bödy 🇩🇪\nline"
                content.bodyFormat = .markup
                content.icon = .named("mail-unread")
                content.image = .file("/tmp/a.png")
                content.sound = .named("bell")
                content.level = .critical
                content.desktop.category = "im.received"
                content.thread = "family"
                content.actions = [
                    NoticeAction("default", title: "Open"),
                    NoticeAction("mute", title: "Mute", icon: "audio-off"),
                    NoticeAction("answer", title: "Send", kind: .reply(placeholder: "Text")),
                ]
                content.progress = 0.25
                content.desktop.expiry = .after(.milliseconds(1_500))
                content.desktop.isTransient = true
                content.desktop.isResident = true
                content.desktop.hints = ["x-text": .string("s"), "x-number": .int(-3), "x-real": .double(0.5)]
            },
            replaces: DeliveryReceipt(backend: "misbehaving", handle: "12", server: "run-0")
        )
        full.isPossiblyRepeated = true
        #expect(
            try await record(full) == """
                size=1 flags=31 level=3 sound=1 expire=1500
                request=record
                app=Stage
                entry=org.example.Stage
                subtitle=sub
                body=bödy 🇩🇪
                line
                icon=mail-unread
                image=/tmp/a.png
                sound=bell
                category=im.received
                thread=family
                action 1 id=default
                 title=Open
                 icon=
                 placeholder=
                action 0 id=mute
                 title=Mute
                 icon=audio-off
                 placeholder=
                action 2 id=answer
                 title=Send
                 icon=
                 placeholder=Text
                progress=0.250
                replaces=12 of=run-0
                hint 3 -3 0.00 key=x-number
                 string=
                hint 6 0 0.50 key=x-real
                 string=
                hint 0 0 0.00 key=x-text
                 string=s

                """
        )
    }

    @Test("Pixels arrive whole")
    func pixels() async throws {
        let picture = NoticeImage.Pixels(
            width: 2,
            height: 3,
            rowStride: 8,
            hasAlpha: false,
            bytes: Array(repeating: 7, count: 22)
        )
        let text = try await record(delivery("record", { $0.image = .pixels(picture) }))
        #expect(text.contains("pixels 2x3 stride 8 flags 0 bytes 22 first 7\n"))
    }

    @Test(
        "Never, sounds and levels are the header's",
        arguments: [
            (InterruptionLevel.passive, NoticeSound.silent, "level=1 sound=3 expire=0"),
            (.timeSensitive, .file("/tmp/a.oga"), "level=2 sound=2 expire=0"),
            (.active, .standard, "level=0 sound=1 expire=0"),
        ]
    )
    func levels(_ level: InterruptionLevel, _ sound: NoticeSound, _ expected: String) async throws {
        let text = try await record(
            delivery(
                "record",
                { content in
                    content.level = level
                    content.sound = sound
                    content.desktop.expiry = .never
                }
            )
        )
        #expect(text.contains(expected))
    }

    @Test("A megabyte of text and ten thousand actions pass the border unharmed")
    func large() async throws {
        try await onStage("large") { backend, _ in
            let large = delivery(
                "plain",
                { content in
                    content.body = String(repeating: "x", count: 1 << 20)
                    content.actions = (0..<10_000).map { NoticeAction("a\($0)", title: "Do") }
                }
            )
            let receipt = try await backend.deliver(large)
            #expect(receipt.handle == "5")
        }
    }
}
