import CLinux
import FoundationEssentials
import Glibc

extension ChildProgram {
    /// Starts a program without input.
    ///
    /// `arguments` begin with the program, which is searched in `PATH` if it has no slash. Its output goes to `output`
    /// and `errors`, or is discarded. In its own session it outlives this program and its terminal. Its soft limit of
    /// descriptors is at most `descriptorLimit`. Throws ``NoticeError/Code/systemFailure``.
    package convenience init(
        _ arguments: [String],
        adding environment: [String: String] = [:],
        output: Int32? = nil,
        errors: Int32? = nil,
        inOwnSession: Bool = false,
        descriptorLimit: UInt64? = nil
    ) throws(NoticeError) {
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
        // The child must not inherit open descriptors. One that is closed in the meantime does no harm.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let descriptor = Int32(name), descriptor > STDERR_FILENO {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        }
        var all = sigset_t()
        sigfillset(&all)
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let envp = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in envp { free(pointer) } }
        let process = try Self.spawn(
            arguments.map { Array($0.utf8CString) },
            envp,
            &actions,
            heeding: &all,
            flags: inOwnSession ? 0x80 : 0  // POSIX_SPAWN_SETSID
        )
        // posix_spawn(3) sets no limits. Lowering this program's own for the moment would make other threads fail. The
        // child begins with the higher limit, but won't open that many files in its first microseconds.
        if let descriptorLimit {
            _ = belfry_lower_limit(process, Int32(RLIMIT_NOFILE.rawValue), descriptorLimit)
        }
        self.init(process: process)
    }

    /// Starts a program in the foreground, as a shell would. It inherits the standard streams, the environment and the
    /// ignored signals (nohup), but receives SIGINT and SIGQUIT from the terminal. Throws
    /// ``NoticeError/Code/systemFailure``.
    ///
    /// - Parameters:
    ///   - arguments: Null-terminated, in any encoding: the names of files may be other bytes than UTF-8.
    ///   - ignored: The signals that the program ignores although they come from the terminal.
    package convenience init(inForeground arguments: [[CChar]], ignoring ignored: [Int32]) throws(NoticeError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var own = sigset_t()
        sigemptyset(&own)
        for signal in [SIGINT, SIGQUIT, SIGPIPE] where !ignored.contains(signal) { sigaddset(&own, signal) }
        // Not that of `ProcessInfo`, which replaces what is not UTF-8.
        self.init(process: try Self.spawn(arguments, belfry_environment(), &actions, heeding: &own))
    }

    /// - Parameters:
    ///   - arguments: Null-terminated.
    ///   - envp: As for execve(2); borrowed.
    ///   - heeded: The signals that are reset to their default action.
    private static func spawn(
        _ arguments: [[CChar]],
        _ envp: UnsafePointer<UnsafeMutablePointer<CChar>?>,
        _ actions: inout posix_spawn_file_actions_t,
        heeding heeded: inout sigset_t,
        flags: Int32 = 0
    ) throws(NoticeError) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of Swift's pool block signals, and a child inherits the signal mask.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &heeded)
        posix_spawnattr_setflags(
            &attributes,
            Int16(Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | flags)
        )
        let argv = arguments.map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, arguments[0], &actions, &attributes, argv, envp)
        guard failure == 0 else {
            let program = String(decoding: arguments[0].dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw NoticeError(
                .systemFailure,
                "The program '\(program)' can't be started.",
                cause: String(cString: strerror(failure))
            )
        }
        return process
    }
}
