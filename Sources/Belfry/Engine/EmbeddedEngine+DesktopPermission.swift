/// The last known desktop setting for the app.
struct RecentDesktopPermission {
    /// The backend, if its desktop has a setting for each app.
    let source: (any DesktopPermissionSource)?
    private var known: (value: DesktopPermission, boot: Int64)?
    /// The query in progress.
    var question: Task<DesktopPermission?, Never>?
    /// True if the last query timed out and the desktop has not replied since.
    private(set) var isSilent = false

    /// How long a value is valid, in microseconds.
    private static let span: Int64 = 5_000_000

    init(of backend: any DeliveryBackend) { source = backend as? any DesktopPermissionSource }

    var value: DesktopPermission? { known?.value }

    /// Returns the value; nil if it is too old.
    func value(at boot: Int64) -> DesktopPermission? {
        guard let known, (0..<Self.span).contains(boot - known.boot) else { return nil }
        return known.value
    }

    mutating func keep(_ found: DesktopPermission, at boot: Int64) {
        known = (found, boot)
        isSilent = false
    }

    mutating func noteSilence() { isSilent = true }
}

extension EmbeddedEngine {
    /// Queries the desktop setting. Returns ``DesktopPermission/unknown`` while the center does not run.
    func desktopPermission() async -> DesktopPermission {
        guard let desktop else { return .unknown }
        return await ask(desktop) ?? recentPermission.value ?? .unknown
    }

    /// The desktop setting of the last seconds; nil if it has to be queried.
    var knownDesktopPermission: DesktopPermission? {
        recentPermission.value(at: clock.now().boot)
            ?? (desktop == nil && recentPermission.question == nil ? .unknown : nil)
    }

    /// Returns the desktop setting of the last seconds, or queries it again. If the reply takes longer than `limit`,
    /// returns the last known value. After a timeout it doesn't wait again until the desktop has replied.
    func recentDesktopPermission(within limit: Duration) async -> DesktopPermission {
        if let knownDesktopPermission { return knownDesktopPermission }
        guard let question = recentPermission.question ?? beginDesktopQuestion() else { return .unknown }
        if !recentPermission.isSilent {
            if let found = await withTimeout(limit, { await question.value }) ?? nil { return found }
            recentPermission.noteSilence()
        }
        return recentPermission.value ?? .unknown
    }

    /// Starts a query; returns nil if there is nothing to query.
    private func beginDesktopQuestion() -> Task<DesktopPermission?, Never>? {
        guard let desktop else { return nil }
        let question = Task(executorPreference: CenterThread.shared) { await self.answerQuestion(desktop) }
        recentPermission.question = question
        return question
    }

    private func answerQuestion(_ desktop: any DesktopPermissionSource) async -> DesktopPermission? {
        let found = await ask(desktop)
        recentPermission.question = nil
        return found
    }

    /// The source of the desktop setting; nil before and after the center runs.
    private var desktop: (any DesktopPermissionSource)? {
        guard currentRun.hasBegun, !currentRun.isEnding else { return nil }
        return recentPermission.source
    }

    private func ask(_ desktop: any DesktopPermissionSource) async -> DesktopPermission? {
        let app = setup.app
        let found = await withTimeout(setup.options.deliveryTimeout, on: setup.backendExecutor) { late in
            // A canceled query returns `unknown`, which is no reply.
            guard late != .unknown else { return }
            Task(executorPreference: CenterThread.shared) { await self.keep(late) }
        } _: {
            await desktop.desktopPermission(for: app)
        }
        if let found { keep(found) } else { recentPermission.noteSilence() }
        return found
    }

    private func keep(_ found: DesktopPermission) {
        recentPermission.keep(found, at: clock.now().boot)
    }
}
