import Glibc

/// Opens `/dev/null` in place of standard input, output or error that the parent has closed. Otherwise the next file
/// that the program opens gets its number, and what is printed is written into it.
package func openMissingStandardDescriptors() {
    // The kernel gives the lowest free number.
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
}
