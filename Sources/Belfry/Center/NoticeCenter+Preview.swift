extension NoticeCenter {
    /// Returns what would be shown if this request fired now, on which server, and what would be lost.
    ///
    /// Nothing is shown or stored. The content provider and the delegate are not called, because their results may
    /// depend on the moment.
    ///
    /// - Throws: Permanent: an error about the content, such as ``NoticeError/Code/emptyContent``, or the server's,
    ///   such as ``NoticeError/Code/rejected``. Transient: why the server can't be asked, such as
    ///   ``NoticeError/Code/noBus``, ``NoticeError/Code/noServer`` or ``NoticeError/Code/serverTimedOut``. Also
    ///   transient: ``NoticeError/Code/backendStopped`` if the backend does not run, and
    ///   ``NoticeError/Code/storeFailed``.
    public func previewDelivery(of request: NoticeRequest) async throws(NoticeError) -> Delivery.Preview {
        try await engine.previewDelivery(of: request.content, id: request.id, languages: request.languages)
    }

    /// Returns the preview of a content without a request.
    ///
    /// - Throws: What ``previewDelivery(of:)-(NoticeRequest)`` throws, transient or permanent.
    public func previewDelivery(of content: NoticeContent) async throws(NoticeError) -> Delivery.Preview {
        try await engine.previewDelivery(of: content, id: "preview", languages: nil)
    }

    /// Returns whether do-not-disturb is on; ``DeliveryCapabilities/DoNotDisturb/unknown`` if the desktop doesn't
    /// report it, or not in time. The center defers nothing for it: servers keep new notices meanwhile, and show
    /// critical ones.
    public func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb {
        await engine.doNotDisturb()
    }

    /// Returns the desktop's own setting for this app's notices. The center obeys it: ``authorizationStatus()`` is
    /// denied if it is off, and provisional if it is quiet. ``DesktopPermission/unknown`` while the center does not
    /// run, or if the desktop has no such setting.
    public func desktopPermission() async -> DesktopPermission {
        await engine.desktopPermission()
    }

    /// Sets the number on the app's icon, independent of any notice; 0 removes it. It is unknown whether a desktop
    /// draws the number.
    ///
    /// - Throws: ``NoticeError/Code/invalidContent`` for a number below 0, and ``NoticeError/Code/unsupported`` if the
    ///   backend has no badges; permanent. ``NoticeError/Code/noBus``, ``NoticeError/Code/serverTimedOut``, and
    ///   ``NoticeError/Code/backendStopped`` if the backend does not run; transient.
    public func setBadge(_ count: Int) async throws(NoticeError) {
        try await engine.setBadge(count)
    }
}
