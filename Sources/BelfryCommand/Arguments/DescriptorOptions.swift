#if CommandLine
import ArgumentParser
import Glibc

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

    /// Checks the numbers before the command opens files of its own, which would get them.
    func validate() throws {
        let options = [
            ("--id-fd", idFd), ("--selected-action-fd", selectedActionFd), ("--activation-token-fd", activationTokenFd),
        ]
        for case (let option, let number?) in options {
            let flags = fcntl(number, F_GETFL)
            guard flags < 0 || flags & O_ACCMODE == O_RDONLY else { continue }
            let what = flags < 0 ? "is not open" : "is open for reading alone"
            throw ValidationError("\(option) \(number) \(what): redirect it, such as with \(max(number, 3))>file.")
        }
    }
}
#endif
