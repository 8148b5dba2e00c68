import BelfryTestSupport
import Foundation
import Testing

/// Each test has a private desktop of its own, since others stop and start the server of the one that they share.
@Suite(
    "belfry on a desktop, against dunst",
    .takesTurns,
    .enabled(
        if: PrivateDesktop.isThere,
        "no private desktop: run the tests with make test, or in .ci/desktop"
    )
)
struct DesktopProgramTests {
    @Test("send does what notify-send does: numbers, replacing, answers, waiting")
    func send() async throws {
        let outcome = try await PrivateDesktop.run(
            #"""
            set -e
            first=$($belfry send -p -t 0 'Copying' --progress 10%)
            second=$($belfry send -p -r "$first" -t 0 'Copying' --progress 60%)
            echo "replaced $((first == second))"
            pick --wait 20 --title 'Restart?' no >&2 &
            echo "answer $($belfry send 'Restart?' -t 0 -A yes=Yes -A no='Not now')"
            wait
            pick --wait 20 --title 'Number' 1 >&2 &
            echo "answer $($belfry send 'Number' -t 0 -A First -A Second)"
            wait
            $belfry send 'Short' -w -t 200
            echo "waited $?"
            shown | sort | uniq -c | sed 's/^ *//' >&2
            """#
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines == ["replaced 1", "answer no", "answer 1", "waited 0"], "\(outcome.errors)")
    }

    @Test("done shows what has become of a command")
    func done() async throws {
        let outcome = try await PrivateDesktop.run(
            #"""
            $belfry done --title 'Job' -- sh -c 'exit 4'
            echo "status $?"
            shown
            """#
        )
        #expect(outcome.lines.first == "status 4", "\(outcome.errors)")
        #expect(outcome.lines.contains { $0.contains("Job") }, "\(outcome.output)")
    }

    @Test("A series ends with the answer to one of its elements")
    func series() async throws {
        let outcome = try await PrivateDesktop.run(
            #"""
            $belfry series 'Message' --id mail --every 1s --times 30 -A read=Read --backend dbus --json >"$BELFRY_TEST_DESKTOP_STATE/answers" &
            pick --wait 20 --title 'Message' read >&2
            wait $! && grep -c '"outcome":"answered"' "$BELFRY_TEST_DESKTOP_STATE/answers"
            """#
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines == ["1"], "\(outcome.errors)")
    }

    @Test("The doctor names the server")
    func doctor() async throws {
        let outcome = try await PrivateDesktop.run("$belfry doctor --json")
        let server = try #require(outcome.lines.compactMap(JSONLine.init).first { $0["check"] == "server" })
        #expect(server["state"] == "ok")
        #expect(server["server"]?.contains("dunst") == true)
    }
}
