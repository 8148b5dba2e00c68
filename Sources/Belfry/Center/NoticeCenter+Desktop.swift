extension NoticeCenter {
    /// Whether the person wants to be left alone right now; ``DoNotDisturb/unknown`` where the desktop doesn't say, or not
    /// in time. It holds nothing back: servers keep what comes meanwhile, and show what is critical.
    public func doNotDisturb() async -> DoNotDisturb {
        let backend = backend
        do throws(NoticeError) {
            return try await withBackend("say whether to disturb") { await backend.doNotDisturb() } ?? .unknown
        } catch { return .unknown }
    }

    /// Puts a number on the app's icon, apart from any notice; 0 takes it off.
    ///
    /// Throws ``NoticeError/Code/invalidContent`` below 0, ``NoticeError/Code/unsupported`` where the backend has no such
    /// thing (permanent), ``NoticeError/Code/noBus`` and ``NoticeError/Code/serverTimedOut`` (transient). That somebody
    /// draws it can't be known.
    public func setBadge(_ count: Int) async throws(NoticeError) {
        guard count >= 0 else {
            throw NoticeError(.invalidContent, "A badge of \(count): it must be 0 or more; 0 removes it.")
        }
        let (backend, app) = (backend, app)
        let result: Result<Void, NoticeError>? = try await withBackend("set the badge") {
            do throws(NoticeError) { return .success(try await backend.setBadge(count, of: app)) } catch {
                return .failure(error)
            }
        }
        guard let result else { throw timedOut("set the badge") }
        try result.get()
    }
}
