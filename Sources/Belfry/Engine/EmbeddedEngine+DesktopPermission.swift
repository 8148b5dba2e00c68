extension EmbeddedEngine {
    /// The desktop's word, asked anew. ``DesktopPermission/unknown`` while the center does not run.
    func desktopPermission() async -> DesktopPermission {
        guard let desktop else { return .unknown }
        return await ask(desktop) ?? desktopWord.value ?? .unknown
    }

    /// The desktop's word of the last seconds, asked anew where that is older; where the answer takes longer than `limit`,
    /// the last one. A desktop that was waited for in vain is not waited for again until it has answered.
    func recentDesktopSwitch(within limit: Duration) async -> DesktopPermission {
        if let recent = desktopWord.value(at: clock.now().boot) { return recent }
        guard let question = desktopWord.question ?? beginSwitchQuestion() else { return .unknown }
        if !desktopWord.isSilent {
            if let found = await withTimeout(limit, { await question.value }) ?? nil { return found }
            desktopWord.noteSilence()
        }
        return desktopWord.value ?? .unknown
    }

    /// Nil where nobody can be asked.
    private func beginSwitchQuestion() -> Task<DesktopPermission?, Never>? {
        guard let desktop else { return nil }
        let question = Task(executorPreference: CenterThread.shared) { await self.answerQuestion(desktop) }
        desktopWord.question = question
        return question
    }

    private func answerQuestion(_ desktop: any DesktopPermissionSource) async -> DesktopPermission? {
        let found = await ask(desktop)
        desktopWord.question = nil
        return found
    }

    /// Nil where nobody can be asked, as before and after the center runs.
    private var desktop: (any DesktopPermissionSource)? {
        guard currentRun.hasBegun, !currentRun.isEnding else { return nil }
        return setup.backend as? any DesktopPermissionSource
    }

    private func ask(_ desktop: any DesktopPermissionSource) async -> DesktopPermission? {
        let app = setup.app
        let found = await withTimeout(setup.options.deliveryTimeLimit, on: setup.backend.executor) { late in
            // A question that was broken off is answered by nothing.
            guard late != .unknown else { return }
            Task(executorPreference: CenterThread.shared) { await self.keep(late) }
        } _: {
            await desktop.desktopPermission(for: app)
        }
        if let found { keep(found) } else { desktopWord.noteSilence() }
        return found
    }

    private func keep(_ found: DesktopPermission) {
        desktopWord.keep(found, at: clock.now().boot)
    }
}
