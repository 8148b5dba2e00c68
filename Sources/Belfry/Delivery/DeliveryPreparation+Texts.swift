extension DeliveryPreparation {
    static func prepareTexts(
        _ content: inout NoticeContent,
        _ capabilities: DeliveryCapabilities,
        _ lost: inout [DeliveryReceipt.LostFeature]
    ) {
        var cleaning = TextCleaning()
        cleaning.clean(&content)
        let rendersMarkup = capabilities.features.contains(.markup)
        cut(&content.title, .title, capabilities.titleLimit, &lost)
        cut(&content.subtitle, .subtitle, capabilities.titleLimit, escaped: rendersMarkup, &lost)
        cutBody(&content, capabilities, &lost)
        cutNames(&content, &lost)
        // A cut may have left an opening without its end.
        cleaning.balance(&content)
        if cleaning.removed > 0 {
            let detail = "\(cleaning.removed) characters that can't be shown were removed"
            lost.insert(DeliveryReceipt.LostFeature(.controlCharacters, detail), at: 0)
        }
        if !content.body.isEmpty, !capabilities.features.contains(.body) {
            lost.append(DeliveryReceipt.LostFeature(.body, "\(capabilities.server) shows titles only"))
        }
    }

    private static func cut(
        _ text: inout String,
        _ feature: DeliveryReceipt.LostFeature.Feature,
        _ limit: Int?,
        bytes: Int = String.mostBytesShown,
        escaped: Bool = false,
        _ lost: inout [DeliveryReceipt.LostFeature]
    ) {
        let whole = text
        let shorter = whole.cut(to: limit)
        let bounded = shorter.text.cut(toBytes: bytes, escaped: escaped)
        if bounded.isCut {
            lost.append(DeliveryReceipt.LostFeature(feature, "cut to \(max(0, bytes)) of \(whole.utf8.count) bytes"))
        } else if shorter.isCut {
            lost.append(
                DeliveryReceipt.LostFeature(feature, "cut to \(max(0, limit ?? 0)) of \(whole.count) characters")
            )
        }
        text = bounded.text
    }

    private static func cutBody(
        _ content: inout NoticeContent,
        _ capabilities: DeliveryCapabilities,
        _ lost: inout [DeliveryReceipt.LostFeature]
    ) {
        let features = capabilities.features
        let rendersMarkup = features.contains(.markup)
        // To most servers the subtitle is the body's first line.
        let subtitle = rendersMarkup ? content.subtitle.escapedLength : content.subtitle.utf8.count
        let room = String.mostBytesShown - (subtitle == 0 ? 0 : subtitle + 1)
        guard content.bodyFormat == .markup else {
            return cut(&content.body, .body, capabilities.bodyLimit, bytes: room, escaped: rendersMarkup, &lost)
        }
        let target: MarkupReduction.Target =
            !rendersMarkup ? .plain : features.contains(.links) ? .markup : .markupWithoutLinks
        let reduced = MarkupReduction.reduce(
            content.body,
            to: target,
            limit: capabilities.bodyLimit,
            byteLimit: room
        )
        if reduced.isCut {
            let limit = reduced.isCutByBytes ? "\(max(0, room)) bytes" : "\(max(0, capabilities.bodyLimit ?? 0))"
            lost.append(DeliveryReceipt.LostFeature(.body, "cut to \(limit) of \(content.body.count) characters"))
        }
        if target == .plain {
            lost.append(DeliveryReceipt.LostFeature(.markup, "\(capabilities.server) shows plain text"))
            content.bodyFormat = .plain
        }
        if reduced.hasLinks, target != .markup {
            lost.append(
                DeliveryReceipt.LostFeature(
                    .links,
                    "\(capabilities.server) shows no links: addresses follow in parentheses"
                )
            )
        }
        content.body = reduced.text
    }

    /// What is no text to read, and has no limit in characters.
    private static func cutNames(_ content: inout NoticeContent, _ lost: inout [DeliveryReceipt.LostFeature]) {
        func cut(_ text: inout String?, _ feature: DeliveryReceipt.LostFeature.Feature) {
            guard var whole = text else { return }
            Self.cut(&whole, feature, nil, &lost)
            text = whole
        }
        cut(&content.thread, .thread)
        cut(&content.desktopCategory, .category)
        cut(&content.appName, .title)
        for index in content.actions.indices {
            cut(&content.actions[index].icon, .actions)
            guard case .reply(var placeholder) = content.actions[index].kind else { continue }
            Self.cut(&placeholder, .reply, nil, &lost)
            content.actions[index].kind = .reply(placeholder: placeholder)
        }
        if case .named(var name) = content.icon {
            Self.cut(&name, .icon, nil, &lost)
            content.icon = .named(name)
        }
        if case .named(var name) = content.image {
            Self.cut(&name, .image, nil, &lost)
            content.image = .named(name)
        }
        if case .named(var name) = content.sound {
            Self.cut(&name, .sound, nil, &lost)
            content.sound = .named(name)
        }
        for (name, hint) in content.hints.sorted(by: { $0.key < $1.key }) {
            guard case .string(var text) = hint else { continue }
            Self.cut(&text, .hint, nil, &lost)
            content.hints[name] = .string(text)
        }
    }
}

/// What is removed from the texts of a content, and how much that was.
private struct TextCleaning {
    private(set) var removed = 0

    mutating func clean(_ content: inout NoticeContent) {
        changeTexts(of: &content) { $0.cleaned() }
    }

    mutating func balance(_ content: inout NoticeContent) {
        changeTexts(of: &content) { $0.directionsBalanced() }
    }

    private mutating func changeTexts(
        of content: inout NoticeContent,
        _ change: (String) -> (text: String, removed: Int)
    ) {
        var removed = 0
        func apply(_ text: inout String) {
            let result = change(text)
            text = result.text
            removed += result.removed
        }
        func applyIfPresent(_ text: inout String?) { if text != nil { apply(&text!) } }
        apply(&content.title)
        apply(&content.subtitle)
        apply(&content.body)
        for index in content.actions.indices {
            apply(&content.actions[index].title)
            applyIfPresent(&content.actions[index].icon)
            if case .reply(var placeholder) = content.actions[index].kind {
                apply(&placeholder)
                content.actions[index].kind = .reply(placeholder: placeholder)
            }
        }
        applyIfPresent(&content.thread)
        applyIfPresent(&content.desktopCategory)
        applyIfPresent(&content.appName)
        if case .named(var name) = content.icon {
            apply(&name)
            content.icon = .named(name)
        }
        if case .named(var name) = content.image {
            apply(&name)
            content.image = .named(name)
        }
        if case .named(var name) = content.sound {
            apply(&name)
            content.sound = .named(name)
        }
        for (name, hint) in content.hints {
            guard case .string(var text) = hint else { continue }
            apply(&text)
            content.hints[name] = .string(text)
        }
        self.removed += removed
    }
}
