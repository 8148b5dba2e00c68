import Belfry
import BelfryRecurrence

/// Formats notices for programs: the fields of `--json`; empty ones are omitted.
enum NoticeObject {
    /// Returns the object on a line of its own.
    static func line(_ delivery: Delivery, in zone: ZoneRules) -> String {
        let content = delivery.content
        var fields: [String: JSONValue] = [
            "id": .string(delivery.requestID), "delivery": .string(delivery.id), "app": .string(delivery.app.id),
            "title": .string(content.title), "at": .string(LocalTimestamp(of: delivery, in: zone).rfc3339),
            "late": .double(max(0, (delivery.late.seconds * 1000).rounded() / 1000)),
            "level": .string(content.level.rawValue),
        ]
        if !content.subtitle.isEmpty { fields["subtitle"] = .string(content.subtitle) }
        if !content.body.isEmpty { fields["body"] = .string(content.body) }
        if content.bodyFormat != .plain { fields["bodyFormat"] = .string(content.bodyFormat.rawValue) }
        fields["thread"] = content.thread.map { .string($0) }
        fields["series"] = delivery.series.map { .string($0) }
        fields["category"] = (content.category ?? content.desktop.category).map { .string($0) }
        fields["desktopCategory"] = content.desktop.category.map { .string($0) }
        if !content.actions.isEmpty { fields["actions"] = .array(content.actions.map(button)) }
        fields["progress"] = content.progress.map { .double($0) }
        fields["badge"] = content.badge.map { .int(Int64($0)) }
        fields["icon"] = content.icon.map { .string(name($0)) }
        fields["image"] = content.image.map { .string(name($0)) }
        fields["sound"] = content.sound.map { .string(name($0)) }
        if case .after(let duration) = content.desktop.expiry { fields["expires"] = .double(duration.seconds) }
        if delivery.isPossiblyRepeated { fields["possiblyRepeated"] = true }
        if !delivery.lost.isEmpty { fields["lost"] = .array(delivery.lost.map { .string($0.description) }) }
        if !content.userInfo.isEmpty { fields["userInfo"] = .object(content.userInfo) }
        return line(fields)
    }

    static func withdrawn(_ delivery: Delivery) -> String {
        line(["withdrawn": ["id": .string(delivery.requestID)]])
    }

    private static func button(_ action: NoticeAction) -> JSONValue {
        var fields: [String: JSONValue] = ["id": .string(action.id), "title": .string(action.title)]
        fields["icon"] = action.icon.map { .string($0) }
        // The placeholder of the reply field.
        if case .reply(let text) = action.kind { fields["reply"] = .string(text) }
        return .object(fields)
    }

    private static func name(_ icon: NoticeIcon) -> String {
        switch icon {
        case .named(let text), .file(let text): text
        }
    }

    private static func name(_ image: NoticeImage) -> String {
        switch image {
        case .named(let text), .file(let text): text
        case .pixels(let pixels): "\(pixels.width)x\(pixels.height) pixels"
        }
    }

    private static func name(_ sound: NoticeSound) -> String {
        switch sound {
        case .standard: "standard"
        case .silent: "silent"
        case .named(let text), .file(let text): text
        }
    }

    private static func line(_ fields: [String: JSONValue]) -> String {
        var text = JSONText()
        text.value(.object(fields))
        return String(decoding: text.bytes, as: UTF8.self) + "\n"
    }
}
