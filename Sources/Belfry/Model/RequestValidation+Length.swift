extension RequestValidation {
    /// The maximum bytes of a request without the pixels of its image.
    package static let lengthLimit = 1 << 20
    /// The maximum bytes of ``NoticeContent/userInfo`` as JSON.
    private static let userInfoLimit = 256 << 10

    func checkLength(of request: NoticeRequest) throws(NoticeError) {
        var length = request.content.length + request.id.utf8.count + (request.series?.utf8.count ?? 0)
        for language in request.languages ?? [] { length += language.utf8.count + 3 }
        for step in request.escalation { length += step.length }
        try checkLength(length, "request '\(request.id.prefix(80))'")
    }

    func checkLength(of content: NoticeContent, _ id: String) throws(NoticeError) {
        try checkLength(content.length, "notice '\(id.prefix(80))'")
        for (key, value) in content.userInfo where !value.isNested() {
            throw NoticeError(
                .invalidContent,
                "The userInfo of '\(key.prefix(80))' is nested deeper than \(JSONValue.deepest) levels."
            )
        }
        let length = JSONValue.object(content.userInfo).length
        guard length <= Self.userInfoLimit else {
            throw NoticeError(
                .invalidContent,
                "The userInfo of '\(id.prefix(80))' has \(length) bytes: \(Self.userInfoLimit) are the most."
            )
        }
    }

    private func checkLength(_ length: Int, _ what: @autoclosure () -> String) throws(NoticeError) {
        guard length > Self.lengthLimit else { return }
        throw NoticeError(
            .invalidContent,
            "The \(what()) has \(length) bytes: \(Self.lengthLimit) are the most. Name large files by their paths."
        )
    }
}

extension NoticeContent {
    /// The bytes of its texts, names and hints, without ``userInfo``, which has its own limit, and without pixels.
    fileprivate var length: Int {
        var length = title.utf8.count + subtitle.utf8.count + body.utf8.count
        func add(_ text: String?) { length += text?.utf8.count ?? 0 }
        for text in [category, thread, desktop.category, desktop.appName] { add(text) }
        switch icon {
        case .named(let name), .file(let name): add(name)
        case nil: break
        }
        switch image {
        case .named(let name), .file(let name): add(name)
        case .pixels, nil: break
        }
        switch sound {
        case .named(let name), .file(let name): add(name)
        case .standard, .silent, nil: break
        }
        for action in actions { length += action.length }
        for attachment in attachments {
            for text in [attachment.id, attachment.path, attachment.mediaType] { add(text) }
        }
        for (name, hint) in desktop.hints {
            add(name)
            if case .string(let text) = hint { add(text) }
        }
        length += translations.length
        if let summary { length += summary.title.utf8.count + summary.body.utf8.count + summary.translations.length }
        return length
    }
}

extension NoticeAction {
    fileprivate var length: Int {
        var length = id.utf8.count + title.utf8.count + (icon?.utf8.count ?? 0)
        if case .reply(let placeholder) = kind { length += placeholder.utf8.count }
        return length
    }
}

extension NoticeSeries.EscalationStep {
    fileprivate var length: Int {
        [title, subtitle, body].reduce(translations?.length ?? 0) { $0 + ($1?.utf8.count ?? 0) }
    }
}

extension [String: NoticeContent.Translation] {
    fileprivate var length: Int {
        reduce(0) { length, element in
            let (language, texts) = element
            let actions = texts.actions.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
            return [language, texts.title, texts.subtitle, texts.body].reduce(length + actions) {
                $0 + ($1?.utf8.count ?? 0)
            }
        }
    }
}
