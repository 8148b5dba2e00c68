/// The last known desktop setting for the app.
struct RecentDesktopPermission {
    private var known: (value: DesktopPermission, boot: Int64)?
    /// The query in progress.
    var question: Task<DesktopPermission?, Never>?
    /// True if the last query timed out and the desktop has not replied since.
    private(set) var isSilent = false

    /// How long a value is valid, in microseconds.
    private static let span: Int64 = 5_000_000

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
        guard canAskDesktop else { return .unknown }
        return await askDesktop() ?? permission.desktop.value ?? .unknown
    }

    /// The desktop setting of the last seconds; nil if it has to be queried.
    var knownDesktopPermission: DesktopPermission? {
        permission.desktop.value(at: clock.now().boot)
            ?? (!canAskDesktop && permission.desktop.question == nil ? .unknown : nil)
    }

    /// Returns the desktop setting of the last seconds, or queries it again. If the reply takes longer than `limit`,
    /// returns the last known value. After a timeout it doesn't wait again until the desktop has replied.
    func recentDesktopPermission(within limit: Duration) async -> DesktopPermission {
        if let knownDesktopPermission { return knownDesktopPermission }
        let question = permission.desktop.question ?? beginDesktopQuestion()
        if !permission.desktop.isSilent {
            if let found = await withTimeout(limit, { await question.value }) ?? nil { return found }
            permission.desktop.noteSilence()
        }
        return permission.desktop.value ?? .unknown
    }

    private func beginDesktopQuestion() -> Task<DesktopPermission?, Never> {
        let question = Task(executorPreference: CenterThread.shared) { await self.performQuery() }
        permission.desktop.question = question
        return question
    }

    private func performQuery() async -> DesktopPermission? {
        let found = await askDesktop()
        permission.desktop.question = nil
        return found
    }

    /// False before and after the center runs.
    private var canAskDesktop: Bool { currentRun.hasBegun && !currentRun.isEnding }

    private func askDesktop() async -> DesktopPermission? {
        let (app, backend) = (setup.app, setup.backend)
        let found = await withTimeout(setup.options.deliveryTimeout, on: setup.backendExecutor) { late in
            // A canceled query returns `unknown`, which is no reply.
            guard late != .unknown else { return }
            Task(executorPreference: CenterThread.shared) { await self.keep(late) }
        } _: {
            await backend.desktopPermission(for: app)
        }
        if let found { keep(found) } else { permission.desktop.noteSilence() }
        return found
    }

    private func keep(_ found: DesktopPermission) {
        permission.desktop.keep(found, at: clock.now().boot)
    }
}
