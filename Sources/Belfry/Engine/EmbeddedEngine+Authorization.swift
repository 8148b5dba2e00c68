/// The user's response to the permission prompt, the prompt that is open, and the desktop's setting.
struct PermissionQuestion {
    /// The response; nil until there is one, and after the app has taken it back.
    var response: AuthorizationStatus? {
        didSet { if response == .notDetermined { response = nil } }
    }
    /// The open prompt, which all callers wait for. It fails if the response can't be stored.
    var openPrompt: Task<Result<Void, NoticeError>, Never>?
    var desktop = RecentDesktopPermission()
    /// When the last prompt exceeded its timeout, on the boot clock.
    private var unansweredAt: Int64?

    /// How long deliveries don't wait for another prompt after that, in microseconds.
    private static let unattendedSpan: Int64 = 600_000_000

    mutating func noteTimeout(at boot: Int64) { unansweredAt = boot }

    /// Whether the user is probably not there. Each due notice would wait for the prompt's whole timeout.
    func isUnattended(at boot: Int64) -> Bool {
        unansweredAt.map { (0..<Self.unattendedSpan).contains(boot - $0) } ?? false
    }
}

extension EmbeddedEngine {
    func authorizationStatus() async throws(NoticeError) -> AuthorizationStatus {
        try await open()
        return status(under: await desktopPermission())
    }

    /// The user's response, limited by the desktop setting.
    private func status(under desktop: DesktopPermission) -> AuthorizationStatus {
        let chosen = permission.response ?? (setup.prompt == nil ? .authorized : .notDetermined)
        return switch (desktop, chosen) {
        case (.off, _): .denied
        case (.quiet, .authorized): .provisional
        default: chosen
        }
    }

    /// The status, if neither the user nor the desktop has to be asked for it.
    var knownAuthorization: AuthorizationStatus? {
        guard let known = knownDesktopPermission.map(status), known != .notDetermined else { return nil }
        return known
    }

    func requestAuthorization() async throws(NoticeError) -> AuthorizationStatus {
        try await open()
        return try await requestAuthorization(under: await desktopPermission())
    }

    /// Like `requestAuthorization()`, for a delivery: asks the desktop at most every few seconds, and the user at most
    /// every ten minutes while nobody responds.
    func requestAuthorizationToDeliver() async throws(NoticeError) -> AuthorizationStatus {
        let desktop = await recentDesktopPermission(within: .seconds(2))
        if permission.isUnattended(at: clock.now().boot) { return status(under: desktop) }
        return try await requestAuthorization(under: desktop)
    }

    private func requestAuthorization(under desktop: DesktopPermission) async throws(NoticeError) -> AuthorizationStatus
    {
        let known = status(under: desktop)
        guard known == .notDetermined, let prompt = setup.prompt else { return known }
        // Not in the caller's task, since other callers wait for the response too.
        let open = permission.openPrompt ?? Task(executorPreference: CenterThread.shared) { await self.ask(prompt) }
        permission.openPrompt = open
        try await open.value.get()
        return status(under: desktop)
    }

    private func ask(_ prompt: any AuthorizationPrompt) async -> Result<Void, NoticeError> {
        let app = setup.app
        let decision = await withTimeout(setup.options.promptTimeout, on: AppThreads.shared) { late in
            Task(executorPreference: CenterThread.shared) { await self.storeLate(late) }
        } _: {
            await prompt.ask(for: app)
        }
        if decision == nil { permission.noteTimeout(at: clock.now().boot) }
        defer { permission.openPrompt = nil }
        return await Result { () async throws(NoticeError) in try await store(decision ?? .undecided) }
    }

    /// Stores a decision that nobody waits for any more.
    private func storeLate(_ decision: AuthorizationStatus.Decision) async {
        do throws(NoticeError) { try await store(decision) } catch { report(error) }
    }

    private func store(_ decision: AuthorizationStatus.Decision) async throws(NoticeError) {
        // The app may have set the status in the meantime.
        if let known = permission.response, known == .authorized || known == .denied { return }
        switch decision {
        case .allowed: try await setAuthorization(.authorized)
        case .denied: try await setAuthorization(.denied)
        // Not stored: the prompt may be possible later, or on another desktop.
        case .cannotAsk: permission.response = .provisional
        case .undecided: break
        }
    }

    func setAuthorization(_ status: AuthorizationStatus) async throws(NoticeError) {
        try await changed { $0.store(.putAuthorization(status)) }
        permission.response = status
    }

    func checkAuthorization() async throws(NoticeError) {
        try await open()
        // `add` doesn't wait for a slow desktop: a late reply takes effect at the delivery.
        let desktop = await recentDesktopPermission(within: .milliseconds(250))
        guard status(under: desktop) == .denied else { return }
        throw NoticeError(
            .notAuthorized,
            desktop == .off
                ? "The desktop's own settings switch off notices of '\(setup.app.name)': they can be switched on again "
                    + "there."
                : "The user denied notices of '\(setup.app.name)': they can be allowed again in the app's settings."
        )
    }

    /// The reason for a denial, for the history.
    var denial: String {
        permission.response == .denied || permission.desktop.value != .off
            ? "the user denied notices of '\(setup.app.name)'"
            : "the desktop's own settings switch off notices of '\(setup.app.name)'"
    }
}
