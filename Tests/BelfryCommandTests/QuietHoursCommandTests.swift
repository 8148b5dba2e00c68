import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("Series, snooze and quiet hours on the command line", .takesTurns)
struct QuietHoursCommandTests {
    @Test("Weekdays are read as systemd writes them") func weekdays() throws {
        #expect(try WeekdayText.parse("Mon..Fri") == [.monday, .tuesday, .wednesday, .thursday, .friday])
        #expect(try WeekdayText.parse("sat, Sunday") == [.sunday, .saturday])
        #expect(try WeekdayText.parse("fri..mon") == [.friday, .saturday, .sunday, .monday])
        for bad in ["", "Mon..", "Mo", "Mon-Fri", "1"] {
            #expect(throws: NoticeError.self) { try WeekdayText.parse(bad) }
        }
    }

    @Test("An escalation names a firing, a level, and maybe a title") func escalation() throws {
        #expect(
            try EscalationOptions.step("3=timeSensitive") == NoticeSeries.EscalationStep(from: 3, level: .timeSensitive)
        )
        #expect(
            try EscalationOptions.step("5=critical:Still: unread")
                == NoticeSeries.EscalationStep(from: 5, level: .critical, title: "Still: unread")
        )
        #expect(try EscalationOptions.step("2=:Again") == NoticeSeries.EscalationStep(from: 2, title: "Again"))
        for bad in ["", "3", "0=critical", "x=critical", "3=loud", "3=", "3=:"] {
            #expect(throws: NoticeError.self) { try EscalationOptions.step(bad) }
        }
    }

    @Test("What waits for the end of quiet hours is listed with its reason, and its removal is told")
    func deferred() async throws {
        let folder = try TemporaryFolder()
        let kept = ["--store", folder.path + "/store"]
        #expect(try await BuiltProgram.run(["quiet-hours", "00:00..23:59"] + kept).status == 0)
        #expect(try await BuiltProgram.run(["add", "QH", "--id", "qh", "--in", "1ms", "--no-wait"] + kept).status == 0)
        let runner = try RunningProgram(["run", "--backend", "console", "--json"] + kept)
        // The second line tells that it is held back: it is stored then.
        _ = await runner.line()
        #expect(await runner.line().flatMap(JSONLine.init)?["outcome"] == "retrying")
        runner.signal(SIGTERM)
        #expect(await runner.end().status == 130)
        let listed = try await BuiltProgram.run(["list", "--json"] + kept)
        let line = try #require(JSONLine(listed.output), "\(listed.errors)")
        #expect(line["id"] == "qh" && line["state"] == "deferred" && line["reason"] == "quiet hours")
        #expect(line["until"]?.contains("T23:59:00") == true && line["next"] == line["until"])
        #expect(try await BuiltProgram.run(["list"] + kept).output.contains("qh: QH (deferred: quiet hours)"))
        let removed = try await BuiltProgram.run(["remove", "qh"] + kept)
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(removed.output == "removed qh (deferred: quiet hours)\n")
        #expect(try await BuiltProgram.run(["remove", "qh"] + kept).status == 1)
    }

    @Test("Quiet hours are set, told and turned off, in a store") func quietHours() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        func run(_ arguments: String...) async throws -> BuiltProgram.Outcome {
            try await BuiltProgram.run(["quiet-hours"] + arguments + ["--store", store])
        }
        #expect(try await run("off").output == "no quiet hours\n")
        #expect(try await run().output == "no quiet hours\n")
        let set = try await run("22:00..07:00", "12:30..13:30", "--on", "Mon..Fri")
        #expect(set.status == 0, "\(set.errors)")
        #expect(set.output.contains("22:00..07:00 on Mon, Tue, Wed, Thu, Fri: notices wait"))
        let told = try await run("--json")
        let line = try #require(JSONLine(told.output))
        #expect((line.object["quietHours"] as? [Any])?.count == 2 && line["behavior"] == "wait")
        #expect(try await run("00:00..24:00", "--quietly").output == "00:00..00:00: notices come quietly\n")
        #expect(try await run("off").output == "no quiet hours\n")
        for bad in [["22:00"], ["25:00..07:00"], ["22:00..07:00", "--on", "someday"], ["off", "--quietly"]] {
            let outcome = try await BuiltProgram.run(["quiet-hours"] + bad + ["--store", store])
            #expect(outcome.status == 64 && outcome.lines.isEmpty, "\(bad)")
        }
    }

    @Test("A series that escalates is one line; its elements, its removal and what became of it are told") func series()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        func run(_ arguments: String...) async throws -> BuiltProgram.Outcome {
            try await BuiltProgram.run(arguments + ["--store", store])
        }
        let added = try await run(
            "series",
            "Mail",
            "--id",
            "mail",
            "--every",
            "5m",
            "--times",
            "4",
            "--at",
            "2100-01-01",
            "--escalate",
            "3=critical:Still unread",
            "--snooze",
            "--no-wait"
        )
        #expect(added.status == 0, "\(added.errors)")
        let listed = try await run("list")
        #expect(listed.lines.count == 1 && listed.output.contains("mail: Mail (4 left of 4)"), "\(listed.output)")
        let elements = try await run("list", "--elements")
        #expect(elements.lines.count == 4 && elements.lines[2].contains("Still unread"), "\(elements.output)")
        #expect(try await run("remove", "mail").lines.count == 4)
        #expect(try await run("history", "--thread", "mail").lines.count == 4)
    }
}
