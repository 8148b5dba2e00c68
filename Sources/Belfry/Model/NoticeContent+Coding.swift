extension NoticeContent: Codable {
    private enum Key: String, CodingKey {
        case title, subtitle, body, bodyFormat, translations, icon, image, sound, level, relevance, category, thread
        case actions, reportsDismissal, progress, badge, attachments, expiry, isTransient, isResident, isDisplayed
        case desktopCategory
        case hints, userInfo, summary, appName
    }

    /// What is missing has its default: contents that an earlier version stored are read as they were meant.
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
        // By the method for counts, which knows their bounds.
        badge = try values.decodeIfPresent(Int.self, forKey: .badge)
        attachments = try value(.attachments, or: attachments)
        expiry = try value(.expiry, or: expiry)
        isTransient = try value(.isTransient, or: isTransient)
        isResident = try value(.isResident, or: isResident)
        isDisplayed = try value(.isDisplayed, or: isDisplayed)
        desktopCategory = try values.decodeIfPresent(forKey: .desktopCategory)
        hints = try value(.hints, or: hints)
        userInfo = try value(.userInfo, or: userInfo)
        summary = try values.decodeIfPresent(forKey: .summary)
        appName = try values.decodeIfPresent(forKey: .appName)
    }

    /// What has its default is left out.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        let plain = NoticeContent(title: "")
        func put<Value: Encodable & Equatable>(_ value: Value, _ missing: Value, _ key: Key) throws {
            if value != missing { try values.encode(value, forKey: key) }
        }
        try values.encode(title, forKey: .title)
        try put(subtitle, plain.subtitle, .subtitle)
        try put(body, plain.body, .body)
        try put(bodyFormat, plain.bodyFormat, .bodyFormat)
        try put(translations, plain.translations, .translations)
        try values.encodeIfPresent(icon, forKey: .icon)
        try values.encodeIfPresent(image, forKey: .image)
        try values.encodeIfPresent(sound, forKey: .sound)
        try put(level, plain.level, .level)
        try put(relevance, plain.relevance, .relevance)
        try values.encodeIfPresent(category, forKey: .category)
        try values.encodeIfPresent(thread, forKey: .thread)
        try put(actions, plain.actions, .actions)
        try put(reportsDismissal, plain.reportsDismissal, .reportsDismissal)
        try values.encodeIfPresent(progress, forKey: .progress)
        try values.encodeIfPresent(badge, forKey: .badge)
        try put(attachments, plain.attachments, .attachments)
        try put(expiry, plain.expiry, .expiry)
        try put(isTransient, plain.isTransient, .isTransient)
        try put(isResident, plain.isResident, .isResident)
        try put(isDisplayed, plain.isDisplayed, .isDisplayed)
        try values.encodeIfPresent(desktopCategory, forKey: .desktopCategory)
        try put(hints, plain.hints, .hints)
        try put(userInfo, plain.userInfo, .userInfo)
        try values.encodeIfPresent(summary, forKey: .summary)
        try values.encodeIfPresent(appName, forKey: .appName)
    }
}

extension KeyedDecodingContainer {
    fileprivate func decodeIfPresent<Value: Decodable>(forKey key: Key) throws -> Value? {
        try decodeIfPresent(Value.self, forKey: key)
    }
}
