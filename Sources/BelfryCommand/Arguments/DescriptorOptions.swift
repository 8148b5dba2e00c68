import ArgumentParser

/// The file descriptors of newer notify-sends (after 0.8.7), beside standard output.
struct DescriptorOptions: ParsableArguments {
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

    var descriptors: AnswerDescriptors {
        AnswerDescriptors(id: idFd, action: selectedActionFd, token: activationTokenFd)
    }
}
