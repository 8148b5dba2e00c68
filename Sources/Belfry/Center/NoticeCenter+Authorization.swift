extension NoticeCenter {
    /// Whether the person allows this app's notices. Without a prompt nobody is asked: authorized.
    public func authorizationStatus() async throws(NoticeError) -> AuthorizationStatus {
        try await settle()
        return authorization ?? (prompt == nil ? .authorized : .notDetermined)
    }

    /// Asks the person, once: an answer is stored and not asked for again.
    @discardableResult
    public func requestAuthorization() async throws(NoticeError) -> AuthorizationStatus {
        let known = authorization ?? (prompt == nil ? .authorized : .notDetermined)
        guard known == .notDetermined, let prompt else { return known }
        let answer = await prompt.ask(for: app)
        // Somebody else may have asked, and been answered, in the meantime.
        if let authorization, authorization != .notDetermined { return authorization }
        switch answer {
        case .allowed: try await setAuthorization(.authorized)
        case .denied: try await setAuthorization(.denied)
        case .cannotAsk: return .provisional
        case .unanswered: return .notDetermined
        }
        return authorization ?? .notDetermined
    }

    /// For an app's own settings page.
    public func setAuthorization(_ status: AuthorizationStatus) async throws(NoticeError) {
        _ = try await call { .settings([.putAuthorization(status)], $0) }
        authorization = status
    }

    func checkAuthorization() async throws(NoticeError) {
        guard try await authorizationStatus() == .denied else { return }
        throw NoticeError(
            .notAuthorized,
            "The person denied notices of '\(app.name)': they can be allowed again in the app's settings.")
    }

    func added(warnings: [String], _ event: (Ticket) -> ScheduleEvent) async throws(NoticeError) -> AddReport {
        guard case .added(var report) = try await call(event) else {
            throw NoticeError(.centerStopped, "The center answered something else than an addition.")
        }
        report.warnings = warnings
        return report
    }

    nonisolated func warnings(_ request: NoticeRequest) -> [String] { request.trigger?.warnings ?? [] }
}
