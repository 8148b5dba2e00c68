import FoundationEssentials

/// Reduces a content to what one backend can show, and lists what was lost.
///
/// The order of reductions is fixed: a reply field becomes a button, or is dropped if there are no buttons. An image
/// becomes an icon, or is dropped if there are no icons. Markup becomes plain text, and a link "text (address)".
struct DeliveryPreparation {
    /// The maximum length of a button's label, in characters.
    static let actionTitleLimit = 256

    let capabilities: DeliveryCapabilities
    var content: NoticeContent
    /// The losses, in the order of the receipt.
    var lost: [DeliveryReceipt.LostFeature] = []

    /// Prepares a content. `appIcon` is for a content without its own icon, and is no loss if icons are not supported.
    init(_ content: NoticeContent, appIcon: NoticeIcon? = nil, for capabilities: DeliveryCapabilities) {
        self.content = content
        self.capabilities = capabilities
        // First, so that only labels that are shown are processed, even if there are ten thousand.
        let missing = limitActions()
        prepareTexts()
        if let missing { lost.add(.actions, missing) }
        prepareActions()
        preparePictures()
        if self.content.icon == nil, offers(.icon) { self.content.icon = appIcon.flatMap(Self.usable) }
        prepareHints()
        loseUnsupported()
    }

    func offers(_ feature: DeliveryCapabilities.Feature) -> Bool { capabilities.features.contains(feature) }

    private mutating func prepareHints() {
        for (name, hint) in content.desktop.hints.sorted(by: { $0.key < $1.key }) {
            // The store of an older version may contain hints that `add` refuses now.
            do throws(NoticeError) { content.desktop.hints[name] = try HintType.checked(hint, named: name) } catch {
                content.desktop.hints[name] = nil
                lost.add(.hint, error.message)
            }
        }
    }

    private mutating func loseUnsupported() {
        let server = capabilities.server
        let hasSound = content.sound != nil && content.sound != .silent
        lost.add(.progress, "\(server) shows no progress", if: content.progress != nil && !offers(.progress))
        lost.add(.sound, "\(server) plays no sound", if: hasSound && !offers(.sound))
        lost.add(.badge, "\(server) shows no badge", if: content.badge != nil && !offers(.badge))
    }

    /// Limits the actions, and returns the detail of the loss; nil if all of them stay.
    ///
    /// The click on the notice itself is not a button: it stays if actions are supported.
    private mutating func limitActions() -> String? {
        guard !content.actions.isEmpty else { return nil }
        guard offers(.actions) else {
            content.actions = []
            return "\(capabilities.server) shows no buttons"
        }
        let count = content.actions.count { !$0.isClick }
        guard let limit = capabilities.actionLimit.map({ max(0, $0) }), count > limit else { return nil }
        var left = limit
        content.actions = content.actions.filter { action in
            guard !action.isClick else { return true }
            left -= 1
            return left >= 0
        }
        return "cut to \(limit) of \(count) actions"
    }

    private mutating func prepareActions() {
        for index in content.actions.indices {
            let action = content.actions[index]
            let title = action.title.cut(to: Self.actionTitleLimit)
            if title.isCut {
                let label = action.id.prefix(64)
                lost.add(.actions, "the label of '\(label)' is cut to \(Self.actionTitleLimit) characters")
            }
            content.actions[index].title =
                title.text.cut(toBytes: String.mostBytesShown).text.directionsBalanced().text
            if case .reply = action.kind, !offers(.reply) {
                lost.add(.reply, "'\(action.id)' is a button: there is no reply field")
                content.actions[index].kind = .button
            }
        }
    }

    /// For files that were removed after `add`, and for icon files, which `add` does not check.
    private static let absence = "is not there, can't be read, or is not a regular file"

    private mutating func preparePictures() {
        let isThere: (NoticeAttachment) -> Bool = { $0.isPicture && RegularFile.isReadable($0.path) }
        if content.image == nil, let picture = content.attachments.first(where: isThere) {
            content.image = .file(picture.path)
        }
        lost += content.removeFiles { RegularFile.isReadable($0) ? nil : Self.absence }
        if content.image != nil, !offers(.image) {
            let isFree = content.icon == nil && offers(.icon)
            let icon = isFree ? content.image.flatMap(NoticeIcon.init) : nil
            content.icon = content.icon ?? icon
            let becomes = icon == nil ? "" : ": it is the icon"
            lost.add(.image, "\(capabilities.server) shows no images\(becomes)")
            content.image = nil
        }
        if content.icon != nil, !offers(.icon) {
            lost.add(.icon, "\(capabilities.server) shows no icons")
            content.icon = nil
        }
    }

    private static func usable(_ icon: NoticeIcon) -> NoticeIcon? {
        switch icon {
        case .named(let name): .named(name.cleaned().text.cut(toBytes: String.mostBytesShown).text)
        case .file(let path): RegularFile.isReadable(path) ? icon : nil
        }
    }
}

extension NoticeIcon {
    /// Converts an image to an icon, which is a name or a file; nil for pixels.
    package init?(_ image: NoticeImage) {
        switch image {
        case .named(let name): self = .named(name)
        case .file(let path): self = .file(path)
        case .pixels: return nil
        }
    }
}

extension Delivery {
    /// Returns the delivery that a center sends to a backend with these capabilities. Texts are cleaned and cut;
    /// ``lost`` lists what can't be shown. It may have been prepared for other capabilities before.
    package func prepared(for capabilities: DeliveryCapabilities) -> Delivery {
        let prepared = DeliveryPreparation(content, appIcon: app.icon, for: capabilities)
        var delivery = self
        delivery.content = prepared.content
        delivery.lost += prepared.lost.filter { !lost.contains($0) }
        delivery = delivery.withAppName()
        let app = delivery.app.cleaned()
        delivery.lost.add(.title, "the app's name or identifier was cut or cleaned", if: app != delivery.app)
        delivery.app = app
        return delivery
    }

    /// Returns the delivery with the app name of its content, if that has one.
    func withAppName() -> Delivery {
        guard let name = content.desktop.appName, !name.isEmpty else { return self }
        var delivery = self
        delivery.app.name = name
        return delivery
    }
}

extension AppIdentity {
    /// The maximum length of an identifier, in bytes: it names files.
    private static let mostBytesOfID = 255

    /// Returns the identity in the form that servers get: the name like other texts, and the identifier without control
    /// characters and with at most 255 bytes.
    package func cleaned() -> AppIdentity {
        var app = self
        app.id = String(id.unicodeScalars.filter { !$0.isControl }).cut(toBytes: Self.mostBytesOfID).text
        app.name = name.cleaned().text.cut(toBytes: String.mostBytesShown).text.directionsBalanced().text
        return app
    }
}
