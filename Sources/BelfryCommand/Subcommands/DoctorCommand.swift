import ArgumentParser

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tell what this desktop can do, and what to do about what is missing.",
        discussion: "Each line is a check, 'ok' or 'missing' ('-' is not in this version), and what was found."
    )

    @OptionGroup
    var speech: OutputOptions

    func run() async throws {
        let doctor = Doctor()
        let output = speech.output
        try doctor.bus().write(to: output)
        try await doctor.server().write(to: output)
        for finding in [doctor.libnotify(), doctor.timer(), doctor.zone()] + doctor.absent() {
            try finding.write(to: output)
        }
    }
}
