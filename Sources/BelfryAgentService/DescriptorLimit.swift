import Glibc

/// The limit of open descriptors of the process. Each app's center needs several. The soft limit of most sessions is
/// 1,024, for the sake of programs that use select(2) (getrlimit(2)).
enum DescriptorLimit {
    /// The number of descriptors reserved for the bus, apps that are being opened, and running centers.
    private static let reserve: UInt64 = 128

    /// The soft limit before ``raise()``, for the apps that the agent starts: they may use select(2).
    static let inherited: UInt64? = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return UInt64(limit.rlim_cur)
    }()

    /// Whether the remaining descriptors might not suffice for another center.
    static var isNear: Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        // The lowest free number (open(2)) is about the number of open descriptors.
        let lowest = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard lowest >= 0 else { return true }
        close(lowest)
        return UInt64(lowest) + reserve > limit.rlim_cur
    }

    /// Raises the soft limit to the hard one.
    static func raise() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        // The inherited limit is read now, before it is gone.
        guard inherited != nil, getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }
}
