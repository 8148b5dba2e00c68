import Glibc

/// How many descriptors the process may have open. Each app's center takes several, and the soft limit of most
/// sessions, 1,024, is there for programs that use select(2) (getrlimit(2)).
enum DescriptorLimit {
    /// What is kept free for the bus, the apps that are being opened at one time, and whatever a center opens as it
    /// works.
    private static let reserve: UInt64 = 128

    /// Whether so few are left that another center might not find its own.
    static var isNear: Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        // The lowest number that is free (open(2)): about as many are open.
        let lowest = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard lowest >= 0 else { return true }
        close(lowest)
        return UInt64(lowest) + reserve > limit.rlim_cur
    }

    /// Raises the soft limit to the hard one.
    static func raise() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }
}
