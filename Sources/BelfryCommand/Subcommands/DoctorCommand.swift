import ArgumentParser
import Belfry
import BelfrySchedules

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tell what this desktop can do, and what to do about what is missing.",
        discussion: """
            Each line is a check, its state, and what was found. The states: 'ok'; 'missing': needed and not there; 'damaged'; \
            'warning': it has gone wrong and is over; '-': not there, and not needed. The exit status is 1 where anything is \
            missing or damaged.
            """
    )

    @Option(help: ArgumentHelp("Look at the store in this folder too.", valueName: "path"))
    var store: String?

    @Flag(help: "Forget damage to stores and the agent's errors: they have been seen.")
    var acknowledge = false

    @OptionGroup
    var speech: OutputOptions

    func run() async throws {
        let doctor = Doctor()
        let output = speech.output
        let store = store.map { PathText.path($0) }
        if acknowledge { doctor.acknowledge(store: store) }
        var bad: [String] = []
        func tell(_ findings: [DoctorFinding]) throws {
            for finding in findings {
                try finding.write(to: output)
                if finding.state.isBad, !bad.contains(finding.check) { bad.append(finding.check) }
            }
        }
        try tell([doctor.bus()])
        let server = await doctor.server()
        try tell(server)
        try tell([doctor.sandbox()])
        let portal = await doctor.portal()
        try tell([portal])
        try tell([doctor.choice(server: server[0], portal: portal)])
        try tell(await doctor.plugins())
        try tell([doctor.timer(), doctor.clock(), doctor.zone(), doctor.zoneData()])
        try tell(await doctor.agent())
        try tell(await doctor.apps())
        try tell(doctor.errors())
        if let store { try tell([await doctor.store(in: store)]) }
        try tell(doctor.damage(store: store))
        try tell([await doctor.location()])
        try tell([await doctor.receiver()])
        guard !bad.isEmpty else { return }
        throw CommandFailure(
            .incomplete,
            "Not everything works: \(bad.joined(separator: ", ")). Each line above says what to do."
        )
    }
}

extension NoticeError.Code {
    /// Something that is needed is missing or damaged; permanent until it is mended.
    static let incomplete = Self(rawValue: "incomplete")
}
