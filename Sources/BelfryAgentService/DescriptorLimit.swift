import Foundation

/// How many descriptors the process may have open. Each app's center takes several, and the soft limit of most sessions, 1,024,
/// is there for programs that use select(2) (getrlimit(2)).
enum DescriptorLimit {
    /// Raises the soft limit to the hard one.
    static func raise() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }
}
