import FoundationEssentials
import Glibc

/// Starts a program that reads nothing, and whose end is the caller's to wait for.
///
/// `arguments` begin with the program; it is searched in `PATH` where it has no slash. What it prints goes to `output`
/// and `errors`, or nowhere. In a session of its own it outlives this program and its terminal. Throws
/// ``NoticeError/Code/systemFailure``.
package func startProgram(
    _ arguments: [String],
    adding environment: [String: String] = [:],
    output: Int32? = nil,
    errors: Int32? = nil,
    inOwnSession: Bool = false
) throws(NoticeError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, source) in [(STDIN_FILENO, nil), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
        if let source {
            posix_spawn_file_actions_adddup2(&actions, source, descriptor)
        } else {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
    }
    // What the parent has open is not the child's. One that is closed in the meantime does no harm.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
        if let descriptor = Int32(name), descriptor > STDERR_FILENO {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The threads of Swift's pool block signals, and a child inherits that.
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    if inOwnSession { flags |= 0x80 }  // POSIX_SPAWN_SETSID
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let values = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let argv = arguments.map { strdup($0) } + [nil]
    let envp = values.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, arguments[0], &actions, &attributes, argv, envp)
    guard failure == 0 else {
        throw NoticeError(
            .systemFailure,
            "The program '\(arguments[0])' can't be started.",
            cause: String(cString: strerror(failure))
        )
    }
    return process
}
