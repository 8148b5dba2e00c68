import ArgumentParser

/// The file descriptors of newer notify-sends (after 0.8.7), beside standard output.
struct AnswerDescriptors: ParsableArguments {
    @Option(help: ArgumentHelp("Write the notice's number to this file descriptor.", valueName: "number"))
    var idFd: Int32?

    @Option(help: ArgumentHelp("Write the chosen action to this file descriptor, too.", valueName: "number"))
    var selectedActionFd: Int32?

    @Option(
        help: ArgumentHelp(
            "Write the token that lets a program raise its window to this file descriptor; few desktops give one.",
            valueName: "number"
        )
    )
    var activationTokenFd: Int32?

    func write(id: String) throws { try Self.write(id, to: idFd) }

    func write(action: String, token: String?) throws {
        try Self.write(action, to: selectedActionFd)
        try Self.write(token ?? "", to: activationTokenFd)
    }

    private static func write(_ text: String, to number: Int32?) throws {
        guard let number, number >= 0 else { return }
        do { try FileOutput(descriptor: number).write(text + "\n") } catch is OutputClosed {
            // Whoever wanted to know has gone; the notice is shown all the same.
        }
    }
}
