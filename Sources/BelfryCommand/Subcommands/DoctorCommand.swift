import ArgumentParser

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tell what this desktop can do, and what to do about what is missing.",
        discussion: "Each line is a check, 'ok' or 'missing' ('-': not there, and not needed), and what was found."
    )

    @OptionGroup
    var speech: OutputOptions

    func run() async throws {
        let doctor = Doctor()
        let output = speech.output
        try doctor.bus().write(to: output)
        let server = await doctor.server()
        for finding in server { try finding.write(to: output) }
        try doctor.sandbox().write(to: output)
        let portal = await doctor.portal()
        try portal.write(to: output)
        try doctor.choice(server: server[0], portal: portal).write(to: output)
        let rest = await doctor.plugins() + [doctor.timer(), doctor.clock(), doctor.zone(), doctor.zoneData()]
        for finding in rest + (await doctor.agent()) { try finding.write(to: output) }
        try (await doctor.location()).write(to: output)
        try (await doctor.receiver()).write(to: output)
    }
}
