// Calls of the backend other than deliveries.
extension EmbeddedEngine {
    func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        if let known = deliveries.capabilities { return known }
        let changes = deliveries.serverChanges
        let capabilities = try await askBackend(to: "report its capabilities") { backend throws(NoticeError) in
            try await backend.capabilities()
        }
        deliveries.keep(capabilities, askedAfter: changes)
        return capabilities
    }

    func previewDelivery(
        of content: NoticeContent,
        id: String,
        languages: [String]?
    ) async throws(NoticeError) -> Delivery.Preview {
        try await validate(content, of: id)
        try await open()
        let prepared = try await prepared {
            Delivery(
                id: "preview",
                requestID: id,
                app: setup.app,
                content: completed(content, for: languages),
                dueDate: clock.now().date,
                replaces: schedule.notices[id]?.delivered?.receipt
            )
        }
        return try await askBackend(to: "report what would be shown") { backend throws(NoticeError) in
            try await backend.preview(prepared)
        }
    }

    func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb {
        do throws(NoticeError) {
            return try await askBackend(to: "report do-not-disturb") { await $0.doNotDisturb() }
        } catch { return .unknown }
    }

    func setBadge(_ count: Int) async throws(NoticeError) {
        guard count >= 0 else {
            throw NoticeError(.invalidContent, "A badge of \(count): it must be 0 or more; 0 removes it.")
        }
        let app = setup.app.cleaned()
        try await askBackend(to: "set the badge") { backend throws(NoticeError) in
            try await backend.setBadge(count, of: app)
        }
        deliveries.badge = count
    }

    /// Calls the backend within its timeout.
    func askBackend<Value: Sendable>(
        to what: String,
        _ call: @escaping @Sendable (any DeliveryBackend) async throws(NoticeError) -> Value
    ) async throws(NoticeError) -> Value {
        try checkBackend(for: what)
        let backend = setup.backend
        let result = await withTimeout(setup.options.deliveryTimeout, on: setup.backendExecutor) {
            await Result { () async throws(NoticeError) in try await call(backend) }
        }
        deliveries.isStuck = result == nil
        guard let result else { throw timedOut(what) }
        return try result.get()
    }

    /// An engine that is about to end doesn't call a stuck backend again.
    func checkBackend(for what: String) throws(NoticeError) {
        guard currentRun.isEnding, deliveries.isStuck else { return }
        throw NoticeError(.backendStopped, "The backend '\(setup.backend.name)' was not asked to \(what): it is stuck.")
    }

    nonisolated func timedOut(_ what: String) -> NoticeError {
        NoticeError(
            .serverTimedOut,
            "The backend '\(setup.backend.name)' did not \(what) within \(setup.options.deliveryTimeout.seconds) s."
        )
    }
}
