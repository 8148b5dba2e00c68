import Foundation
import Glibc

/// A shell on a terminal of its own, which can be closed as a window is: what runs on it is hung up.
///
/// Used from one task: a terminal is read once.
struct TerminalSession: Sendable {
    private let terminal: Int32
    private let shell: pid_t

    init(_ script: String, environment: [String: String]) throws {
        // posix_openpt(3), unlockpt(3) and ptsname(3) as they are on Linux; Swift's C library does not show them.
        terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (isLocked, number) = (CInt(0), CUnsignedInt(0))
        guard terminal >= 0, ioctl(terminal, 0x4004_5431, &isLocked) == 0, ioctl(terminal, 0x8004_5430, &number) == 0
        else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session's leader opens is the session's own.
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/pts/\(number)", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | 0x80  // POSIX_SPAWN_SETSID
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let words: [String] = ["/bin/sh", "-c", script]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let values: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + values { free(pointer) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, values)
        guard failure == 0 else { throw POSIXError(.init(rawValue: failure) ?? .EIO) }
        shell = process
    }

    /// What was written on it so far, up to `mark` or, without that, to the end.
    func text(upTo mark: String) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes: [UInt8] = []
                var chunk = [UInt8](repeating: 0, count: 4_096)
                while !String(decoding: bytes, as: UTF8.self).contains(mark) {
                    let count = read(terminal, &chunk, chunk.count)
                    guard count > 0 else { break }
                    bytes += chunk[..<count]
                }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    /// The window is closed; returns the signal that ended the shell.
    func close() -> Int32 {
        Glibc.close(terminal)
        var status: Int32 = 0
        while waitpid(shell, &status, 0) == -1, errno == EINTR {}
        return status & 0x7F
    }
}
