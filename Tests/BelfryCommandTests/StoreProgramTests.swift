import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("Requests kept in a store by the program", .takesTurns)
struct StoreProgramTests {
    private func program(_ arguments: [String], _ store: String) async throws -> BuiltProgram.Outcome {
        try await BuiltProgram.run(arguments + ["--store", store])
    }

    private func fields(_ outcome: BuiltProgram.Outcome) throws -> [JSONLine] {
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try outcome.lines.map { try #require(JSONLine($0), "\($0)") }
    }

    @Test("What add keeps, list names, remove removes, and history tells of") func keeps() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        for (id, rest) in [
            ("later", ["--in", "2h"]), ("tea", ["--in", "1h"]), ("beat", ["--every", "90m"]),
        ] {
            let added = try await program(["add", "Notice \(id)", "--id", id, "--no-wait", "--json"] + rest, store)
            #expect(try fields(added).first?["id"] == id)
        }
        let mail = [
            "series", "Mail", "--id", "mail", "--every", "3h", "--times", "2", "--at", "2100-01-01", "--no-wait",
        ]
        #expect(try await program(mail, store).status == 0)
        let listed = try fields(try await program(["list", "--json"], store))
        #expect(listed.prefix(3).map { $0["id"] } == ["tea", "beat", "later"])
        #expect(listed.count == 4, "a series is one line")
        #expect(
            listed[3]["id"] == "mail" && listed[3].object["pending"] as? Int == 2
                && listed[3].object["total"] as? Int == 2
        )
        #expect(try fields(try await program(["list", "--json", "--elements"], store)).count == 5)
        #expect(listed[0]["title"] == "Notice tea" && listed[0]["trigger", "kind"] == "interval")
        #expect(listed[0]["next"]?.hasSuffix("+00:00") == true)
        #expect(listed[3]["thread"] == "mail")
        let text = try await program(["list"], store)
        #expect(text.output.contains("tea: Notice tea") && text.output.contains("in "), "\(text.output)")
        #expect(text.output.contains("beat: Notice beat (every 90 minutes)\n"), "\(text.output)")
        #expect(text.output.contains("tea: Notice tea\n"), "what fires once has its date")
        #expect(listed[1]["sentence"] == "every 90 minutes" && listed[0]["sentence"] == "once, after 1 hour")

        let removed = try await program(["remove", "tea", "mail", "--json"], store)
        #expect(try fields(removed).count == 3)
        let unknown = try await program(["remove", "beat", "nobody", "--json"], store)
        #expect(unknown.status == 1)
        #expect(unknown.lines.count == 1)
        let message = JSONLine(unknown.errors)?["error", "message"] ?? ""
        #expect(message.contains("'nobody'; 'belfry list --store \(store)' names what there is"), "\(message)")
        #expect(try fields(try await program(["list", "--json"], store)).map { $0["id"] } == ["later"])
        #expect(try await program(["remove"], store).status == 64)
        #expect(try await program(["remove", "--all"], store).output == "removed later\n")

        let history = try fields(try await program(["history", "--json"], store))
        #expect(history.map { $0["outcome"] } == Array(repeating: "removed", count: 5))
        let some = try fields(
            try await program(["history", "--json", "--thread", "mail", "--limit", "1", "--newest-first"], store)
        )
        #expect(some.count == 1 && some.first?["thread"] == "mail")
        #expect(try await program(["history", "--outcome", "delivered"], store).output == "")
        #expect(try await program(["history", "--outcome", "lost"], store).status == 64)
        #expect(try await program(["history", "--until", "2000-01-01"], store).output == "")
        #expect(try await program(["history", "--from", "2000-01-01"], store).output.contains("removed"))
    }

    @Test("Adding under an identifier that is pending says what it replaces") func replaces() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        let first = try await program(["add", "A", "--id", "e", "--every", "1h", "--no-wait"], store)
        #expect(first.output.contains("added 'e'") && !first.output.contains("replaced"))
        let second = try await program(["add", "A2", "--id", "e", "--in", "2h", "--no-wait"], store)
        #expect(second.output.contains("replaced 'e', which was 'A', every hour, next on "), "\(second.output)")
        let third = try fields(try await program(["add", "A3", "--id", "e", "--no-wait", "--json"], store))
        #expect(third.first?["change"] == "replaced" && third.first?["replaced", "title"] == "A2")
        let mail = ["series", "Mail", "--id", "mail", "--every", "3h", "--times", "4", "--no-wait", "--json"]
        #expect(try fields(try await program(mail + ["--at", "2100-01-01"], store)).first?["change"] == "added")
        let more = try fields(try await program(mail + ["--at", "2101-01-01"], store)).first
        #expect(more?["change"] == "added", "the series goes on beside them")
        let again = try fields(try await program(mail + ["--at", "2100-01-01"], store)).first
        #expect(again?["change"] == "replaced" && again?["replaced", "next"]?.hasPrefix("2100-01-01") == true)
    }

    @Test(
        "Commands that only read create no store",
        arguments: [
            ["list"], ["history"], ["remove", "--all"], ["preview"],
        ]
    )
    func readers(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let outcome = try await program(arguments + ["--json"], folder.path("store"))
        #expect(outcome.status == 0 && outcome.output == "", "\(outcome.errors)")
        #expect(try await program(["remove", "a"], folder.path("store")).status == 1)
        #expect(try await program(["quiet-hours"], folder.path("store")).status == 0)
        #expect(try folder.names() == [])
        #expect(try await program(["quiet-hours", "22:00..07:00"], folder.path("store")).status == 0)
        #expect(try await program(["quiet-hours"], folder.path("store")).output.contains("22:00..07:00"))
    }

    @Test("A later run shows what was kept and missed; add waits for its own alone") func shows() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        #expect(try await program(["add", "Tea", "--id", "tea", "--in", "1ms", "--no-wait"], store).status == 0)
        #expect(try await program(["add", "Far", "--id", "far", "--in", "5h", "--no-wait"], store).status == 0)
        // Over another one's store: what is late comes, and this one's ends the command.
        let own = ["add", "Own", "--id", "own", "--in", "100ms", "--backend", "console", "--json"]
        let outcome = try await program(own, store)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let shown = outcome.lines.compactMap { JSONLine($0)?["title"] }
        #expect(Set(shown).isSuperset(of: ["Tea", "Own"]), "\(outcome.output)")
        let lines = try fields(try await program(["history", "--json", "--outcome", "delivered"], store))
        #expect(Set(lines.compactMap { $0["id"] }) == ["tea", "own"])
        // In seconds, to the millisecond, as everywhere else.
        for line in lines {
            let late = try #require(line.object["late"] as? Double)
            #expect(late == (late * 1000).rounded() / 1000)
        }
        #expect(try fields(try await program(["list", "--json"], store)).map { $0["id"] } == ["far"])
    }

    @Test("The history has the code of an error, for scripts") func errorCode() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        // There is no terminal that could show it.
        let add = ["add", "Tea", "--id", "tea", "--backend", "terminal"]
        #expect(try await program(add, store).status == 1)
        let history = try fields(try await program(["history", "--json"], store))
        #expect(history.map { $0["outcome"] } == ["failed"] && history.map { $0["code"] } == ["unsupported"])
    }

    @Test("Without a store they ask the agent, and say that there is no bus to it; a store in use names its owner")
    func refusals()
        async throws
    {
        for command in [["list"], ["remove", "--all"], ["history"]] {
            let outcome = try await BuiltProgram.run(command)
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("There is no session bus"), "\(outcome.errors)")
        }
        #expect(try await BuiltProgram.run(["add", "a", "--id", "a", "--no-wait"]).status == 64)
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        let owner = try RunningProgram(["run", "--backend", "console", "--store", store])
        #expect(await owner.line()?.hasPrefix("running over console") == true)
        let refused = try await program(["list", "--json"], store)
        #expect(refused.status == 1)
        #expect(JSONLine(refused.errors)?["error", "code"] == "storeInUse", "\(refused.errors)")
        #expect(refused.errors.contains("('belfry')"), "\(refused.errors)")
        #expect(refused.errors.contains("or use another store."), "\(refused.errors)")
        owner.signal(SIGINT)
        #expect(await owner.end().status == 130)
    }
}
