import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("belfry done, as a program", .takesTurns, .timeLimit(.minutes(5)))
struct DoneProgramTests {
    private func done(_ arguments: String..., input: String = "") async throws -> BuiltProgram.Outcome {
        try await BuiltProgram.run(["done", "--backend", "console", "--json"] + arguments, input: input)
    }

    @Test(
        "The status is the command's, and the notice says how it ended",
        arguments: [
            ("exit 0", 0, 0, "Done after "), ("exit 3", 3, 3, "Failed with status 3 after "),
            ("kill -KILL $$", 137, 137, "Ended by signal 9 (Killed) after "),
        ] as [(String, Int32, Int, String)]
    )
    func endings(script: String, status: Int32, told: Int, sentence: String) async throws {
        let outcome = try await done("--title", "Job", "--", "sh", "-c", script)
        #expect(outcome.status == status)
        let notice = try #require(JSONLine(outcome.output), "\(outcome.errors)")
        #expect(notice["title"] == "Job")
        #expect(notice["body"]?.hasPrefix(sentence) == true)
        #expect(notice.object["status"] as? Int == told)
        let seconds = try #require(notice.object["seconds"] as? Double)
        #expect(seconds >= 0 && seconds == (seconds * 1_000).rounded() / 1_000, "to the millisecond")
    }

    @Test("The command reads and writes what belfry was given; its own line is the title")
    func streams() async throws {
        let outcome = try await done("--", "sh", "-c", "cat; echo bad >&2", input: "good\n")
        #expect(outcome.lines.first == "good")
        #expect(outcome.errors == "bad\n")
        #expect(JSONLine(outcome.lines.last ?? "")?["title"] == "sh -c cat; echo bad >&2")
    }

    @Test("A command that can't be started is named, and nothing is shown")
    func missing() async throws {
        let outcome = try await done("--", "/nowhere/program")
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(JSONLine(outcome.errors)?["error", "message"]?.contains("/nowhere/program") == true)
    }

    @Test(
        "What can't be shown is said before the command begins",
        arguments: [["--progress", "150%"], ["--image", "/nowhere/picture.png"]]
    )
    func impossible(arguments: [String]) async throws {
        let outcome = try await BuiltProgram.run(["done", "--json"] + arguments + ["--", "echo", "begun"])
        #expect(outcome.status != 0)
        #expect(outcome.output == "")
        #expect(JSONLine(outcome.errors)?["error", "code"] != nil, "\(outcome.errors)")
    }

    @Test(
        "What was typed wrong is said before the command begins",
        arguments: [
            ([], "done takes"), (["--pid", "1", "--", "true"], "done takes"), (["--pid", "0"], "0"),
            (["-A", "yes=Yes", "--", "echo", "begun"], "--action"),
            (["--snooze", "--", "echo", "begun"], "--snooze"),
            (["-u", "loud", "--", "echo", "begun"], "loud"),
            (["--backend", "pigeon", "--", "echo", "begun"], "pigeon"),
        ] as [([String], String)]
    )
    func wrong(arguments: [String], mention: String) async throws {
        let outcome = try await BuiltProgram.run(["done", "--json"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(JSONLine(outcome.errors)?["error", "message"]?.contains(mention) == true, "\(outcome.errors)")
    }

    @Test("Where the notice can't be shown, the error is told and the status is the command's all the same")
    func noDesktop() async throws {
        let outcome = try await BuiltProgram.run(["done", "--backend", "dbus", "--json", "--", "sh", "-c", "exit 5"])
        #expect(outcome.status == 5)
        #expect(JSONLine(outcome.errors)?["error", "code"] == "noBus")
    }

    @Test("Where nobody reads the output any more, the status is the command's all the same")
    func unread() async throws {
        let program = try RunningProgram([
            "done", "--backend", "console", "--json", "--", "sh", "-c", "read line; exit 5",
        ])
        try program.closeOutput()
        try program.closeInput()
        #expect(await program.end().status == 5)
    }

    @Test("Ctrl-C is for the command, which may go on; ended by it, no notice follows")
    func interrupted() async throws {
        let program = try RunningProgram(["done", "--backend", "console", "--", "cat"])
        try program.write("begun\n")
        #expect(await program.line() == "begun")
        program.signal(SIGINT)
        try program.write("still there\n")
        #expect(await program.line() == "still there")
        try program.closeInput()
        #expect(await program.line()?.contains("cat") == true)
        let end = await program.end()
        #expect(end == (0, ""), "\(end)")
        // Whatever the shell that runs the tests has ignored.
        let ended = try await BuiltProgram.run(
            "/usr/bin/env",
            ["--default-signal=INT", BuiltProgram.path, "done", "--backend", "console", "--"]
                + ["sh", "-c", "kill -INT $$"],
            [],
            BuiltProgram.environment,
            30
        )
        #expect(ended.status == 130)
        #expect(ended.output == "")
    }

    @Test("A Ctrl-C that it ignores is not kept for later, also if its parent has blocked the signal")
    func blocked() async throws {
        var interrupt = sigset_t()
        var earlier = sigset_t()
        sigemptyset(&interrupt)
        sigaddset(&interrupt, SIGINT)
        pthread_sigmask(SIG_BLOCK, &interrupt, &earlier)
        let program = Result { try RunningProgram(["done", "--backend", "console", "--", "cat"]) }
        pthread_sigmask(SIG_SETMASK, &earlier, nil)
        try program.get().write("begun\n")
        #expect(try await program.get().line() == "begun")
        let status = try String(contentsOfFile: "/proc/\(program.get().number)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") })
        let mask = try #require(UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16))
        #expect(mask & 1 << (SIGINT - 1) == 0)
        try program.get().closeInput()
        #expect(try await program.get().end().status == 0)
    }

    @Test("Told to end, it ends the command first")
    func terminated() async throws {
        let program = try RunningProgram([
            "done", "--backend", "console", "--", "sh", "-c",
            "trap 'echo bye; exit' TERM; echo begun; while :; do read line || sleep 0.01; done",
        ])
        #expect(await program.line() == "begun")
        program.signal(SIGTERM)
        #expect(await program.line() == "bye")
        #expect(await program.end() == (130, ""))
    }

    @Test("What nohup has ignored is ignored by the command too")
    func nohup() async throws {
        let outcome = try await BuiltProgram.run(
            "/bin/sh",
            [
                "-c",
                "trap '' HUP; exec '\(BuiltProgram.path)' done --backend console -- sh -c 'kill -HUP $$; echo there'",
            ],
            [],
            BuiltProgram.environment,
            30
        )
        #expect(outcome.lines.first == "there")
        #expect(outcome.status == 0)
    }

    @Test(
        "What a shell without job control has ignored for its background is ignored by the command too",
        arguments: ["INT", "QUIT"]
    )
    func background(signal: String) async throws {
        let script =
            "trap '' \(signal); exec \"$0\" done --backend console -- sh -c 'kill -\(signal) $$; echo there'"
        let outcome = try await BuiltProgram.run(
            "/bin/sh",
            ["-c", script, BuiltProgram.path],
            [],
            BuiltProgram.environment,
            30
        )
        #expect(outcome.lines.first == "there")
        #expect(outcome.status == 0)
    }

    @Test("The command's arguments and environment keep their bytes, also those that are not UTF-8")
    func foreignBytes() async throws {
        let script = #"""
            word=$(printf '\351') VARIABLE=$(printf '\377')
            export VARIABLE
            exec "$0" done --backend console -- sh -c 'printf %s "$1" "$VARIABLE" | od -An -tx1' sh "$word"
            """#
        let outcome = try await BuiltProgram.run(
            "/bin/sh",
            ["-c", script, BuiltProgram.path],
            [],
            BuiltProgram.environment,
            30
        )
        #expect(outcome.lines.first == " e9 ff")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("A status is known although belfry's parent ignores the ends of its children")
    func ignoredEnds() async throws {
        let outcome = try await BuiltProgram.run(
            "/usr/bin/env",
            ["--ignore-signal=CHLD", BuiltProgram.path, "done", "--backend", "console", "--", "sh", "-c", "exit 3"],
            [],
            BuiltProgram.environment,
            30
        )
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("Failed with status 3 after "))
    }

    @Test("A process that runs already is waited for; how it ended is its parent's to know")
    func foreign() async throws {
        let process = try RunningProgram(["-u"], of: "/bin/cat")
        let waiter = try RunningProgram(
            ["-c", "exec '\(BuiltProgram.path)' done --backend console --pid \(process.number) 2>&1"],
            of: "/bin/sh"
        )
        #expect(await waiter.line() == "belfry: waiting for the end of '/bin/cat -u', Ctrl-C to stop")
        try process.closeInput()
        #expect(await process.end() == (0, ""))
        #expect(await waiter.line()?.contains("/bin/cat -u") == true)
        #expect(await waiter.line()?.contains("Ended after ") == true)
        #expect(await waiter.end() == (0, ""))
        // More than the kernel gives.
        let gone = try await BuiltProgram.run(["done", "--json", "--pid", "2147483647"])
        #expect(gone.status == 1)
        #expect(JSONLine(gone.errors)?["error", "message"]?.contains("no process 2147483647") == true)
    }

    @Test(
        "A time has two units at most",
        arguments: [
            (.zero, "0.0 s"), (.milliseconds(2_420), "2.4 s"), (.milliseconds(9_960), "10 s"), (.seconds(59), "59 s"),
            (.seconds(60), "1 min"), (.seconds(243), "4 min 3 s"), (.seconds(3_600), "1 h"),
            (.seconds(3_905), "1 h 5 min"), (.seconds(183_600), "2 d 3 h"), (.seconds(-5), "0.0 s"),
        ] as [(Duration, String)]
    )
    func times(duration: Duration, text: String) { #expect(duration.readable == text) }
}
