import Foundation

extension Process {
    /// Runs it with no signal blocked. Threads of Swift's pool block signals, and a child inherits that: it could not be
    /// interrupted.
    func startUnmasked() throws {
        var none = sigset_t()
        var old = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &old)
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        try run()
    }
}
