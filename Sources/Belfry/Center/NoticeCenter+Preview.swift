extension NoticeCenter {
    /// What would be shown if this request fired now, by which server, and what would be lost: the receipt beforehand.
    ///
    /// Nothing is shown or stored. The app's content provider and delegate are not asked: they may have to do with the
    /// moment. Throws what ``add(_:)-(NoticeRequest)`` has against the content (permanent), what the server would refuse
    /// (permanent), and why no server can be asked: ``NoticeError/Code/noBus``, ``NoticeError/Code/noServer``,
    /// ``NoticeError/Code/serverTimedOut``, ``NoticeError/Code/backendStopped`` before ``run()`` (transient).
    public func previewDelivery(of request: NoticeRequest) async throws(NoticeError) -> DeliveryPreview {
        try await preview(request.content, of: request.id, languages: request.languages)
    }

    /// The same for a content that is no request yet.
    public func previewDelivery(of content: NoticeContent) async throws(NoticeError) -> DeliveryPreview {
        try await preview(content, of: "preview", languages: nil)
    }

    private func preview(
        _ content: NoticeContent,
        of id: String,
        languages: [String]?
    ) async throws(NoticeError) -> DeliveryPreview {
        try RequestValidation.validate(content, of: id)
        try await open()
        let capabilities = try await capabilities()
        let prepared = DeliveryPreparation.prepare(completed(content, for: languages), for: capabilities)
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
}
