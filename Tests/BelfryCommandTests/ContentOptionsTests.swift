import ArgumentParser
import Belfry
import BelfryTestSupport
import SeededRandom
import Testing

@testable import BelfryCommand

@Suite("The flags of notify-send", .takesTurns)
struct ContentOptionsTests {
    private func content(_ arguments: String..., title: String = "T", body: String? = nil) throws -> NoticeContent {
        try ContentOptions.parse(arguments).content(title: title, body: body)
    }

    @Test("Without flags there is a title, a plain body and nothing else")
    func plain() throws {
        #expect(try content(title: "A", body: "1 < 2") == NoticeContent(title: "A", body: "1 < 2"))
    }

    @Test(
        "Urgency is a level, in any case of letters",
        arguments: [
            (["-u", "low"], InterruptionLevel.passive), (["-unormal"], .active), (["--urgency=critical"], .critical),
            (["-u", "CRITICAL"], .critical), (["--level", "timeSensitive"], .timeSensitive),
            (["-h", "byte:urgency:2"], .critical),
        ]
    )
    func urgency(arguments: [String], expected: InterruptionLevel) throws {
        #expect(try ContentOptions.parse(arguments).content(title: "T", body: nil).level == expected)
    }

    @Test(
        "The time on the screen is in milliseconds, 0 is for ever and -1 the desktop's choice",
        arguments: [
            (["-t", "1500"], NoticeContent.Desktop.Expiry.after(.milliseconds(1500))), (["-t", "0"], .never),
            (["-t", "-1"], .serverDefault), (["--expire-time=5s"], .after(.seconds(5))), ([], .serverDefault),
            (["-t", "0s"], .never),
        ]
    )
    func expiry(arguments: [String], expected: NoticeContent.Desktop.Expiry) throws {
        #expect(try ContentOptions.parse(arguments).content(title: "T", body: nil).desktop.expiry == expected)
    }

    @Test("Actions have a name and a label, or a label and their number")
    func actions() throws {
        #expect(
            try content("-A", "yes=Yes, please", "-A", "No", "--action=a = b=c").actions == [
                NoticeAction("yes", title: "Yes, please"), NoticeAction("1", title: "No"),
                NoticeAction("a", title: "b=c"),
            ]
        )
    }

    @Test("Hints that the content has a field for go there, others are passed on with their type")
    func hints() throws {
        let content = try content(
            "-h",
            "int:value:40",
            "-h",
            "string:category:im.received",
            "-h",
            "boolean:transient:true",
            "-h",
            "string:sound-name:bell",
            "-h",
            "string:x-dunst-stack-tag:volume",
            "-h",
            "byte:x:7",
            "-h",
            "double:y:1.5",
            "-h",
            "INT:z:-3",
            "-h",
            "string:url:http://a:b",
            "-h",
            "variant:v:uint32 5",
            "-h",
            "variant:w:'a b'"
        )
        #expect(content.desktop.category == "im.received")
        #expect(content.desktop.isTransient)
        #expect(content.sound == .named("bell"))
        #expect(
            content.desktop.hints == [
                "value": .int(40), "x-dunst-stack-tag": .string("volume"), "x": .byte(7), "y": .double(1.5),
                "z": .int(-3),
                "url": .string("http://a:b"), "v": .uint(5), "w": .string("a b"),
            ]
        )
    }

    @Test("What is shown on the lock screen, whether it can be closed, and what a button does in a call")
    func portalWishes() throws {
        let content = try content(
            "--privacy",
            "content-hidden",
            "--persistent",
            "-A",
            "yes=Answer",
            "-A",
            "no=Decline",
            "--purpose",
            "yes=acceptCall",
            "--purpose",
            "no=declineCall"
        )
        #expect(content.desktop.privacy == .contentHidden)
        #expect(content.desktop.isPersistent)
        #expect(content.actions.map(\.purpose) == [.acceptCall, .declineCall])
    }

    @Test("A desktop-entry hint names the app, -a its name for people")
    func app() throws {
        let options = try ContentOptions.parse(["-a", "Mail", "-h", "string:desktop-entry:org.example.Mail"])
        #expect(try options.content(title: "T", body: nil).desktop.appName == "Mail")
        #expect(try options.app() == AppIdentity(id: "org.example.Mail", name: "Mail"))
        #expect(try options.content(title: "T", body: nil).desktop.hints.isEmpty)
        let unnamed = try ContentOptions.parse(["-h", "string:desktop-entry:org.example.Mail"])
        #expect(try unnamed.app() == AppIdentity(id: "org.example.Mail", name: "Mail"))
        #expect(try ContentOptions.parse([]).app() == .command())
    }

    @Test("An icon is a name of the theme or a file, which becomes an absolute path")
    func icons() throws {
        #expect(try content("-i", "alarm-symbolic").icon == .named("alarm-symbolic"))
        #expect(try content("-i", "/usr/share/a.png").icon == .file("/usr/share/a.png"))
        #expect(try content("-i", "file:///tmp/a%20b.png").icon == .file("/tmp/a b.png"))
        guard case .file(let path) = try content("--image", "./a.png").image else {
            Issue.record("a path is a file")
            return
        }
        #expect(path.hasPrefix("/") && path.hasSuffix("/a.png") && !path.contains("./"))
    }

    @Test("The body takes notify-send's escapes, the title does not")
    func escapes() throws {
        let content = try content(title: #"a\nb"#, body: #"a\nb\tc\\d\"e\101\x\303\251"#)
        #expect(content.title == #"a\nb"#)
        #expect(content.body == "a\nb\tc\\d\"eAxé")
    }

    @Test("Markup is markup only when it is asked for")
    func markup() throws {
        #expect(try content(body: "<b>x</b>").bodyFormat == .plain)
        #expect(try content("--markup", body: "<b>x</b>").bodyFormat == .markup)
    }

    @Test(
        "What can't be read is refused as wrong usage",
        arguments: [
            ["-u", "high"], ["--level", "loud"], ["-t", "soon"], ["-h", "value"], ["-h", "int:value"],
            ["-h", "int:value:x"],
            ["-h", "byte:x:256"], ["-h", "colour:x:1"], ["-h", "double:x:inf"], ["-h", "variant:x:[1,2]"], ["-A", ""],
            ["-A", "=x"], ["-A", "x="], ["--progress", "half"], ["-u", "low", "--level", "active"], ["-h", "int::5"],
            ["--privacy", "secret"], ["--purpose", "yes=acceptCall"], ["-A", "yes=Yes", "--purpose", "yes"],
            ["-A", "yes=Yes", "--purpose", "yes=call"],
        ]
    )
    func refused(arguments: [String]) throws {
        let options = try ContentOptions.parse(arguments)
        let failure = #expect(throws: NoticeError.self) { try options.content(title: "T", body: nil) }
        #expect(failure?.status == .usage)
    }

    @Test("Escapes that make no text are refused", arguments: [#"\"#, #"a\\\"#, #"\377"#, #"\303"#])
    func badEscapes(body: String) {
        #expect(throws: NoticeError.self) { try BodyEscapes.resolve(body) }
    }

    @Test("No hint and no body makes a parser trap")
    func fuzz() {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "int", "byte", "variant", "boolean", ":", "'", "\"", "\\", "1", "-", "9999999999", " ", "\\377", "é",
            "true",
        ]
        for _ in 0..<5000 {
            let text = random.text(of: pieces, upTo: 8)
            if let hint = try? HintText(text) { #expect(!hint.name.isEmpty, "seed \(seed): \(text)") }
            if let body = try? BodyEscapes.resolve(text) {
                #expect(body.utf8.count <= text.utf8.count, "seed \(seed): \(text)")
            }
        }
    }
}
