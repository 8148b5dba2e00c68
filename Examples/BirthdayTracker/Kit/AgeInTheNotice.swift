import Belfry
import Foundation

/// Says in the notice how old the user becomes: a different text every year, so it is made when the notice is shown.
public struct AgeInTheNotice: NoticeCenterDelegate {
    private let zone: TimeZone

    public init(zone: TimeZone = .current) { self.zone = zone }

    public func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation {
        guard case .int(let born) = delivery.content.userInfo[Person.bornKey] else { return .present }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let age = calendar.component(.year, from: delivery.dueDate) - Int(born)
        guard age > 0 else { return .present }
        var content = delivery.content
        content.body = "\(age) years old today."
        return .presentInstead(content)
    }
}
