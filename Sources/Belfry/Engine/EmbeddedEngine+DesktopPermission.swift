/// What the desktop's own settings said last about the app.
struct RecentDesktopPermission {
    private var known: (value: DesktopPermission, boot: Int64)?
    /// The question that is under way.
    var question: Task<DesktopPermission?, Never>?
    /// It was waited for in vain, and has said nothing since.
    private(set) var isSilent = false

    /// How long it holds; microseconds.
    private static let span: Int64 = 5_000_000

    var value: DesktopPermission? { known?.value }

    /// Nil where it is too old.
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
    /// The desktop's word, asked anew. ``DesktopPermission/unknown`` while the center does not run.
    func desktopPermission() async -> DesktopPermission {
        guard let desktop else { return .unknown }
        return await ask(desktop) ?? recentPermission.value ?? .unknown
    }

    /// The desktop's word of the last seconds, asked anew where that is older; where the answer takes longer than
    /// `limit`, the last one. A desktop that was waited for in vain is not waited for again until it has answered.
    func recentDesktopPermission(within limit: Duration) async -> DesktopPermission {
        if let recent = recentPermission.value(at: clock.now().boot) { return recent }
        guard let question = recentPermission.question ?? beginDesktopQuestion() else { return .unknown }
        if !recentPermission.isSilent {
            if let found = await withTimeout(limit, { await question.value }) ?? nil { return found }
            recentPermission.noteSilence()
        }
        return recentPermission.value ?? .unknown
    }

    /// Nil where nobody can be asked.
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

    /// Nil where nobody can be asked, as before and after the center runs.
    private var desktop: (any DesktopPermissionSource)? {
        guard currentRun.hasBegun, !currentRun.isEnding else { return nil }
        return setup.desktop
    }

    private func ask(_ desktop: any DesktopPermissionSource) async -> DesktopPermission? {
        let app = setup.app
        let found = await withTimeout(setup.options.deliveryTimeLimit, on: setup.backendExecutor) { late in
            // A question that was broken off is answered by nothing.
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
