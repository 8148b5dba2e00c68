extension NoticeCenter {
    /// What would be shown if this request fired now, by which server, and what would be lost: the receipt beforehand.
    ///
    /// Nothing is shown or stored. The app's content provider and delegate are not asked: what they do may have to do
    /// with the moment. Throws what ``add(_:)-(NoticeRequest)`` has against the content (permanent), what the server
    /// would refuse (permanent), and why no server can be asked: ``NoticeError/Code/noBus``,
    /// ``NoticeError/Code/noServer``, ``NoticeError/Code/serverTimedOut``, ``NoticeError/Code/backendStopped`` before
    /// ``run()`` (transient).
    public func previewDelivery(of request: NoticeRequest) async throws(NoticeError) -> Delivery.Preview {
        try await engine.previewDelivery(of: request.content, id: request.id, languages: request.languages)
    }

    /// The same for a content that is no request yet.
    public func previewDelivery(of content: NoticeContent) async throws(NoticeError) -> Delivery.Preview {
        try await engine.previewDelivery(of: content, id: "preview", languages: nil)
    }

    /// Whether the user wants to be left alone right now; ``DeliveryCapabilities/DoNotDisturb/unknown`` where the
    /// desktop doesn't say, or not in time. It holds nothing back: servers keep what comes meanwhile, and show what is
    /// critical.
    public func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb {
        await engine.doNotDisturb()
    }

    /// What the desktop's own settings say of this app's notices, where it has such a switch. It is obeyed:
    /// ``authorizationStatus()`` is denied where it is off, and provisional where it is quiet.
    /// ``DesktopPermission/unknown`` while the center does not run.
    public func desktopPermission() async -> DesktopPermission {
        await engine.desktopPermission()
    }

    /// Puts a number on the app's icon, apart from any notice; 0 takes it off.
    ///
    /// Throws ``NoticeError/Code/invalidContent`` below 0, ``NoticeError/Code/unsupported`` where the backend has no
    /// such thing (permanent), ``NoticeError/Code/noBus`` and ``NoticeError/Code/serverTimedOut`` (transient). That
    /// somebody draws it can't be known.
    public func setBadge(_ count: Int) async throws(NoticeError) {
        try await engine.setBadge(count)
    }
}
