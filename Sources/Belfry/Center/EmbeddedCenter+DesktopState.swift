extension EmbeddedCenter {
    func previewDelivery(
        of content: NoticeContent,
        id: String,
        languages: [String]?
    ) async throws(NoticeError) -> DeliveryPreview {
        try RequestValidation.validate(content, of: id, attachmentLimit: options.attachmentLimit)
        try await open()
        let capabilities = try await capabilities()
        let prepared = DeliveryPreparation.prepare(
            completed(content, for: languages),
            appIcon: app.icon,
            for: capabilities
        )
        let delivery = Delivery(
            id: "preview",
            requestID: id,
            app: app,
            content: prepared.content,
            dueAt: clock.now().date,
            replaces: schedule.notices[id]?.standing?.receipt,
            lost: prepared.lost
        )
        let backend = backend
        let result: Result<DeliveryPreview, NoticeError>? = try await withBackend("say what would be shown") {
            do throws(NoticeError) { return .success(try await backend.preview(delivery)) } catch {
                return .failure(error)
            }
        }
        guard let result else { throw timedOut("say what would be shown") }
        return try result.get()
    }

    func doNotDisturb() async -> DoNotDisturb {
        let backend = backend
        do throws(NoticeError) {
            return try await withBackend("say whether to disturb") { await backend.doNotDisturb() } ?? .unknown
        } catch { return .unknown }
    }

    func setBadge(_ count: Int) async throws(NoticeError) {
        guard count >= 0 else {
            throw NoticeError(.invalidContent, "A badge of \(count): it must be 0 or more; 0 removes it.")
        }
        let (backend, app) = (backend, app)
        let result: Result<Void, NoticeError>? = try await withBackend("set the badge") {
            do throws(NoticeError) { return .success(try await backend.setBadge(count, of: app)) } catch {
                return .failure(error)
            }
        }
        guard let result else { throw timedOut("set the badge") }
        try result.get()
    }
}
