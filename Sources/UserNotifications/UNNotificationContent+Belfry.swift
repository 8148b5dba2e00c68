import Belfry
import CoreLocation
import Foundation

extension UNNotificationContent {
    /// The content in Belfry's form, with its trigger.
    func noticeContent(of trigger: UNNotificationTrigger?) throws(NoticeError) -> NoticeContent {
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
        var carried = CarriedValues()
        carried.launchImageName = launchImageName.isEmpty ? nil : launchImageName
        carried.targetContentIdentifier = targetContentIdentifier
        carried.filterCriteria = filterCriteria
        carried.summaryArgument = summaryArgument.isEmpty ? nil : summaryArgument
        carried.summaryArgumentCount = summaryArgumentCount == 0 ? nil : summaryArgumentCount
        carried.trigger = trigger.map { NoticeRequest(id: "-", title: "-", trigger: $0.trigger) }
        carried.region = (trigger as? UNLocationNotificationTrigger)?.region.identifier
        carried.components = (trigger as? UNCalendarNotificationTrigger)?.dateComponents
        (content.userInfo, carried.propertyList) = try storedUserInfo()
        content.userInfo[CarriedValues.name] = try carried.value()
        return content
    }

    /// The values that JSON supports, by name, and the others as a property list.
    private func storedUserInfo() throws(NoticeError) -> ([String: JSONValue], Data?) {
        var values: [String: JSONValue] = [:]
        var rest: [String: Any] = [:]
        for (key, value) in userInfo {
            guard let name = key.base as? String, PropertyListSerialization.propertyList([value], isValidFor: .binary)
            else {
                throw NoticeError(
                    .invalidContent,
                    "userInfo[\(key)] is a \(type(of: value)): use what a property list has, under names that are "
                        + "strings."
                )
            }
            if let value = JSONValue(any: value) { values[name] = value } else { rest[name] = value }
        }
        guard !rest.isEmpty else { return (values, nil) }
        do {
            return (values, try PropertyListSerialization.data(fromPropertyList: rest, format: .binary, options: 0))
        } catch {
            throw NoticeError(.invalidContent, "userInfo can't be written as a property list.", cause: "\(error)")
        }
    }

    convenience init(_ content: NoticeContent) {
        self.init()
        let carried = CarriedValues(of: content)
        values.title = content.title
        values.subtitle = content.subtitle
        values.body = content.body
        values.badge = content.badge.map { NSNumber(value: $0) }
        values.sound = content.sound.flatMap { $0 == .silent ? nil : UNNotificationSound($0) }
        values.userInfo = carried.userInfo(beside: content.userInfo)
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
        values.launchImageName = carried.launchImageName ?? ""
        values.targetContentIdentifier = carried.targetContentIdentifier
        values.filterCriteria = carried.filterCriteria
        values.summaryArgument = carried.summaryArgument ?? ""
        values.summaryArgumentCount = carried.summaryArgumentCount ?? 0
    }
}

extension CarriedValues {
    fileprivate func userInfo(beside stored: [String: JSONValue]) -> [AnyHashable: Any] {
        var values: [AnyHashable: Any] = [:]
        for (name, value) in stored where name != Self.name { values[name] = value.any }
        let list = propertyList.flatMap { try? PropertyListSerialization.propertyList(from: $0, format: nil) }
        for (name, value) in list as? [String: Any] ?? [:] { values[name] = value }
        return values
    }
}

extension JSONValue {
    /// Creates a value from a property list without dates and data; nil for anything else.
    fileprivate init?(any value: Any) {
        switch value {
        case let value as any BinaryInteger:
            guard let whole = Int64(exactly: value) else { return nil }
            self = .int(whole)
        // Also matches Swift's other numbers and Booleans. With `as Bool`, an NSNumber of 1 would pass as true.
        case let value as NSNumber: self.init(value)
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

    private init?(_ number: NSNumber) {
        switch String(cString: number.objCType) {
        case "c": self = .bool(number.boolValue)
        case "f", "d": self = .double(number.doubleValue)
        case "Q":
            guard let whole = Int64(exactly: number.uint64Value) else { return nil }
            self = .int(whole)
        default: self = .int(number.int64Value)
        }
    }

    fileprivate var any: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        // Numbers that can be read as any type of number, as with Apple: from a store, 60.0 comes back as 60.
        case .int(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .string(let value): value
        case .array(let values): values.map(\.any)
        case .object(let values): values.mapValues(\.any)
        }
    }
}
