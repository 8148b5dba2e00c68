extension EmbeddedCenter {
    /// The desktop's word, asked anew. ``DesktopSwitch/unknown`` while the center does not run.
    func desktopSwitch() async -> DesktopSwitch { await desktopSwitch(within: setup.options.deliveryTimeLimit) }

    /// The desktop's word of the last seconds, asked anew where that is older; where the answer takes longer than `limit`,
    /// the last one. A desktop that was waited for in vain is not waited for again until it has answered.
    func recentDesktopSwitch(within limit: Duration) async -> DesktopSwitch {
        if let recent = desktopWord.value(at: clock.now().boot) { return recent }
        guard let question = desktopWord.question ?? beginSwitchQuestion() else { return .unknown }
        if !desktopWord.isSilent {
            if let found = await withTimeLimit(limit, { await question.value }) ?? nil { return found }
            desktopWord.noteSilence()
        }
        return desktopWord.value ?? .unknown
    }

    /// Nil where nobody can be asked.
    private func beginSwitchQuestion() -> Task<DesktopSwitch?, Never>? {
        guard canAskDesktop else { return nil }
        let question = Task(executorPreference: CenterThread.shared) { await self.answerSwitchQuestion() }
        desktopWord.question = question
        return question
    }

    private func answerSwitchQuestion() async -> DesktopSwitch? {
        let found = await askDesktop(within: setup.options.deliveryTimeLimit)
        desktopWord.question = nil
        return found
    }

    private func desktopSwitch(within limit: Duration) async -> DesktopSwitch {
        guard canAskDesktop else { return .unknown }
        return await askDesktop(within: limit) ?? desktopWord.value ?? .unknown
    }

    private var canAskDesktop: Bool {
        currentRun.hasBegun && !currentRun.isEnding && setup.backend is any DesktopSwitchSource
    }

    private func askDesktop(within limit: Duration) async -> DesktopSwitch? {
        guard let source = setup.backend as? any DesktopSwitchSource else { return nil }
        let app = setup.app
        let found = await withTimeLimit(limit, on: setup.backend.executor) { late in
            // A question that was broken off is answered by nothing.
            guard late != .unknown else { return }
            Task(executorPreference: CenterThread.shared) { await self.keep(late) }
        } _: {
            await source.desktopSwitch(for: app)
        }
        if let found { keep(found) } else { desktopWord.noteSilence() }
        return found
    }

    private func keep(_ found: DesktopSwitch) {
        desktopWord.keep(found, at: clock.now().boot)
    }
}
