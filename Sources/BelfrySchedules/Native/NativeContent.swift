import Belfry

/// The content of a notice in Belfry's own form: the keys are the names of ``NoticeContent``'s properties.
struct NativeContent {
    let notice: ObjectReader
    let options: ScheduleOptions

    func read() -> NoticeContent {
        var content = NoticeContent(title: "")
        content.set(title: notice.localized("title"))
        content.set(notice.localized("subtitle"), \.subtitle, \.subtitle)
        content.set(body: notice.localized("body"))
        content.bodyFormat = notice.choice("bodyFormat") ?? content.bodyFormat
        content.thread = notice.text("thread")
        content.category = notice.text("category")
        content.level = notice.choice("level") ?? content.level
        content.relevance = share("relevance") ?? content.relevance
        content.progress = share("progress")
        content.badge = notice.integer("badge", 0...Int.max)
        content.sound = notice.text("sound").map(sound)
        content.image = notice.text("image").map { isFile($0) ? .file(path($0)) : .named($0) }
        content.icon = notice.text("icon").map { isFile($0) ? .file(path($0)) : .named($0) }
        content.desktop.category = notice.text("desktopCategory")
        content.desktop.appName = notice.text("appName")
        content.reportsDismissal = notice.bool("reportsDismissal") ?? false
        content.desktop.isTransient = notice.bool("isTransient") ?? false
        content.desktop.isResident = notice.bool("isResident") ?? false
        content.desktop.isPersistent = notice.bool("isPersistent") ?? false
        content.desktop.privacy = notice.choice("privacy")
        content.isDisplayed = notice.bool("isDisplayed") ?? true
        content.desktop.expiry = expiry() ?? .serverDefault
        readActions(&content)
        content.attachments = attachments()
        content.desktop.hints = hints()
        content.userInfo = userInfo() ?? [:]
        return content
    }

    private func share(_ name: String) -> Double? {
        guard let share = notice.number(name) else { return nil }
        return (0...1).contains(share) ? share : notice.report(name, "must be 0 to 1, found \(share)")
    }

    private func expiry() -> NoticeContent.Desktop.Expiry? {
        switch notice.position("expiry")?.node.text {
        case "never": .never
        case "serverDefault": .serverDefault
        default: notice.duration("expiry").map { .after($0) }
        }
    }

    private func readActions(_ content: inout NoticeContent) {
        for position in notice.positions("actions") ?? [] {
            guard let reader = ObjectReader(position, NativeKeys.action, notice.collector) else { continue }
            for key in ["id", "title"] { reader.require(key, "an action has an id and a title") }
            guard let id = reader.text("id"), let title = reader.localized("title") else { continue }
            var action = NoticeAction(id, title: title.fallback, icon: reader.text("icon"))
            action.purpose = reader.choice("purpose")
            if let placeholder = reader.text("reply") { action.kind = .reply(placeholder: placeholder) }
            content.actions.append(action)
            for (language, text) in title.byLanguage {
                content.translations[language, default: NoticeContent.Translation()].actions[id] = text
            }
        }
    }

    private func userInfo() -> [String: JSONValue]? {
        guard let position = notice.position("userInfo") else { return nil }
        return position.node.json.objectValue ?? notice.mismatch("userInfo", "an object")
    }

    // MARK: Files

    private func isFile(_ text: String) -> Bool { text.contains("/") }

    /// Returns a path; relative ones begin at the schedule file's directory.
    private func path(_ text: String) -> String {
        guard !text.hasPrefix("/"), let folder = options.folder else { return text }
        return PathText.path(text, in: folder)
    }

    private func sound(_ text: String) -> NoticeSound {
        switch text {
        case "standard": .standard
        case "silent": .silent
        default: isFile(text) ? .file(path(text)) : .named(text)
        }
    }

    private func attachments() -> [NoticeAttachment] {
        (notice.positions("attachments") ?? []).compactMap { position in
            if let file = position.node.text { return NoticeAttachment(id: file, path: path(file)) }
            guard let reader = ObjectReader(position, NativeKeys.attachment, notice.collector),
                reader.require("path", "name the file"), let file = reader.text("path")
            else { return nil }
            let (id, mediaType) = (reader.text("id") ?? file, reader.text("mediaType"))
            return NoticeAttachment(id: id, path: path(file), mediaType: mediaType)
        }
    }

    // MARK: Hints

    private func hints() -> [String: NoticeContent.Hint] {
        guard let position = notice.position("hints") else { return [:] }
        guard let fields = position.fields else { return notice.mismatch("hints", "an object of hints by name") ?? [:] }
        return Dictionary(
            fields.compactMap { name, position in hint(position).map { (name, $0) } },
            uniquingKeysWith: { _, last in last }
        )
    }

    /// Reads a plain value, or an object that names the type: `{ "byte": 1 }`.
    private func hint(_ position: NodePosition) -> NoticeContent.Hint? {
        switch position.node.value {
        case .bool(let value): return .bool(value)
        case .integer(let value): return Int32(exactly: value).map { .int($0) } ?? .int64(value)
        case .number(let value): return .double(value)
        case .text(let value): return .string(value)
        case .null, .list:
            notice.collector.add("must be a value, found \(position.node.found)", at: position)
            return nil
        case .object(let fields):
            guard let reader = ObjectReader(position, NativeKeys.hint, notice.collector) else { return nil }
            guard fields.count == 1 else {
                reader.report("must have one key, its type: \(NativeKeys.hint.joined(separator: ", "))")
                return nil
            }
            switch fields[0].name {
            case "byte": return reader.integer("byte", 0...255).map { .byte(UInt8($0)) }
            case "int": return reader.integer("int", Int(Int32.min)...Int(Int32.max)).map { .int(Int32($0)) }
            case "int64": return reader.integer("int64", Int.min...Int.max).map { .int64(Int64($0)) }
            case "uint": return reader.integer("uint", 0...Int(UInt32.max)).map { .uint(UInt32($0)) }
            case "double": return reader.number("double").map { .double($0) }
            case "string": return reader.text("string").map { .string($0) }
            default: return reader.bool("bool").map { .bool($0) }
            }
        }
    }
}
