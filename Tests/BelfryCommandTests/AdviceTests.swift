import ArgumentParser
import Belfry
import BelfryTestSupport
import Testing

@testable import BelfryCommand

/// That they are refused, and with which status, is tested beside each option.
@Suite("What was typed wrong is answered with the value and what to write instead", .takesTurns)
struct AdviceTests {
    private func message(_ work: () throws -> Void) -> String {
        do { try work() } catch { return (error as? NoticeError)?.message ?? RootCommand.message(for: error) }
        return ""
    }

    @Test(
        "Content",
        arguments: [
            (["-u", "high"], "'high' is no value for --urgency; there are low, normal, critical."),
            (["-u", "low", "--level", "active"], "--urgency and --level say the same; give one of them."),
            (
                ["--level", "loud"],
                "'loud' is no value for --level; there are passive, active, timeSensitive, critical."
            ),
            (["--privacy", "all"], "'all' is no value for --privacy; there are visible, contentHidden, hidden."),
            (
                ["-t", "soon"],
                "--expire-time: the duration 'soon' has no number before 's': write it as 90s, 5m, 1h30m or 2d."
            ),
            (["--progress", "half"], "--progress: 'half' can't be read; write 0.4 or 40%."),
            (["-A", "=x"], "--action: '=x' lacks a name or a label; write it as -A yes='Yes, please'."),
            (
                ["-A", "yes=Yes", "--purpose", "no=hangUp"],
                "--purpose: 'no=hangUp' names no button; write -A yes=Answer --purpose yes=acceptCall."
            ),
            (
                ["-h", "value"],
                "--hint: 'value' can't be read; write it as TYPE:NAME:VALUE, of type boolean, int, double, string or "
                    + "byte."
            ),
            (
                ["-h", "colour:x:1"],
                "--hint: 'colour:x:1' is of no known type; write it as TYPE:NAME:VALUE, of type boolean, int, double, "
                    + "string or byte."
            ),
            (["-h", "byte:x:256"], "--hint: '256' is no byte, in 'byte:x:256'."),
        ] as [([String], String)]
    )
    func contents(arguments: [String], expected: String) {
        #expect(message { _ = try ContentOptions.parse(arguments).content(title: "T", body: nil) } == expected)
    }

    @Test("Bodies that end in a backslash, and those whose escapes make no text")
    func bodies() {
        let single = message { _ = try BodyEscapes.resolve("C:\\") }
        #expect(single == #"The body ends in a single backslash; write \\ for a backslash."#)
        let broken = message { _ = try BodyEscapes.resolve(#"\377"#) }
        #expect(broken == "The escapes of the body make no UTF-8; write the characters themselves.")
    }

    @Test(
        "Triggers",
        arguments: [
            (
                ["--in", "5m", "--at", "@0"],
                "--in and --at exclude each other: a request has one trigger, so add a request for each of them."
            ),
            (
                ["--in", "5m", "--at", "@0", "--every", "1h"],
                "--in and --at and --every exclude each other: a request has one trigger, so add a request for each of "
                    + "them."
            ),
            (
                ["--in", "5m", "--repeat"],
                "--repeat belongs to --match and --near; to repeat a time span, use --every."
            ),
            (["--match", "hour=8", "--edge", "exit"], "--edge belongs to --near, which is not given."),
            (["--dwell", "5m"], "--dwell belongs to --near, which is not given."),
            (["--on", "daily", "--during", "*"], "--during belongs to --near, which is not given."),
            (
                ["--every", "1h", "--start", "@0"],
                "--start belongs to --rrule, --cron and --on; none of them is given."
            ),
            (
                ["--match", "hour=8", "--times", "3"],
                "--times belongs to what repeats: --every, --rrule, --cron, --on, or --match with --repeat."
            ),
            (
                ["--near", "48.1,11.5"],
                "--near: '48.1,11.5' can't be read; write it as --near 48.137,11.575,150 (degrees, meters)."
            ),
            (
                ["--every", "-5"],
                "--every: the duration '-5' has no number before '-': write it as 90s, 5m, 1h30m or 2d."
            ),
            (
                ["--in", "soon"],
                "--in: the duration 'soon' has no number before 's': write it as 90s, 5m, 1h30m or 2d."
            ),
            (
                ["--near", "1,2,3", "--dwell", "5"],
                "--dwell: the duration '5' has no unit after 5: write it as 90s, 5m, 1h30m or 2d."
            ),
            (
                ["--near", "1,2,3", "--during", "never"],
                "--during: on: 'NEVER' is neither a weekday nor one of daily, weekly and their kin (column 1)"
            ),
            (["--near", "1,2,3", "--edge", "in"], "'in' is no value for --edge; there are entry, exit, both."),
            (
                ["--match", "hour"],
                "--match: 'hour' is no component and value; write it as --match month=5,day=10,hour=8."
            ),
            (
                ["--match", "hour=8,hour=9"],
                "--match: hour is given twice; for several values, repeat --match with each of them."
            ),
            (
                ["--match", "hour=x"],
                "--match: 'x' is no whole number for hour; write it as --match month=5,day=10,hour=8."
            ),
            (
                ["--match", "hour=8", "--missing-date", "never"],
                "'never' is no value for --missing-date; there are nextDay, lastDayOfMonth, skip."
            ),
            (
                ["--match", "hour=8", "--missing-time", "never"],
                "'never' is no value for --missing-time; there are shiftForward, firstValid, shiftBackward, skip."
            ),
            (
                ["--match", "hour=8", "--repeated-time", "never"],
                "'never' is no value for --repeated-time; there are first, last."
            ),
        ] as [([String], String)]
    )
    func triggers(arguments: [String], expected: String) {
        #expect(message { _ = try TriggerOptions.parse(arguments).trigger() } == expected)
    }

    @Test("Names of components are listed, where one is none")
    func components() {
        let text = message { _ = try MatchText.parse("hours=8") }
        #expect(
            text.hasPrefix("--match: 'hours' is no date component; there are ") && text.contains("hour, minute, second")
        )
    }

    @Test("Backends, their settings, and sources of positions")
    func sources() {
        let none = message { _ = try BackendName("bus") }
        #expect(none.hasPrefix("'bus' is no backend; there are auto, dbus, ") && none.hasSuffix(" and plugin:PATH."))
        let empty = message { _ = try BackendName("plugin:") }
        #expect(empty == "--backend plugin: lacks the plug-in; write plugin:/path/to/file.so, or plugin:NAME.")
        let way = message { _ = try BackendName("terminal:777") }
        #expect(way == "--backend terminal: '777' is no protocol of a terminal; there are osc99, osc777, osc9.")
        let setting = message { _ = try BackendOptions.parse(["--backend-option", "a=b"]).name() }
        #expect(
            setting == "--backend-option 'a=b' belongs to a plug-in, and 'auto' is none; write --backend plugin:PATH."
        )
        let plugin = ["--backend", "plugin:mine", "--backend-option"]
        let twice = message { _ = try BackendOptions.parse(plugin + ["a=1", "--backend-option", "a=2"]).name() }
        #expect(twice == "--backend-option: 'a' is given twice; give it once.")
        let half = message { _ = try BackendOptions.parse(plugin + ["a"]).name() }
        #expect(half == "--backend-option: 'a' can't be read; write it as KEY=VALUE.")
        let source = message { _ = try LocationSource("gps") }
        let sources = "auto, geoclue, gpsd, gpsd:HOST:PORT or replay:FILE"
        #expect(source == "--location: 'gps' is no source of positions; write \(sources).")
        let port = message { _ = try LocationSource("gpsd:boat:") }
        #expect(port == "--location: 'boat:' has no port after its colon; write gpsd:HOST:PORT.")
    }

    @Test("Weekdays and escalations")
    func daysAndSteps() {
        let days = message { _ = try WeekdayText.parse("Mo-Fr") }
        #expect(days == "--on: 'Mo-Fr' are no weekdays; write them as Mon..Fri or Sat,Sun.")
        let step = message { _ = try EscalationOptions.step("0=critical") }
        #expect(
            step
                == "--escalate: '0=critical' can't be read; write it as 3=timeSensitive or 5=critical:'Still unread'."
        )
        let nothing = message { _ = try EscalationOptions.step("3=:") }
        #expect(nothing == "--escalate: '3=:' changes nothing; name a level.")
    }

    @Test(
        "Options that exclude each other, or lack another",
        arguments: [
            (["add", "T", "--id", "t", "--no-wait"], "--no-wait needs --store PATH: nothing else keeps it."),
            (["import", "a.json", "--no-wait"], "--no-wait needs --store PATH: nothing else keeps it."),
            (["import", "a.json", "--watch", "--dry-run"], "--watch and --dry-run exclude each other."),
            (
                ["import", "a.json", "--watch", "--no-wait", "--store", "s"],
                "--watch and --no-wait exclude each other."
            ),
            (["history", "--limit", "0"], "--limit 0: it must be 1 or more."),
            (["remove"], "Name an identifier, or give --all."),
            (["remove", "a", "--all"], "Name identifiers or give --all, not both."),
            (["preview", "a.json", "--store", "s"], "A file is previewed alone: leave --store out, or the file."),
            (["preview", "--ics", "--json"], "--ics and --json exclude each other."),
            (["preview", "--limit", "0"], "--limit 0 is not in 1–"),
            (["list", "--store", ""], "--store is empty: name a directory."),
            (["add", "T", "--id", "t", "--store", ""], "--store is empty: name a directory."),
            (["doctor", "--store", ""], "--store is empty: name a directory."),
            (["quiet-hours", "off", "--quietly"], "--on and --quietly need times, such as 22:00..07:00."),
            (["quiet-hours", "--on", "Mon"], "--on and --quietly need times, such as 22:00..07:00."),
            (["quiet-hours", "off", "--app", "a.b", "--store", "s"], "--app is the agent's; a store has one app."),
        ] as [([String], String)]
    )
    func combinations(arguments: [String], expected: String) {
        #expect(message { _ = try RootCommand.parseAsRoot(arguments) }.hasPrefix(expected))
    }

    @Test(
        "What only the running command finds",
        arguments: [
            (
                ["next"],
                "No trigger is given; name one, such as --match hour=8 --repeat, --every 1h or --at '2026-12-24 18:00'."
            ),
            (
                ["next", "--near", "48,11,150"],
                "A region has no dates: nobody knows when it is reached. Use next with a trigger of time."
            ),
            (
                ["next", "--at", "@0", "--until", "@9"],
                "There is no such date before --until; look at the year and the other components"
            ),
            (["send"], "send lacks the title; write belfry send 'Backup done'."),
            (["send", "T", "-r", "x"], "--replace-id: 'x' is no number of a notice; send -p prints it."),
            (["done"], "done takes a command behind --, or --pid; write 'belfry done -- make test'."),
            (
                ["done", "-A", "yes", "--", "true"],
                "done ends with the command and waits for no response: leave out --action and --snooze."
            ),
            (["snooze"], "'snooze' is no command; there are "),
            (["help", "snooze"], "'snooze' is no command; there are "),
            (
                ["series", "T", "--id", "t", "--times", "2", "--every", "-5s"],
                "--every: the duration '-5s' has no number before '-'"
            ),
            (["next", "--every", "1h", "--count", "-5"], "--count -5 is not in 0–"),
            (
                ["next", "--cron", "0 9 31 2 *"],
                "cron: no date has day 31 and month 2."
            ),
            (
                ["preview", "/nowhere.json", "--from", "2026-01-02", "--until", "2026-01-01"],
                "--until: Thu 2026-01-01 23:59:59 +00:00 is before the first date, Fri 2026-01-02 00:00:00 +00:00;"
            ),
            (
                ["preview", "--until", "2020-01-01 12:00", "--zone", "Europe/Berlin"],
                "--until: Wed 2020-01-01 12:00:00 +01:00 is before the first date, "
            ),
            (["quiet-hours", "22:00"], "'22:00' are no quiet hours; write them as 22:00..07:00, or 'off'."),
        ] as [([String], String)]
    )
    func running(arguments: [String], expected: String) async throws {
        let outcome = try await BuiltProgram.run([arguments[0], "--json"] + arguments.dropFirst())
        let message = try #require(JSONLine(outcome.errors)?["error", "message"], "\(outcome.errors)")
        #expect(message.hasPrefix(expected), "\(message)")
        #expect(outcome.output.isEmpty)
    }

    @Test(
        "Questions of a batch",
        arguments: [
            ("[]", "The line is no JSON object; write one object per line."),
            ("{", "The line is no JSON: the file ends inside the object that begins here (column 1); write one object"),
            (
                #"{"id":99999999999999999999,"kind":"match"}"#,
                "The value of 'id' is too large for a number; write it as a text."
            ),
            (#"{"kind":"match"}"#, "The key 'expression' is missing."),
            (#"{"expression":"x"}"#, "The key 'kind' is missing; it is one of match, rrule, cron, on."),
            (#"{"kind":"moon","expression":1}"#, "The kind 'moon' is not known; there are match, rrule, cron, on."),
            (#"{"kind":"cron","expression":5}"#, "cron: the expression must be a text, and is 5."),
            (#"{"kind":"match","expression":[]}"#, "match: the list of components is empty; give at least one object."),
            (
                #"{"kind":"match","expression":[1]}"#,
                "match: the list holds 1, which is no object of components."
            ),
            (
                #"{"kind":"match","expression":"hour=8"}"#,
                "match: the expression must be an object of components, such as"
            ),
            (#"{"kind":"match","expression":{"hours":8}}"#, "match: 'hours' is no date component; there are "),
            (#"{"kind":"match","expression":{"hour":1.5}}"#, "match: the value 1.5 of hour is no whole number."),
            (
                #"{"kind":"cron","expression":"@daily","normalize":true}"#,
                "Only kind 'on' has a normal form; leave out 'normalize'."
            ),
            (
                #"{"kind":"cron","expression":"@daily","count":-1}"#,
                "The value of 'count' must be a whole number in 0–1000000, and is -1."
            ),
            (#"{"kind":"cron","expression":"@daily","zone":5}"#, "The value of 'zone' must be a text, and is 5."),
            (
                #"{"kind":"cron","expression":"@daily","after":"now"}"#,
                #"The value of 'after' must be a number of seconds since 1970, and is "now"."#
            ),
            (
                #"{"kind":"match","expression":{"hour":8},"missingDate":"maybe"}"#,
                "'maybe' is no value for missingDate; there are nextDay, lastDayOfMonth, skip."
            ),
        ]
    )
    func batch(line: String, expected: String) async throws {
        let outcome = try await BuiltProgram.run(["next", "--batch"], input: line)
        let message = try #require(JSONLine(outcome.output)?["error", "message"], "\(outcome.output)")
        #expect(outcome.status == 0 && message.hasPrefix(expected), "\(message)")
    }

    @Test("Several are told in the order of the questions, each under its id")
    func severalBatchErrors() async throws {
        let lines = [#"{"id":1,"kind":"moon","expression":1}"#, #"{"id":"b"}"#, "nothing"]
        let outcome = try await BuiltProgram.run(["next", "--batch"], input: lines.joined(separator: "\n"))
        let errors = outcome.lines.compactMap { JSONLine($0) }
        #expect(errors.map { $0["error", "code"] } == ["invalidNotation", "invalidNotation", "invalidJSON"])
        #expect(errors.map { $0.object["id"] as? Int } == [1, nil, nil] && errors[1]["id"] == "b")
    }
}
