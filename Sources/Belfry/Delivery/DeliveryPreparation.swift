import FoundationEssentials

/// Makes of a content what one backend can show, and tells what was lost.
///
/// The order in which things are given up is fixed: a reply field is a button, and where there are no buttons the text
/// alone; an image is an icon, and where there are none, nothing; markup is plain text, a link is "text (address)".
struct DeliveryPreparation {
    /// Longest label of a button, in characters.
    static let actionTitleLimit = 256

    let capabilities: DeliveryCapabilities
    var content: NoticeContent
    var lost: [DeliveryReceipt.LostFeature] = []

    private init(_ content: NoticeContent, for capabilities: DeliveryCapabilities) {
        self.content = content
        self.capabilities = capabilities
    }

    /// `appIcon` is for a content without an icon of its own, and is no loss where there are no icons.
    static func prepare(
        _ content: NoticeContent,
        appIcon: NoticeIcon? = nil,
        for capabilities: DeliveryCapabilities
    ) -> (content: NoticeContent, lost: [DeliveryReceipt.LostFeature]) {
        var preparation = DeliveryPreparation(content, for: capabilities)
        preparation.prepareAll(appIcon)
        return (preparation.content, preparation.lost)
    }

    /// Notes what is lost, in the order of the receipt.
    mutating func lose(_ feature: DeliveryReceipt.LostFeature.Feature, _ detail: String) {
        lost.append(DeliveryReceipt.LostFeature(feature, detail))
    }

    func offers(_ feature: DeliveryCapabilities.Feature) -> Bool { capabilities.features.contains(feature) }

    private mutating func prepareAll(_ appIcon: NoticeIcon?) {
        // First, so that of ten thousand labels only those are read that are shown.
        let missing = limitActions()
        prepareTexts()
        if let missing { lose(.actions, missing) }
        prepareActions()
        preparePictures()
        if content.icon == nil, offers(.icon) { content.icon = appIcon.flatMap(Self.usable) }
        for (name, hint) in content.desktop.hints.sorted(by: { $0.key < $1.key }) {
            // What an older version's store holds may be as the check at `add` lets nothing pass any more.
            do throws(NoticeError) { content.desktop.hints[name] = try HintType.checked(hint, named: name) } catch {
                content.desktop.hints[name] = nil
                lose(.hint, error.message)
            }
        }
        if content.progress != nil, !offers(.progress) {
            lose(.progress, "\(capabilities.server) shows no progress")
        }
        if let sound = content.sound, sound != .silent, !offers(.sound) {
            lose(.sound, "\(capabilities.server) plays no sound")
        }
        if content.badge != nil, !offers(.badge) {
            lose(.badge, "\(capabilities.server) shows no badge")
        }
    }

    /// Returns what to say of actions that are left out; nil where all stay.
    ///
    /// The click on the notice itself is no button: it stays where there are actions at all.
    private mutating func limitActions() -> String? {
        guard !content.actions.isEmpty else { return nil }
        guard offers(.actions) else {
            content.actions = []
            return "\(capabilities.server) shows no buttons"
        }
        let isButton: (NoticeAction) -> Bool = { $0.id != NoticeAction.defaultID }
        let count = content.actions.count(where: isButton)
        guard let limit = capabilities.actionLimit.map({ max(0, $0) }), count > limit else { return nil }
        var left = limit
        content.actions = content.actions.filter { action in
            guard isButton(action) else { return true }
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
                lose(.actions, "the label of '\(label)' is cut to \(Self.actionTitleLimit) characters")
            }
            content.actions[index].title =
                title.text.cut(toBytes: String.mostBytesShown).text.directionsBalanced().text
            if case .reply = action.kind, !offers(.reply) {
                lose(.reply, "'\(action.id)' is a button: there is no reply field")
                content.actions[index].kind = .button
            }
        }
    }

    /// Of a file that has gone since `add`, and of an icon's that never was.
    private static let absence = "is not there, can't be read, or is not a regular file"

    private mutating func preparePictures() {
        let isThere: (NoticeAttachment) -> Bool = { $0.isPicture && RegularFile.isReadable($0.path) }
        if content.image == nil, let picture = content.attachments.first(where: isThere) {
            content.image = .file(picture.path)
        }
        if case .file(let path) = content.image, !RegularFile.isReadable(path) {
            lose(.image, "'\(path)' \(Self.absence)")
            content.image = nil
        }
        for attachment in content.attachments where !RegularFile.isReadable(attachment.path) {
            lose(.attachment, "'\(attachment.path)' \(Self.absence)")
        }
        if case .file(let path) = content.sound, !RegularFile.isReadable(path) {
            lose(.sound, "'\(path)' \(Self.absence)")
            content.sound = nil
        }
        if case .file(let path) = content.icon, !RegularFile.isReadable(path) {
            lose(.icon, "'\(path)' \(Self.absence)")
            content.icon = nil
        }
        if content.image != nil, !offers(.image) {
            let isFree = content.icon == nil && offers(.icon)
            let icon = isFree ? content.image.flatMap(NoticeIcon.init) : nil
            content.icon = content.icon ?? icon
            let becomes = icon == nil ? "" : ": it is the icon"
            lose(.image, "\(capabilities.server) shows no images\(becomes)")
            content.image = nil
        }
        if content.icon != nil, !offers(.icon) {
            lose(.icon, "\(capabilities.server) shows no icons")
            content.icon = nil
        }
    }

    private static func usable(_ icon: NoticeIcon) -> NoticeIcon? {
        switch icon {
        case .named(let name): .named(name.cleaned().text)
        case .file(let path): RegularFile.isReadable(path) ? icon : nil
        }
    }
}

extension NoticeIcon {
    /// Nil for pixels: an icon is a name or a file.
    package init?(_ image: NoticeImage) {
        switch image {
        case .named(let name): self = .named(name)
        case .file(let path): self = .file(path)
        case .pixels: return nil
        }
    }
}

extension Delivery {
    /// As a center hands it to a backend that offers these capabilities: texts cleaned and cut, what can't be shown
    /// left out and named in ``lost``.
    package func prepared(for capabilities: DeliveryCapabilities) -> Delivery {
        var delivery = self
        (delivery.content, delivery.lost) = DeliveryPreparation.prepare(content, for: capabilities)
        return delivery
    }
}
