import BelfryTestSupport
import Testing

@Suite("belfry next, as a program", .takesTurns)
struct NextProgramTests {
    @Test("Dates end with the year 9999")
    func lastYear() async throws {
        let daily = ["next", "--every", "1d", "--after", "9999-12-30", "--count", "5"]
        let outcome = try await BuiltProgram.run(daily + ["--json"])
        #expect(outcome.lines == [#"{"at":"9999-12-31T00:00:00+00:00"}"#])
        let east = try await BuiltProgram.run(daily + ["--json", "--zone", "Pacific/Kiritimati"])
        #expect(east.lines == [#"{"at":"9999-12-31T00:00:00+14:00"}"#])
        let none = try await BuiltProgram.run(["next", "--every", "1d", "--after", "9999-12-31", "--count", "5"])
        #expect(none.status == 1 && none.output.isEmpty && none.errors.contains("There is no such date"))
    }

    @Test("Dates are printed one object per line, with the offset of the zone")
    func dates() async throws {
        let outcome = try await BuiltProgram.run([
            "next", "--match", "month=2,day=29,hour=8", "--missing-date", "skip", "--zone", "America/New_York",
            "--after",
            "@1767225600", "--count", "3", "--json",
        ])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(
            outcome.lines == [
                #"{"at":"2028-02-29T08:00:00-05:00"}"#, #"{"at":"2032-02-29T08:00:00-05:00"}"#,
                #"{"at":"2036-02-29T08:00:00-05:00"}"#,
            ]
        )
    }

    @Test("A trigger that fires once has one date, unless more are asked for")
    func counts() async throws {
        let once = ["next", "--match", "hour=8", "--after", "2026-01-01"]
        #expect(try await BuiltProgram.run(once).lines.count == 1)
        #expect(try await BuiltProgram.run(once + ["--repeat"]).lines.count == 5)
        #expect(try await BuiltProgram.run(once + ["--count", "3"]).lines.count == 3)
        #expect(try await BuiltProgram.run(once + ["--repeat", "--until", "2026-01-02"]).lines.count == 2)
        #expect(try await BuiltProgram.run(once + ["--repeat", "--times", "2"]).lines.count == 2)
        #expect(try await BuiltProgram.run(once + ["--count", "0"]).status == 0)
    }

    @Test("Time spans count from --after")
    func intervals() async throws {
        let every = try await BuiltProgram.run(["next", "--every", "1h30m", "--after", "@0", "--count", "2", "--json"])
        #expect(every.lines == [#"{"at":"1970-01-01T01:30:00+00:00"}"#, #"{"at":"1970-01-01T03:00:00+00:00"}"#])
        let delay = try await BuiltProgram.run(["next", "--in", "90s", "--after", "@0", "--json", "--count", "2"])
        #expect(delay.lines == [#"{"at":"1970-01-01T00:01:30+00:00"}"#])
    }

    @Test(
        "Rules in other notations have dates too",
        arguments: [
            (["--cron", "25 9 * * 1-5"], ["2026-01-01T09:25:00+01:00", "2026-01-02T09:25:00+01:00"]),
            (["--on", "Mon..Fri 09:25"], ["2026-01-01T09:25:00+01:00", "2026-01-02T09:25:00+01:00"]),
            (
                ["--rrule", "FREQ=MONTHLY;BYDAY=-1FR", "--start", "2025-12-01 18:00"],
                ["2026-01-30T18:00:00+01:00", "2026-02-27T18:00:00+01:00"]
            ),
        ]
    )
    func notations(arguments: [String], expected: [String]) async throws {
        let outcome = try await BuiltProgram.run(
            ["next"] + arguments + ["--zone", "Europe/Berlin", "--after", "2026-01-01", "--count", "2", "--json"]
        )
        #expect(outcome.lines == expected.map { "{\"at\":\"\($0)\"}" })
    }

    @Test("What repeats is told as a sentence as well, in the language of the environment, and not to programs")
    func sentence() async throws {
        let arguments = ["next", "--cron", "25 9 * * 1-5", "--times", "10", "--after", "@0"]
        let english = try await BuiltProgram.run(arguments)
        #expect(english.errors == "belfry: every weekday at 9:25, 10 times\n")
        var environment = BuiltProgram.environment
        environment["LC_ALL"] = "de_DE.UTF-8"
        let german = try await BuiltProgram.run(arguments, environment: environment)
        #expect(german.errors == "belfry: montags bis freitags um 9:25 Uhr, 10-mal\n")
        #expect(german.output == english.output && english.lines.count == 5)
        #expect(try await BuiltProgram.run(arguments + ["--json"]).errors == "")
    }

    @Test("Several --match are the union of their dates")
    func union() async throws {
        let outcome = try await BuiltProgram.run([
            "next", "--match", "hour=8", "--match", "hour=20", "--repeat", "--after", "@0", "--count", "3", "--json",
        ])
        #expect(outcome.lines.map { $0.dropFirst(18).prefix(5) } == ["08:00", "20:00", "08:00"])
    }

    @Test(
        "Wrong usage has status 64, what can't be done has status 1, and both say why",
        arguments: [
            (["next"], 64, "trigger"), (["next", "--in", "5x"], 64, "5x"), (["next", "--at", "soon"], 64, "soon"),
            (["next", "--match", "hours=8"], 64, "hours"), (["next", "--nonsense"], 64, "nonsense"),
            (["next", "--in", "5m", "--at", "@0"], 64, "--in and --at"),
            (["next", "--in", "5m", "--repeat"], 64, "--repeat"),
            (["next", "--match", "hour=8", "--count", "-1"], 64, "--count"), (["nonsense"], 64, "nonsense"),
            (["next", "--match", "hour=8", "--missing-date", "never"], 64, "never"),
            (["next", "--match", "month=13"], 64, "13"), (["next", "--every", "30s"], 64, "60 s"),
            (["next", "--match", "hour=8", "--zone", "Mars/Olympus"], 64, "Mars/Olympus"),
            (["next", "--match", "month=2,day=30", "--missing-date", "skip"], 1, ""),
            (["next", "--at", "@0"], 1, "no such date"), (["next", "--cron", "61 * * * *"], 64, "minute 61"),
            (["next", "--on", "Montag"], 64, "on:"), (["next", "--rrule", "FREQ=DAILY"], 64, "start"),
            (["next", "--on", "*-02-30"], 1, "*-02-30"),
            (["next", "--near", "48,11,150"], 1, "region"), (["next", "--near", "48,11"], 64, "48,11"),
        ] as [([String], Int32, String)]
    )
    func failures(arguments: [String], status: Int32, mention: String) async throws {
        let plain = try await BuiltProgram.run(arguments)
        #expect(plain.status == status)
        #expect(plain.output == "")
        #expect(plain.errors.contains(mention), "\(plain.errors)")

        let json = try await BuiltProgram.run(arguments + ["--json"])
        #expect(json.status == status)
        #expect(json.output == "")
        let line = try #require(JSONLine(json.errors), "\(json.errors)")
        #expect(line["error", "code"]?.isEmpty == false)
        #expect(line["error", "message"]?.isEmpty == false)
    }

    @Test("Help, version and completion scripts go to standard output with status 0")
    func help() async throws {
        for arguments in [["--help"], ["next", "--help"], ["--version"], ["help", "next"]] {
            let outcome = try await BuiltProgram.run(arguments)
            #expect(outcome.status == 0)
            #expect(!outcome.output.isEmpty)
            #expect(outcome.errors == "")
        }
        for shell in ["bash", "zsh", "fish"] {
            let outcome = try await BuiltProgram.run(["--generate-completion-script", shell])
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("belfry"))
        }
    }
}
