import Belfry
import Foundation

/// The values of Apple's types for which Belfry's have no field.
///
/// They are kept in the content's `userInfo` under one name, so they come back from the store, from the agent and with
/// a response. An app that reads `userInfo` through Apple's names doesn't see them.
struct CarriedValues: Codable, Hashable {
    static let name = "org.belfry.UserNotifications"

    var launchImageName: String?
    var targetContentIdentifier: String?
    var filterCriteria: String?
    var summaryArgument: String?
    var summaryArgumentCount: Int?
    /// The values of `userInfo` that a property list supports and JSON doesn't: dates and data.
    var propertyList: Data?
    /// The trigger, in an otherwise empty request: a delivered notice has no trigger of its own.
    var trigger: NoticeRequest?
    /// The app's name for the trigger's region.
    var region: String?
    /// The trigger's date as the app gave it: Belfry's omits fields without effect, such as a quarter.
    var components: DateComponents?

    init() {}

    /// The values carried by a content; none if another program wrote them.
    init(of content: NoticeContent) {
        self.init()
        guard let value = content.userInfo[Self.name], let data = try? JSONEncoder().encode(value),
            let carried = try? JSONDecoder().decode(Self.self, from: data)
        else { return }
        self = carried
    }

    /// The encoded values, or nil if there are none.
    func value() throws(NoticeError) -> JSONValue? {
        guard self != Self() else { return nil }
        do { return try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(self)) } catch {
            throw NoticeError(
                .invalidContent,
                "The request can't be written as JSON: mend its trigger.",
                cause: "\(error)"
            )
        }
    }
}
