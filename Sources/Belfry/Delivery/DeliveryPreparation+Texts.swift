extension DeliveryPreparation {
    mutating func prepareTexts() {
        let cleaned = changeTexts { $0.cleaned() }
        content.title = cut(content.title, .title, capabilities.titleLimit)
        content.subtitle = cut(content.subtitle, .subtitle, capabilities.titleLimit, escaped: offers(.markup))
        cutBody()
        // Names are not displayed as texts: they have no limit in characters.
        var names = content
        names.changeNames { cut($0, $1, nil) }
        content = names
        // A cut may have removed the end of a directional embedding.
        let removed = cleaned + changeTexts { $0.directionsBalanced() }
        if removed > 0 {
            let detail = "\(removed) characters that can't be shown were removed"
            lost.insert(DeliveryReceipt.LostFeature(.controlCharacters, detail), at: 0)
        }
        if !content.body.isEmpty, !offers(.body) { lost.add(.body, "\(capabilities.server) shows titles only") }
    }

    /// Changes all texts; returns how many characters were removed.
    private mutating func changeTexts(_ change: (String) -> (text: String, removed: Int)) -> Int {
        var removed = 0
        func changed(_ text: String) -> String {
            let result = change(text)
            removed += result.removed
            return result.text
        }
        content.title = changed(content.title)
        content.subtitle = changed(content.subtitle)
        content.body = changed(content.body)
        for index in content.actions.indices { content.actions[index].title = changed(content.actions[index].title) }
        content.changeNames { text, _ in changed(text) }
        return removed
    }

    private mutating func cut(
        _ text: String,
        _ feature: DeliveryReceipt.LostFeature.Feature,
        _ limit: Int?,
        bytes: Int = String.mostBytesShown,
        escaped: Bool = false
    ) -> String {
        let shorter = text.cut(to: limit)
        let bounded = shorter.text.cut(toBytes: bytes, escaped: escaped)
        // The bytes of an escaped text are not those of the text that was given.
        if bounded.isCut, !escaped {
            lost.add(feature, "cut to \(max(0, bytes)) of \(text.utf8.count) bytes")
        } else if bounded.isCut || shorter.isCut {
            lost.add(feature, "cut to \(bounded.text.shownLength) of \(text.shownLength) characters")
        }
        return bounded.text
    }

    private mutating func cutBody() {
        let rendersMarkup = offers(.markup)
        // Most servers show the subtitle as the body's first line.
        let subtitle = rendersMarkup ? content.subtitle.escapedLength : content.subtitle.utf8.count
        let room = String.mostBytesShown - (subtitle == 0 ? 0 : subtitle + 1)
        guard content.bodyFormat == .markup else {
            content.body = cut(content.body, .body, capabilities.bodyLimit, bytes: room, escaped: rendersMarkup)
            return
        }
        let target: MarkupReduction.Target =
            !rendersMarkup ? .plain : offers(.links) ? .markup : .markupWithoutLinks
        let reduced = MarkupReduction(
            content.body,
            to: target,
            showingPictures: offers(.bodyImages),
            limit: capabilities.bodyLimit,
            byteLimit: room
        )
        if reduced.isCut {
            lost.add(.body, "cut to \(reduced.characters) of \(content.body.shownLength) characters")
        }
        if target == .plain {
            lost.add(.markup, "\(capabilities.server) shows plain text")
            content.bodyFormat = .plain
        }
        if reduced.hasLinks, target != .markup {
            lost.add(.links, "\(capabilities.server) shows no links: addresses follow in parentheses")
        }
        if reduced.hasLostPictures {
            let reason = offers(.bodyImages) ? "is no picture file here" : "\(capabilities.server) shows none"
            lost.add(.image, "a picture in the text: \(reason)")
        }
        content.body = reduced.output
    }
}

extension NoticeContent {
    /// Changes every text except title, subtitle, body and labels. `change` receives the text and its feature.
    fileprivate mutating func changeNames(_ change: (String, DeliveryReceipt.LostFeature.Feature) -> String) {
        thread = thread.map { change($0, .thread) }
        desktop.category = desktop.category.map { change($0, .category) }
        desktop.appName = desktop.appName.map { change($0, .title) }
        for index in actions.indices {
            actions[index].icon = actions[index].icon.map { change($0, .actions) }
            guard case .reply(let placeholder) = actions[index].kind else { continue }
            actions[index].kind = .reply(placeholder: change(placeholder, .reply))
        }
        if case .named(let name) = icon { icon = .named(change(name, .icon)) }
        if case .named(let name) = image { image = .named(change(name, .image)) }
        if case .named(let name) = sound { sound = .named(change(name, .sound)) }
        for (name, hint) in desktop.hints.sorted(by: { $0.key < $1.key }) {
            guard case .string(let text) = hint else { continue }
            desktop.hints[name] = .string(change(text, .hint))
        }
    }
}
