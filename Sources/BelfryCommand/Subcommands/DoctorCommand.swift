#if CommandLine
import ArgumentParser
import Belfry
import BelfrySchedules

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Report what this desktop can do, and what is missing.",
        discussion: """
            Each line is a check, its state, and what was found. The states are 'ok'; 'missing': needed but not there; \
            'damaged'; 'warning': something went wrong earlier; '-': not there, and not needed. The exit status is 1 \
            if anything is missing or damaged.
            """
    )

    @Option(help: .init("Also check the store in this directory.", valueName: "path"), completion: .directory)
    var store: String?

    @Option(
        help: .init("Report all that a desktop finds of this app; repeatable.", valueName: "id"),
        completion: .appIDs
    )
    var app: [String] = []

    @Flag(help: "Acknowledge the damage to stores and the agent's errors, so that they are no longer reported.")
    var acknowledge = false

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        if store?.isEmpty == true { throw ValidationError("--store is empty: name a directory.") }
    }

    func run() async throws {
        let doctor = Doctor()
        let output = output.writer
        let store = store.map { PathText.path($0) }
        if acknowledge { doctor.acknowledge(store: store) }
        var bad: [String] = []
        func write(_ diagnostics: [Diagnostic], about article: Article) throws {
            // A check that the interruption canceled has found nothing out.
            try Task.checkCancellation()
            for diagnostic in diagnostics {
                try diagnostic.write(to: output, about: article)
                if diagnostic.state.isBad, !bad.contains(diagnostic.check) { bad.append(diagnostic.check) }
            }
        }
        // Each result is written as soon as it is known: some take seconds.
        let bus = await doctor.bus()
        try write([bus], about: .desktops)
        let hasBus = bus.state == .ok
        let server = await doctor.server(hasBus: hasBus)
        try write(server, about: .desktops)
        try write([doctor.sandbox()], about: .desktops)
        let portal = await doctor.portal(hasBus: hasBus)
        let terminal = await doctor.terminal()
        let choice = doctor.choice(server: server[0], portal: portal, terminal: terminal)
        try write([portal, terminal, choice], about: .backends)
        try write(await doctor.plugins(), about: .backends)
        try write([doctor.timer(), doctor.clock(), doctor.zone(), doctor.zoneData()], about: .dates)
        let (agent, status) = await doctor.agent(hasBus: hasBus)
        try write(agent, about: .agent)
        try write(doctor.apps(status), about: .agent)
        try write(doctor.identities(naming: app, status), about: .identity)
        try write(doctor.errors(), about: .agent)
        if let store { try write([await doctor.store(in: store)], about: .store) }
        try write(doctor.damage(store: store), about: .store)
        try write([await doctor.location(), await doctor.receiver()], about: .regions)
        guard !bad.isEmpty else { return }
        throw NoticeError(
            .incomplete,
            "Not everything works: \(bad.joined(separator: ", ")). Each line above says what to do."
        )
    }
}

extension NoticeError.Code {
    /// A required part is missing or damaged; permanent until repaired.
    static let incomplete = Self(rawValue: "incomplete")
}
#endif
