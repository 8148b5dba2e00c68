import BelfryTestSupport
import ConformanceStage
import Foundation
import Testing

/// The servers that Debian ships, each on a screen and a bus of its own.
@Suite(
    "Real servers",
    .takesTurns,
    .enabled(if: Desktop.isThere, Comment(rawValue: Desktop.reason))
)
struct ServerTests {
    static let servers = [
        "dunst", "notification-daemon", "xfce4-notifyd", "mate-notification-daemon", "lxqt-notificationd",
    ]

    /// `.ci/setup servers` installs those that the release of Debian has, and names the others.
    private func requireInstalled(_ server: String) async throws {
        let look = #"cd "$0"; . ./system-program.sh; . "./servers/$1"; [ ! -x "$PROGRAM" ] || echo installed"#
        let found = try await Desktop.run("/bin/bash", ["-c", look, "\(BackendProgram.root)/Tests/Desktop", server])
        guard found.isEmpty else { return }
        try Test.cancel("\(server) is not installed: run .ci/setup servers; not every release of Debian has it")
    }

    @Test("D-Bus obeys every rule on it", arguments: servers)
    func conforms(_ server: String) async throws {
        try await requireInstalled(server)
        let report = try await BackendProgram(program: "ConformanceRunner", server: server).run("dbus", "conform")
        #expect(report.contains("passed   A response names the delivery and the action, once"))
        #expect(report.contains("passed   A server that goes and comes is reported"))
    }

    @Test("It does what docs/servers says of it", arguments: servers)
    func tour(_ server: String) async throws {
        try await requireInstalled(server)
        let recorded = try RecordedTour.all(of: server).map(\.facts)
        // Some servers of two releases call themselves the same.
        let facts = try await tour(of: server, through: "dbus") { facts in
            recorded.contains(facts) || !recorded.contains { $0.identity == facts.identity }
        }
        try ServerTour.remember(facts)
        // Another version may do otherwise: then the page wants renewing, and that is no failure of Belfry.
        guard
            let expected = recorded.first(where: { $0 == facts })
                ?? recorded.first(where: { $0.identity == facts.identity })
        else {
            print("\(facts.identity) is not in docs/servers: 'make record-desktops' takes it in")
            return
        }
        for fact in expected.facts { #expect(facts[fact.what] == fact.found, "\(server): \(fact.what)") }
        #expect(facts.facts.count == expected.facts.count)
    }

    @Test("libnotify shows, answers, replaces and withdraws on dunst as D-Bus does")
    func libnotify() async throws {
        let recorded = try RecordedTour.all(of: "dunst").map(\.facts)
        let same = [
            "title and body", "bold text", "tags in plain text", "image of pixels", "button", "click on the popup",
            "closed by hand", "replacing", "withdrawing", "time limit of 0.7 s",
        ]
        // A version that is not recorded is held against the newest that is.
        func expected(_ facts: TourFacts) throws -> TourFacts {
            try #require(recorded.first { $0.identity == facts.identity } ?? recorded.last)
        }
        let facts = try await tour(of: "dunst", through: "libnotify") { facts in
            guard let expected = try? expected(facts) else { return false }
            return same.allSatisfy { facts[$0] == expected[$0] }
        }
        let recordedFacts = try expected(facts)
        for what in same { #expect(facts[what] == recordedFacts[what], "\(what)") }
    }

    @Test("libnotify from its file obeys every rule on dunst")
    func loaded() async throws {
        let file = try await BuiltPlugin.make("libbelfry-libnotify", in: BuiltPlugin.folder())
        try await BackendProgram(program: "PluginRunner", server: "dunst").run(file, "conform")
    }

    @Test("The page says what was recorded")
    func page() throws {
        let page = try String(contentsOfFile: "\(BackendProgram.root)/docs/servers/README.md", encoding: .utf8)
        let table = try ServerTable.markdown()
        #expect(
            page.contains(table),
            "docs/servers/README.md is older than the files beside it: 'make servers' renews it"
        )
    }

    /// A tour, and another one where the first is not as expected: a server that is short of processor time draws too
    /// late for it, and some crash now and then. What a server does it does the second time too.
    private func tour(
        of server: String,
        through backend: String,
        expecting isExpected: (TourFacts) -> Bool
    ) async throws -> TourFacts {
        do {
            let facts = try await tour(of: server, through: backend)
            if isExpected(facts) { return facts }
            print("another tour, since this one is not as expected: \(facts.text)")
        } catch {
            print("another tour, since this one came to no end: \(error)")
        }
        return try await tour(of: server, through: backend)
    }

    private func tour(of server: String, through backend: String) async throws -> TourFacts {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "belfry-tour-\(UUID().uuidString).json"
        )
        defer { try? FileManager.default.removeItem(at: file) }
        try await BackendProgram(program: "ConformanceRunner", server: server).run(backend, "tour", file.path)
        return try TourFacts(reading: file)
    }
}
