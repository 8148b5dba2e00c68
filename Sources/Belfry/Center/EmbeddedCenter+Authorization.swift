extension EmbeddedCenter {
    func authorizationStatus() async throws(NoticeError) -> AuthorizationStatus {
        try await open()
        return authorization ?? (prompt == nil ? .authorized : .notDetermined)
    }

    func requestAuthorization() async throws(NoticeError) -> AuthorizationStatus {
        let known = try await authorizationStatus()
        guard known == .notDetermined, let prompt else { return known }
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<AuthorizationStatus, NoticeError>, Never>) in
            // The answer may have come on the way in here.
            if let authorization { return continuation.resume(returning: .success(authorization)) }
            askers.append(continuation)
            guard askers.count == 1 else { return }
            // Not the caller's task: others wait for the answer too.
            Task(executorPreference: CenterThread.shared) { await self.answerAskers(prompt) }
        }
        return try result.get()
    }

    private func answerAskers(_ prompt: any AuthorizationPrompt) async {
        let result = await ask(prompt)
        let all = askers
        askers = []
        for asker in all { asker.resume(returning: result) }
    }

    private func ask(_ prompt: any AuthorizationPrompt) async -> Result<AuthorizationStatus, NoticeError> {
        let app = app
        let answer = await withTimeLimit(options.promptTimeLimit, on: globalConcurrentExecutor) { late in
            Task(executorPreference: CenterThread.shared) { await self.take(late) }
        } _: {
            await prompt.ask(for: app)
        }
        return await take(answer ?? .unanswered)
    }

    @discardableResult
    private func take(_ answer: AuthorizationAnswer) async -> Result<AuthorizationStatus, NoticeError> {
        // The app may have set it in the meantime.
        if let authorization, authorization == .authorized || authorization == .denied {
            return .success(authorization)
        }
        do throws(NoticeError) {
            switch answer {
            case .allowed: try await setAuthorization(.authorized)
            case .denied: try await setAuthorization(.denied)
            // Not stored: another day, on another desktop, the question can be asked.
            case .cannotAsk: authorization = .provisional
            case .unanswered: break
            }
        } catch { return .failure(error) }
        return .success(authorization ?? .notDetermined)
    }

    func setAuthorization(_ status: AuthorizationStatus) async throws(NoticeError) {
        _ = try await call { .settings([.putAuthorization(status)], $0) }
        authorization = status
    }

    func checkAuthorization() async throws(NoticeError) {
        guard try await authorizationStatus() == .denied else { return }
        throw NoticeError(
            .notAuthorized,
            "The person denied notices of '\(app.name)': they can be allowed again in the app's settings."
        )
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
