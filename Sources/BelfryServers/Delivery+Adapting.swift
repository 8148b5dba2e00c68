package import Belfry

extension Delivery {
    /// The caller of `Notify`, where that makes a difference.
    package enum NotifyCaller: Sendable {
        /// The D-Bus backend: its receipts don't depend on the server's number, and it sends attachments.
        case bus
        /// A plug-in: its receipts are numbers, and it doesn't support attachments.
        case plugin
    }

    /// Returns the delivery adapted to this server: converted to the forms that it shows, without what must not be sent
    /// to it. Everything removed is listed in ``lost``.
    ///
    /// Throws ``NoticeError/Code/invalidContent`` for pixels whose dimensions don't fit their bytes. Permanent.
    ///
    /// - Parameter replacesByNumber: Whether it replaces another notice by that one's number.
    package func adapted(
        to server: NotificationServer,
        replacesByNumber: Bool,
        by caller: NotifyCaller
    ) throws(NoticeError) -> Delivery {
        var adapting = Adapting(delivery: self, server: server, caller: caller)
        adapting.actions()
        try adapting.image()
        adapting.hints(replacesByNumber)
        return adapting.delivery
    }

    /// Returns the features of the content, before it was adapted, that this server does not support.
    package func lostSilently(on server: NotificationServer, by caller: NotifyCaller) -> [DeliveryReceipt.LostFeature] {
        var lost: [DeliveryReceipt.LostFeature] = []
        if content.desktop.expiry != .serverDefault, !server.features.contains(.expiry) {
            lost.add(.expiry, "\(server.name) decides itself how long it shows a notice")
        } else if case .after = content.desktop.expiry, content.level == .critical, server.known.keepsCritical {
            lost.add(.expiry, "\(server.name) keeps what is critical until it is closed")
        }
        if content.desktop.isPersistent {
            lost.add(.persistent, "\(server.name) lets every notice be closed by hand")
        }
        if let privacy = content.desktop.privacy, !server.known.hasPrivacyScope || privacy == .hidden {
            let limit =
                server.known.hasPrivacyScope ? "hides the texts, not that there is a notice" : "has no such wish"
            lost.add(.privacy, "\(server.name) \(limit)")
        }
        lost.add(.level, "desktops have no level between active and critical", if: content.level == .timeSensitive)
        lost.add(.thread, "notification servers don't sort by threads", if: content.thread != nil)
        let shown: String? = if case .file(let path) = content.image { path } else { nil }
        let hidden = content.attachments.filter { $0.path != shown }
        let goAlong = caller == .bus && server.listed.contains("x-kde-urls")
        if !hidden.isEmpty, !goAlong { lost.add(.attachment, "attachments not shown: \(hidden.count)") }
        return lost
    }

    /// GNOME's hint: `system` shows the notice on the lock screen with its texts, `user` does not.
    static let privacyHint = "x-gnome-privacy-scope"

    /// The hints by which servers recognize the notice to replace.
    package static let tagHints: Set<String> = [
        "x-dunst-stack-tag", "x-canonical-private-synchronous", "private-synchronous", "synchronous",
    ]
}

private struct Adapting {
    var delivery: Delivery
    let server: NotificationServer
    let caller: Delivery.NotifyCaller

    mutating func actions() {
        guard server.features.contains(.actions) else {
            delivery.content.actions = []
            return
        }
        let given = delivery.content.actions
        var hasField = !server.features.contains(.reply)
        for (index, action) in given.enumerated() {
            // An action without a label makes some servers drop all actions; some draw the default one as a button.
            if action.title.isEmpty {
                let name = action.isClick ? delivery.app.name : action.id
                delivery.content.actions[index].title = String(name.prefix(64))
            }
            guard case .reply = action.kind else { continue }
            guard hasField || action.isClick else {
                hasField = true
                continue
            }
            delivery.content.actions[index].kind = .button
            if server.features.contains(.reply), !action.isClick {
                delivery.lost.add(.reply, "'\(action.id)' is a button: there is one reply field")
            }
        }
        // A click on the notice is a response even if the app defines no action for it. Servers that draw a button for
        // it get the action only if the app defines it.
        if !given.contains(where: \.isClick), server.known.defaultAction == .hidden {
            let click = NoticeAction(NoticeAction.defaultID, title: delivery.app.name)
            delivery.content.actions.insert(click, at: 0)
        }
        if server.known.skipsAfterDefault, let click = delivery.content.actions.firstIndex(where: \.isClick) {
            delivery.content.actions.append(delivery.content.actions.remove(at: click))
        }
        if server.known.buttons == .inMenu, !given.allSatisfy(\.isClick) {
            delivery.lost.add(.buttons, "\(server.name) draws no buttons: the actions are in its menu")
        }
    }

    /// Adapts the image. On servers that show image files only as icons, it replaces a missing icon or the app's own.
    mutating func image() throws(NoticeError) {
        let content = delivery.content
        if case .pixels(let pixels) = content.image {
            try pixels.check()
            delivery.content.image = .pixels(pixels.scaledDown())
        }
        guard server.known.pictures == .icon, let icon = content.image.flatMap(NoticeIcon.init) else { return }
        let isFree = content.icon == nil || content.icon == delivery.app.icon
        if isFree { delivery.content.icon = icon }
        delivery.content.image = nil
        let becomes = isFree ? "it is the icon" : "the icon is shown without it"
        delivery.lost.add(.image, "\(server.name) shows no images of files: \(becomes)")
    }

    mutating func hints(_ replacesByNumber: Bool) {
        let hasProgress = delivery.content.progress != nil
        if server.known.valueHidesText { delivery.content.progress = nil }
        for name in delivery.content.desktop.hints.keys.sorted() {
            guard let reason = reason(against: name, replacesByNumber) else { continue }
            delivery.content.desktop.hints[name] = nil
            delivery.lost.add(.hint, "'\(name)' is not sent: \(reason)")
        }
        if let privacy = delivery.content.desktop.privacy {
            let scope = NoticeContent.Hint.string(privacy == .visible ? "system" : "user")
            if delivery.content.desktop.hints.updateValue(scope, forKey: Delivery.privacyHint) != nil {
                delivery.lost.add(.hint, "'\(Delivery.privacyHint)' is not sent: a field of the content says it")
            }
        }
        // Servers recognize a notice that is replaced in place by its number; it gets no tag then. A script that starts
        // a new process for each step has only the tag. A tag that the app set takes precedence.
        guard !replacesByNumber, let tag = server.tagHint, hasProgress || delivery.replaces != nil,
            Delivery.tagHints.isDisjoint(with: delivery.content.desktop.hints.keys)
        else { return }
        delivery.content.desktop.hints[tag] = .string("\(delivery.app.id)/\(delivery.requestID)")
    }

    /// Returns why one of the app's hints must not be sent, or nil.
    private func reason(against hint: String, _ replacesByNumber: Bool) -> String? {
        if hint == "value", server.known.valueHidesText { return "\(server.name) would hide the text" }
        guard Delivery.tagHints.contains(hint) else { return nil }
        // A tag together with a number crashes mako.
        if replacesByNumber { return "the notice takes the place of the former one by its number" }
        guard caller == .plugin, server.known.mistakesTags else { return nil }
        return "\(server.name) gives no number to what has it"
    }
}
