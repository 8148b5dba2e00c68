import Belfry
import Foundation

/// What Apple's types say and Belfry's have no field for.
///
/// It is kept in the content's `userInfo` under one name. So it comes back from the store, from the agent and with a
/// response; the app that reads `userInfo` by Apple's names doesn't see it.
struct CarriedValues: Codable, Hashable {
    static let name = "org.belfry.UserNotifications"

    var launchImageName: String?
    var targetContentIdentifier: String?
    var filterCriteria: String?
    var summaryArgument: String?
    var summaryArgumentCount: Int?
    /// The values of `userInfo` that a property list has and JSON doesn't: dates and data.
    var propertyList: Data?
    /// The trigger, in a request without more: a delivered notice has none of its own.
    var trigger: NoticeRequest?
    /// The app's name for the trigger's region.
    var region: String?
    /// The trigger's date as the app gave it: what does not count, such as a quarter, is left out of Belfry's.
    var components: DateComponents?

    init() {}

    /// What a content carries; nothing where that is of another program's making.
    init(of content: NoticeContent) {
        self.init()
        guard let value = content.userInfo[Self.name], let data = try? JSONEncoder().encode(value),
            let carried = try? JSONDecoder().decode(Self.self, from: data)
        else { return }
        self = carried
    }

    /// Nil where there is nothing to carry.
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
