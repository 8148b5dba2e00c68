import Belfry
import Foundation

extension UNNotificationContent {
    /// The content as Belfry has it.
    func noticeContent() throws(NoticeError) -> NoticeContent {
        var content = NoticeContent(title: title)
        content.subtitle = subtitle
        content.body = body
        content.badge = badge?.intValue
        content.sound = sound?.sound ?? .silent
        content.category = categoryIdentifier.isEmpty ? nil : categoryIdentifier
        content.thread = threadIdentifier.isEmpty ? nil : threadIdentifier
        content.relevance = relevanceScore
        content.attachments = attachments.map(\.attachment)
        content.level =
            switch interruptionLevel {
            case .passive: .passive
            case .active: .active
            case .timeSensitive: .timeSensitive
            case .critical: .critical
            }
        for (key, value) in userInfo {
            guard let name = key.base as? String, let value = JSONValue(any: value) else {
                throw NoticeError(
                    .invalidContent,
                    "userInfo[\(key)] is a \(type(of: value)): use strings, numbers, Bool, arrays and dictionaries of them"
                )
            }
            content.userInfo[name] = value
        }
        return content
    }

    convenience init(_ content: NoticeContent) {
        self.init()
        values.title = content.title
        values.subtitle = content.subtitle
        values.body = content.body
        values.badge = content.badge.map { NSNumber(value: $0) }
        values.sound = content.sound.flatMap { $0 == .silent ? nil : UNNotificationSound($0) }
        values.userInfo = Dictionary(uniqueKeysWithValues: content.userInfo.map { (AnyHashable($0), $1.any) })
        values.categoryIdentifier = content.category ?? ""
        values.threadIdentifier = content.thread ?? ""
        values.relevanceScore = content.relevance
        values.attachments = content.attachments.map { UNNotificationAttachment($0) }
        values.interruptionLevel =
            switch content.level {
            case .passive: .passive
            case .active: .active
            case .timeSensitive: .timeSensitive
            case .critical: .critical
            }
    }
}

extension JSONValue {
    /// The value of a property list without dates and data; nil for anything else.
    fileprivate init?(any value: Any) {
        switch value {
        case let value as Bool: self = .bool(value)
        case let value as any BinaryInteger:
            guard let whole = Int64(exactly: value) else { return nil }
            self = .int(whole)
        case let value as any BinaryFloatingPoint: self = .double(Double(value))
        case let value as String: self = .string(value)
        case let value as [Any]:
            let values = value.compactMap { JSONValue(any: $0) }
            guard values.count == value.count else { return nil }
            self = .array(values)
        case let value as [String: Any]:
            let values = value.compactMapValues { JSONValue(any: $0) }
            guard values.count == value.count else { return nil }
            self = .object(values)
        default: return nil
        }
    }

    fileprivate var any: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .int(let value): Int(value)
        case .double(let value): value
        case .string(let value): value
        case .array(let values): values.map(\.any)
        case .object(let values): values.mapValues(\.any)
        }
    }
}
