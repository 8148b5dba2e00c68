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

    @Option(help: .init("Look at the store in this folder too.", valueName: "path"))
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
        func write(_ diagnostics: [Diagnostic]) throws {
            for diagnostic in diagnostics {
                try diagnostic.write(to: output)
                if diagnostic.state.isBad, !bad.contains(diagnostic.check) { bad.append(diagnostic.check) }
            }
        }
        // Each is written as soon as it is known: some take seconds.
        try write([doctor.bus()])
        let server = await doctor.server()
        try write(server)
        try write([doctor.sandbox()])
        let portal = await doctor.portal()
        try write([portal, doctor.choice(server: server[0], portal: portal)])
        try write(await doctor.plugins())
        try write([doctor.timer(), doctor.clock(), doctor.zone(), doctor.zoneData()])
        try write(await doctor.agent())
        try write(await doctor.apps())
        try write(doctor.errors())
        if let store { try write([await doctor.store(in: store)]) }
        try write(doctor.damage(store: store))
        try write([await doctor.location()])
        try write([await doctor.receiver()])
        guard !bad.isEmpty else { return }
        throw NoticeError(
            .incomplete,
            "Not everything works: \(bad.joined(separator: ", ")). Each line above says what to do."
        )
    }
}

extension NoticeError.Code {
    /// Something that is needed is missing or damaged; permanent until it is mended.
    static let incomplete = Self(rawValue: "incomplete")
}
