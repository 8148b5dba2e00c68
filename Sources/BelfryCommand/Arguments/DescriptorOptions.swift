#if CommandLine
import ArgumentParser

/// The file descriptors of newer notify-sends (after 0.8.7). Each gets a line, in addition to standard output.
struct DescriptorOptions: ParsableArguments {
    @Option(help: .init("Write the notice's number to this file descriptor.", valueName: "number"))
    var idFd: Int32?

    @Option(help: .init("Also write the chosen action to this file descriptor.", valueName: "number"))
    var selectedActionFd: Int32?

    @Option(
        help: .init(
            "Write the token that lets a program raise its window to this file descriptor; few desktops give one.",
            valueName: "number"
        )
    )
    var activationTokenFd: Int32?
}
#endif
