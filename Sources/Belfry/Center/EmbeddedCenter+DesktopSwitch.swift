extension EmbeddedCenter {
    /// The desktop's word, asked anew. ``DesktopSwitch/unknown`` while the center does not run.
    func desktopSwitch() async -> DesktopSwitch { await desktopSwitch(within: options.deliveryTimeLimit) }

    /// The desktop's word of the last seconds, asked anew where that is older; where the answer takes longer than `limit`,
    /// the last one.
    func recentDesktopSwitch(within limit: Duration) async -> DesktopSwitch {
        if let known = knownSwitch, case 0..<5_000_000 = clock.now().boot - known.at { return known.value }
        return await desktopSwitch(within: limit)
    }

    private func desktopSwitch(within limit: Duration) async -> DesktopSwitch {
        guard hasBegun, !isEnding, let source = backend as? any DesktopSwitchSource else { return .unknown }
        let app = app
        let found = await withTimeLimit(limit, on: backendExecutor) { late in
            Task(executorPreference: CenterThread.shared) { await self.keep(late) }
        } _: {
            await source.desktopSwitch(for: app)
        }
        if let found { keep(found) }
        return found ?? knownSwitch?.value ?? .unknown
    }

    private func keep(_ found: DesktopSwitch) { knownSwitch = (found, clock.now().boot) }
}
