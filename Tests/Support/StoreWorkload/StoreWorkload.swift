package import Belfry
import Foundation
import SeededRandom

/// A long history of batches, the same for the same seed: what a center might commit, so that two processes know what a
/// store must hold after the n-th.
package struct StoreWorkload: Sendable {
    private var random: SeededGenerator
    private var number = 0
    private var nextRevision: Int64 = 1
    private var pending: [Int64] = []
    private var contents: [Int64] = []
    private var deliveries: [DeliveryRecord] = []
    private var responses: [String] = []

    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The batch after the last one; the first is number 1.
    package mutating func next() -> [StoreChange] {
        number += 1
        return (0..<random.number(1...8)).flatMap { _ in change() }
    }

    private mutating func change() -> [StoreChange] {
        let date = Date(timeIntervalSince1970: 1_800_000_000 + Double(number))
        switch random.number(0...11) {
        case 0...3: return [put(date)]
        case 4:
            guard let revision = pending.randomElement(using: &random) else { return [put(date)] }
            let due = Int64(random.number(0...1_000_000_000))
            return [.updateProgress(revision: revision, TriggerProgress(anchor: 3, fired: number, lastDue: due))]
        case 5:
            guard let index = pending.indices.randomElement(using: &random) else { return [] }
            return [.removeRequest(revision: pending.remove(at: index))]
        case 6:
            let idle = contents.filter { !pending.contains($0) }
            guard let revision = idle.randomElement(using: &random) else { return [] }
            contents.removeAll { $0 == revision }
            return [.dropContent(revision: revision)]
        case 7: return [contents.isEmpty ? put(date) : putDelivery()]
        case 8:
            guard let index = deliveries.indices.randomElement(using: &random) else { return [] }
            return [.removeDelivery(id: deliveries.remove(at: index).id)]
        case 9:
            let response = NoticeResponse(
                id: "response \(number).\(responses.count)",
                requestID: "request",
                deliveryID: "delivery",
                kind: .action("yes"),
                date: date,
                series: nil,
                userInfo: [:],
                activationToken: nil
            )
            responses.append(response.id)
            return [.putResponse(response)]
        case 10:
            guard let index = responses.indices.randomElement(using: &random) else { return [] }
            return [.removeResponse(id: responses.remove(at: index))]
        default:
            return [
                .appendHistory(HistoryEntry(requestID: "request \(number)", date: date, outcome: .delivered)),
                .putAuthorization([.authorized, .denied, .provisional][random.number(0...2)]),
            ]
        }
    }

    private mutating func put(_ date: Date) -> StoreChange {
        let revision = nextRevision
        nextRevision += Int64(random.number(1...3))
        pending.append(revision)
        contents.append(revision)
        let body = String(repeating: "body \(revision) ", count: random.number(0...200))
        let request = NoticeRequest(id: "request \(revision)", title: "Title", body: body, trigger: .date(date))
        return .putRequest(request, revision: revision, TriggerProgress(anchor: Int64(random.number(0...1000))))
    }

    private mutating func putDelivery() -> StoreChange {
        if let index = deliveries.indices.randomElement(using: &random), random.number(0...1) == 0 {
            deliveries[index].shownAt = TriggerInstant(wall: Int64(number), boot: 1)
            return .putDelivery(deliveries[index])
        }
        let request = NoticeRequest(id: "request", title: "Title")
        let record = DeliveryRecord(
            id: "delivery \(number).\(deliveries.count)",
            requestID: "request",
            revision: contents.randomElement(using: &random) ?? 1,
            dueAt: TriggerInstant(wall: Int64(number), boot: 0),
            traits: DeliveryTraits(request)
        )
        // The same number may come twice in a batch; then the record takes the earlier one's place, as in a store.
        deliveries.removeAll { $0.id == record.id }
        deliveries.append(record)
        return .putDelivery(record)
    }
}
