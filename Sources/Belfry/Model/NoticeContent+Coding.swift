/// The fields of ``NoticeContent/Desktop`` are coded next to the others, in the format of earlier versions.
extension NoticeContent: Codable {
    private enum Key: String, CodingKey {
        case title, subtitle, body, bodyFormat, translations, icon, image, sound, level, relevance, category, thread
        case actions, reportsDismissal, progress, badge, attachments, expiry, isTransient, isResident, isDisplayed
        case isPersistent, privacy, desktopCategory
        case hints, userInfo, summary, appName
    }

    /// A missing field gets its default, so contents that an earlier version stored keep their meaning.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func value<Value: Decodable>(_ key: Key, or missing: Value) throws -> Value {
            try values.decodeIfPresent(Value.self, forKey: key) ?? missing
        }
        self.init(title: try value(.title, or: ""))
        subtitle = try value(.subtitle, or: subtitle)
        body = try value(.body, or: body)
        bodyFormat = try value(.bodyFormat, or: bodyFormat)
        translations = try value(.translations, or: translations)
        icon = try values.decodeIfPresent(forKey: .icon)
        image = try values.decodeIfPresent(forKey: .image)
        sound = try values.decodeIfPresent(forKey: .sound)
        level = try value(.level, or: level)
        relevance = try value(.relevance, or: relevance)
        category = try values.decodeIfPresent(forKey: .category)
        thread = try values.decodeIfPresent(forKey: .thread)
        actions = try value(.actions, or: actions)
        reportsDismissal = try value(.reportsDismissal, or: reportsDismissal)
        progress = try values.decodeIfPresent(forKey: .progress)
        // Uses the overload for `Int`, which checks the bounds.
        badge = try values.decodeIfPresent(Int.self, forKey: .badge)
        attachments = try value(.attachments, or: attachments)
        isDisplayed = try value(.isDisplayed, or: isDisplayed)
        userInfo = try value(.userInfo, or: userInfo)
        summary = try values.decodeIfPresent(forKey: .summary)
        desktop.expiry = try value(.expiry, or: desktop.expiry)
        desktop.isTransient = try value(.isTransient, or: desktop.isTransient)
        desktop.isResident = try value(.isResident, or: desktop.isResident)
        desktop.isPersistent = try value(.isPersistent, or: desktop.isPersistent)
        desktop.privacy = try values.decodeIfPresent(forKey: .privacy)
        desktop.category = try values.decodeIfPresent(forKey: .desktopCategory)
        desktop.hints = try value(.hints, or: desktop.hints)
        desktop.appName = try values.decodeIfPresent(forKey: .appName)
    }

    /// Fields that have their default are omitted.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        let plain = NoticeContent(title: "")
        func encode<Value: Encodable & Equatable>(_ value: Value, unless missing: Value, _ key: Key) throws {
            if value != missing { try values.encode(value, forKey: key) }
        }
        try values.encode(title, forKey: .title)
        try encode(subtitle, unless: plain.subtitle, .subtitle)
        try encode(body, unless: plain.body, .body)
        try encode(bodyFormat, unless: plain.bodyFormat, .bodyFormat)
        try encode(translations, unless: plain.translations, .translations)
        try values.encodeIfPresent(icon, forKey: .icon)
        try values.encodeIfPresent(image, forKey: .image)
        try values.encodeIfPresent(sound, forKey: .sound)
        try encode(level, unless: plain.level, .level)
        try encode(relevance, unless: plain.relevance, .relevance)
        try values.encodeIfPresent(category, forKey: .category)
        try values.encodeIfPresent(thread, forKey: .thread)
        try encode(actions, unless: plain.actions, .actions)
        try encode(reportsDismissal, unless: plain.reportsDismissal, .reportsDismissal)
        try values.encodeIfPresent(progress, forKey: .progress)
        try values.encodeIfPresent(badge, forKey: .badge)
        try encode(attachments, unless: plain.attachments, .attachments)
        try encode(isDisplayed, unless: plain.isDisplayed, .isDisplayed)
        try encode(userInfo, unless: plain.userInfo, .userInfo)
        try values.encodeIfPresent(summary, forKey: .summary)
        try encode(desktop.expiry, unless: plain.desktop.expiry, .expiry)
        try encode(desktop.isTransient, unless: plain.desktop.isTransient, .isTransient)
        try encode(desktop.isResident, unless: plain.desktop.isResident, .isResident)
        try encode(desktop.isPersistent, unless: plain.desktop.isPersistent, .isPersistent)
        try values.encodeIfPresent(desktop.privacy, forKey: .privacy)
        try values.encodeIfPresent(desktop.category, forKey: .desktopCategory)
        try encode(desktop.hints, unless: plain.desktop.hints, .hints)
        try values.encodeIfPresent(desktop.appName, forKey: .appName)
    }
}

extension KeyedDecodingContainer {
    fileprivate func decodeIfPresent<Value: Decodable>(forKey key: Key) throws -> Value? {
        try decodeIfPresent(Value.self, forKey: key)
    }
}
