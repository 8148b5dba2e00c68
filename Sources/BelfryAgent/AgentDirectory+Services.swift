public import Belfry
import BelfryBus

/// The programs that start the agent by its files, and that read these files only now and then.
extension AgentDirectory {
    /// Whether systemd runs for this user, on this bus. Throws the errors of ``presence()`` (transient).
    public func hasSystemd() async throws(NoticeError) -> Bool {
        try await owner(of: "org.freedesktop.systemd1") != nil
    }

    /// Makes the session bus read its service files now. Throws ``Belfry/NoticeError/Code/noBus`` without a bus, and
    /// ``Belfry/NoticeError/Code/failedForNow`` with the bus's message if it refuses (both transient).
    public func rereadServices() async throws(NoticeError) {
        var call = BusDriver.call("ReloadConfig")
        call.timeout = .seconds(5)
        try await request(call)
    }

    /// Makes the user's systemd read its unit files now (`systemctl --user daemon-reload`). Throws the errors of
    /// ``rereadServices()`` (transient).
    public func rereadUnits() async throws(NoticeError) {
        let systemd = BusObject(
            "org.freedesktop.systemd1",
            "/org/freedesktop/systemd1",
            "org.freedesktop.systemd1.Manager",
            timeout: .seconds(25)
        )
        try await request(systemd.call("Reload"))
    }

    private func request(_ call: BusMethodCall) async throws(NoticeError) {
        do throws(BusError) { try await bus.call(call) } catch {
            let known = NoticeError(agent: error)
            throw known.code == .noBus ? known : NoticeError(.failedForNow, error.message, cause: error.cause)
        }
    }
}
