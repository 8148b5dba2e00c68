import Foundation

/// What the source of a feed answered: what of it can be registered, and what not.
struct FeedAnswer: Sendable {
    struct Item: Sendable {
        let request: NoticeRequest
        let region: CircularRegion
        /// Changes with anything in the request.
        let fingerprint: String
    }

    /// A place that can't be registered.
    struct Fault: Sendable, Hashable {
        let message: String
    }

    /// The nearest by their centres, nearest first.
    private(set) var items: [Item] = []
    private(set) var faults: [Fault] = []
    /// The source has no other places.
    let isAll: Bool

    /// - Parameter count: what was asked for.
    init(_ requests: [NoticeRequest], nearestTo fix: PositionFix, count: Int) {
        isAll = requests.count < count
        let origin = EarthPoint(fix)
        var near: [(distance: Double, request: NoticeRequest, region: CircularRegion)] = []
        for request in requests {
            do throws(NoticeError) {
                let region = try Self.region(of: request)
                let distance = origin.distance(to: EarthPoint(region))
                near.append((distance, request, region))
            } catch { faults.append(Fault(message: error.message)) }
        }
        near.sort { ($0.distance, $0.request.id) < ($1.distance, $1.request.id) }
        var seen: Set<String> = []
        for (_, request, region) in near.prefix(count) {
            guard seen.insert(request.id).inserted else {
                faults.append(Fault(message: "The identifier '\(request.id)' came twice: the nearer place has it."))
                continue
            }
            do throws(NoticeError) {
                // Of those that are near: it looks at files.
                try RequestValidation.validate(request)
                items.append(Item(request: request, region: region, fingerprint: Self.fingerprint(request)))
            } catch { faults.append(Fault(message: error.message)) }
        }
    }

    private static func region(of request: NoticeRequest) throws(NoticeError) -> CircularRegion {
        guard let trigger = request.trigger as? any PlaceTrigger else {
            throw NoticeError(
                .regionIgnored,
                "The request '\(request.id)' waits for no place: give it a LocationTrigger."
            )
        }
        guard request.series == nil else {
            throw NoticeError(.regionIgnored, "The request '\(request.id)' belongs to a series: a feed's stand alone.")
        }
        try trigger.validatePlace()
        return trigger.region
    }

    /// 64 bits of FNV-1a over the request as it is stored: the same in the next process.
    private static func fingerprint(_ request: NoticeRequest) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // What can't be written can't be stored either: the commit tells.
        let bytes = (try? encoder.encode(request)) ?? Data()
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
