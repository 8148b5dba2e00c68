import BelfryTestSupport
import Testing

@Suite("What bash offers after TAB", .takesTurns, .timeLimit(.minutes(5)))
struct CompletionTests {
    /// Offers for the last of the words, by the script that `belfry` prints.
    private func offers(_ words: String...) async throws -> Set<String> {
        let script = """
            . <(belfry --generate-completion-script bash)
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMP_TYPE=9
            _belfry "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        var environment = BuiltProgram.environment
        environment["PATH"] = BuildFolder.path + ":/usr/bin:/bin"
        let outcome = try await BuiltProgram.run(
            "/bin/bash",
            ["-c", script, "bash", "belfry"] + words,
            [],
            environment,
            30
        )
        #expect(outcome.errors == "")
        return Set(outcome.lines)
    }

    @Test("requests of the store that the command names; none where there is no agent, and no store is made")
    func requests() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        #expect(try await offers("remove", "--store", store, "").isEmpty)
        for id in ["tea", "mail"] {
            let arguments = ["add", "Title", "--id", id, "--in", "1h", "--store", store, "--no-wait"]
            #expect(try await BuiltProgram.run(arguments).status == 0)
        }
        #expect(try await offers("remove", "--store", store, "") == ["tea", "mail"])
        #expect(try await offers("remove", "--store", store, "t") == ["tea"])
        #expect(try await offers("remove", "--store=\(store)", "") == ["tea", "mail"])
        #expect(try await offers("remove", "--store", "=", store, "") == ["tea", "mail"], "as bash splits it")
        #expect(try await offers("history", "--store", store, "--id", "").isEmpty, "nothing has become of them yet")
        #expect(try await BuiltProgram.run(["remove", "tea", "--store", store]).status == 0)
        #expect(try await offers("history", "--store", store, "--id", "") == ["tea"])
        #expect(try await offers("remove", "").isEmpty)
    }

    @Test("no word of fish's script is a wildcard, which would be an error at each TAB")
    func fish() async throws {
        let script = try await BuiltProgram.run(["--generate-completion-script", "fish"])
        #expect(script.output.contains("complete -c 'belfry'"))
        #expect(!script.output.contains(" ? "))
    }

    @Test("values by the names that the option reads")
    func values() async throws {
        #expect(try await offers("next", "--missing-date", "") == ["nextDay", "lastDayOfMonth", "skip"])
        #expect(try await offers("add", "--edge", "e") == ["entry", "exit"])
        #expect(try await offers("send", "--backend", "d") == ["dbus"])
        #expect(try await offers("add", "--zone", "Europe/Berl") == ["Europe/Berlin"])
    }
}
