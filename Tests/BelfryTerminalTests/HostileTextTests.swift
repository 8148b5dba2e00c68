import Belfry
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import BelfryTerminal

@Suite("Nothing in a text ends the command that it stands in", .takesTurns)
struct HostileTextTests {
    /// What terminals, and multiplexers, obey or end a string at.
    private static let pieces = [
        "\u{1B}", "\u{1B}\\", "\u{07}", "\u{9C}", "\u{9D}", "\u{9B}", "\u{90}", "\u{18}", "\u{1A}", "\u{00}", "\u{7F}",
        "\n", "\r", "\r\n", "\t", ";", ":", "=", "]99;", "4;1;50", "9;", "\u{1B}]52;c;Zm9v\u{07}", "\u{1B}Ptmux;",
        "\u{2028}", "\u{2029}", "\u{202E}", "\u{85}", "i=0", "p=close", "a", "7", " ", "é", "家", "🇩🇪", "e\u{301}",
        // Whose last eight bits are ESC, BEL and a C1 control.
        "\u{11B}", "\u{107}", "\u{19C}",
    ]

    private static let support = KittySupport([
        "a": "report,focus", "p": "title,body,close,icon,alive,buttons", "c": "1", "u": "0,1,2", "w": "1",
        "s": "system",
    ])

    private static func hostile(_ random: inout SeededGenerator) -> NoticeContent {
        func text(_ length: Int) -> String { random.text(of: pieces, upTo: length) }
        var content = NoticeContent(title: text(12), subtitle: text(4), body: text(40))
        content.actions = (0..<random.below(4)).map { _ in NoticeAction(text(3), title: text(5)) }
        content.icon = random.chance(30) ? .named(text(4)) : nil
        content.sound = random.chance(30) ? .named(text(4)) : nil
        content.desktop.category = random.chance(30) ? text(4) : nil
        content.level = random.pick(InterruptionLevel.allCases)
        return content
    }

    /// What the terminal outside of a multiplexer gets.
    private static func outside(_ bytes: [UInt8], _ multiplexer: Multiplexer?) throws -> TerminalStream {
        var stream = TerminalStream()
        stream.take(bytes)
        try #require(!stream.isInside && stream.screen.isEmpty && stream.sequences.isEmpty)
        guard let multiplexer else {
            try #require(stream.deviceControls.isEmpty)
            return stream
        }
        try #require(stream.commands.isEmpty)
        var terminal = TerminalStream()
        for text in stream.deviceControls {
            switch multiplexer {
            case .tmux:
                try #require(text.hasPrefix("tmux;"))
                terminal.take(text.dropFirst(5).replacing("\u{1B}\u{1B}", with: "\u{1B}").utf8)
            case .screen:
                try #require(text.utf8.count < 768, "as much as screen holds")
                // It keeps eight bits of each character.
                let kept = text.unicodeScalars.map { UnicodeScalar(UInt8(truncatingIfNeeded: $0.value)) }
                terminal.take(String(String.UnicodeScalarView(kept)).utf8)
            }
        }
        try #require(!terminal.isInside && terminal.screen.isEmpty && terminal.sequences.isEmpty)
        return terminal
    }

    @Test("Random texts of all that terminals obey, in every way and through every multiplexer")
    func fuzz() throws {
        var random = SeededGenerator(seed: RandomSeed.current)
        for _ in 0..<3_000 {
            let sequence = random.pick(TerminalSequence.allCases)
            let multiplexer = random.pick([nil, .tmux, .screen] as [Multiplexer?])
            let profile = TerminalProfile(
                name: "t",
                sequence: sequence,
                support: sequence == .osc99 ? Self.support : nil,
                multiplexer: multiplexer,
                isListening: true
            )
            let delivery = makeDelivery(Self.hostile(&random))
            // As a center hands it over, and as it never would.
            let capabilities = profile.capabilities
            for delivery in [delivery, delivery.prepared(for: capabilities)] {
                let message = TerminalMessage(delivery, id: "belfry-1", for: profile)
                let bytes = message.commands.flatMap { $0.bytes(through: multiplexer) }
                let stream = try Self.outside(bytes, multiplexer)
                #expect(stream.commands.count == message.commands.count, "seed \(RandomSeed.current)")
                for command in stream.commands {
                    #expect(!command.unicodeScalars.contains { $0.isControl })
                    try Self.check(command, sequence)
                }
            }
        }
    }

    private static func check(_ command: String, _ sequence: TerminalSequence) throws {
        let fields = command.split(separator: ";", omittingEmptySubsequences: false)
        switch sequence {
        case .osc99:
            #expect(fields.count == 3 && fields[0] == "99")
            #expect(fields[1].hasPrefix("i=belfry-1:p="))
            let text = try #require(Data(base64Encoded: String(fields[2])))
            let decoded = String(decoding: text, as: UTF8.self).unicodeScalars
            #expect(
                !decoded.contains { $0.isControl && $0 != "\n" },
                "nothing for the desktop to obey"
            )
            #expect(text.count <= 2048 && fields[2].utf8.count <= 4096, "as the specification has it")
        case .osc777: #expect(fields.count == 4 && fields[0] == "777" && fields[1] == "notify")
        case .osc9:
            #expect(fields[0] == "9" && fields.count > 1)
            #expect(!(fields[1].first?.isNumber ?? false), "a command of ConEmu's: \(command)")
        }
    }

    @Test(
        "A text that reads like a command of ConEmu's is one no more",
        arguments: [
            ("4;1;50", " 4;1;50"), ("9;/tmp", " 9;/tmp"), ("12", " 12"), ("3 tests failed", " 3 tests failed"),
            ("Tea", "Tea"), ("", ""),
        ]
    )
    func conEmu(title: String, text: String) {
        let profile = TerminalProfile(name: "iTerm2", sequence: .osc9, isListening: true)
        let delivery = makeDelivery(NoticeContent(title: title))
        let message = TerminalMessage(delivery, id: "belfry-1", for: profile)
        #expect(message.commands == [TerminalCommand(9, text)])
    }

    @Test("Semicolons in OSC 777 are commas, and the receipt says so")
    func semicolons() {
        let profile = TerminalProfile(name: "WezTerm", sequence: .osc777, isListening: true)
        let delivery = makeDelivery(NoticeContent(title: "a;b", subtitle: "c", body: "d;e\nf"))
        let message = TerminalMessage(delivery, id: "belfry-1", for: profile)
        #expect(message.commands.map(\.text) == ["notify;a,b;c d,e f"])
        #expect(message.lost.map(\.feature) == [.title, .body])
    }

    @Test("Long texts come in parts that the terminal puts together, no character cut")
    func chunks() throws {
        let body = String(repeating: "Grüße, 家族 🇩🇪. ", count: 400)
        let profile = TerminalProfile(name: "kitty", sequence: .osc99, support: Self.support)
        let delivery = makeDelivery(NoticeContent(title: "Long", body: body))
        let commands = TerminalMessage(delivery, id: "belfry-7", for: profile).commands
        let parts = try commands.map { command -> String in
            let fields = command.text.split(separator: ";", omittingEmptySubsequences: false)
            let data = try #require(Data(base64Encoded: String(fields[1])))
            return try #require(String(validating: data, as: UTF8.self))
        }
        #expect(parts.count > 4)
        #expect(parts[0] == "Long" && parts.dropFirst().joined() == body)
        #expect(commands.map { $0.text.contains(":d=1") } == commands.indices.map { $0 == commands.count - 1 })
        #expect(!commands.contains { $0.text.contains("a=") || $0.text.contains("c=1") }, "nobody listens")
    }

    @Test("What screen can't pass on is a question mark, which the receipt tells, and no part ends within a character")
    func throughScreen() throws {
        let profile = TerminalProfile(name: "WezTerm", sequence: .osc777, multiplexer: .screen)
        let body = String(repeating: "ä", count: 700)
        for title in ["Tee", "Caffè"] {
            let delivery = makeDelivery(NoticeContent(title: title, body: body + "\u{11B}c"))
            let message = TerminalMessage(delivery, id: "belfry-1", for: profile)
            let bytes = message.commands.flatMap { $0.bytes(through: .screen) }
            #expect(try Self.outside(bytes, .screen).commands == ["777;notify;\(title);\(body)?c"])
            #expect(message.lost.map(\.feature) == [.body])
        }
        let content = NoticeContent(title: "家", body: "家")
        for (sequence, lost) in [(TerminalSequence.osc99, 0), (.osc9, 2)] {
            let profile = TerminalProfile(name: "t", sequence: sequence, multiplexer: .screen)
            let message = TerminalMessage(makeDelivery(content), id: "belfry-1", for: profile)
            #expect(message.lost.count == lost)
        }
    }

    @Test("Wrapped for tmux and screen, byte by byte")
    func wrapping() {
        let command = TerminalCommand(9, "Tea")
        #expect(String(decoding: command.bytes(through: nil), as: UTF8.self) == "\u{1B}]9;Tea\u{1B}\\")
        #expect(
            String(decoding: command.bytes(through: .tmux), as: UTF8.self)
                == "\u{1B}Ptmux;\u{1B}\u{1B}]9;Tea\u{1B}\u{1B}\\\u{1B}\\"
        )
        #expect(String(decoding: command.bytes(through: .screen), as: UTF8.self) == "\u{1B}P\u{1B}]9;Tea\u{07}\u{1B}\\")
    }
}
