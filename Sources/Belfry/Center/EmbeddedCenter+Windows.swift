extension EmbeddedCenter {
    func keep(_ window: PlaceWindow) async throws(NoticeError) {
        try window.validate()
        guard location != nil else {
            throw NoticeError(
                .locationUnavailable,
                "The window '\(window.name)' needs positions, and this center has no location provider: give it one where it "
                    + "is made."
            )
        }
        try await checkAuthorization()
        _ = try await call { .windowKept(window, $0) }
    }

    func endWindow(_ name: String) async throws(NoticeError) { _ = try await call { .windowEnded(name, $0) } }

    func windows() async throws(NoticeError) -> [PlaceWindowReport] {
        try await settle()
        return schedule.windowReports()
    }

    /// Asks a window's source, off the center: it may take its time, and block.
    func ask(_ question: WindowQuestion, of window: PlaceWindow) {
        openQuestions += 1
        Task(executorPreference: CenterThread.shared) {
            let found = await withTimeLimit(window.timeLimit, on: AppThreads.shared) {
                () -> Result<WindowAnswer, NoticeError> in
                do {
                    let places = try await window.source(question.fix, window.count)
                    return .success(WindowAnswer(places, nearestTo: question.fix, count: window.count))
                } catch {
                    let message = "The source of the window '\(window.name)' gave no places: \(error)"
                    return .failure(NoticeError(.placesUnavailable, message))
                }
            }
            await self.take(found ?? .failure(Self.late(window)), to: question)
        }
    }

    private static func late(_ window: PlaceWindow) -> NoticeError {
        let limit = window.timeLimit.seconds
        return NoticeError(.placesUnavailable, "The source of the window '\(window.name)' took longer than \(limit) s.")
    }

    private func take(_ found: Result<WindowAnswer, NoticeError>, to question: WindowQuestion) async {
        var found = found
        do throws(NoticeError) { try await checkAuthorization() } catch { found = .failure(error) }
        openQuestions -= 1
        switch found {
        case .success(let answer): post(.event(.windowAnswered(question, answer)))
        case .failure(let error): post(.event(.windowFailed(question, error)))
        }
    }
}
