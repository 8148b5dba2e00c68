import FoundationEssentials

/// The result of a feed's source: the requests that can be registered, and the reasons for ignoring the others.
struct FeedResult: Sendable {
    struct Item: Sendable {
        let request: NoticeRequest
        let region: CircularRegion
        /// Changes with every property of the request.
        let fingerprint: String

        var id: String { request.id }
    }

    /// The items with the nearest centers, nearest first.
    private(set) var items: [Item] = []
    /// A message for each ignored request.
    private(set) var ignored: [String] = []
    /// Whether the source has no other regions.
    let isAll: Bool

    /// - Parameter count: The number of requests that the source was called with.
    init(
        _ requests: [NoticeRequest],
        nearestTo fix: LocationFix,
        count: Int,
        validatedBy validation: RequestValidation
    ) {
        isAll = requests.count < count
        let here = EarthPoint(fix)
        var near: [(distance: Double, request: NoticeRequest, region: CircularRegion)] = []
        for request in requests {
            do throws(NoticeError) {
                let region = try Self.region(of: request)
                near.append((here.distance(to: EarthPoint(region)), request, region))
            } catch { ignored.append(error.message) }
        }
        near.sort { ($0.distance, $0.request.id) < ($1.distance, $1.request.id) }
        var ids: Set<String> = []
        for (_, request, region) in near.prefix(count) {
            guard ids.insert(request.id).inserted else {
                ignored.append("The identifier '\(request.id)' came twice: the nearer region has it.")
                continue
            }
            do throws(NoticeError) {
                // Only for the nearest requests, because it accesses files.
                try validation.validate(request)
                items.append(Item(request: request, region: region, fingerprint: Self.fingerprint(request)))
            } catch { ignored.append(error.message) }
        }
    }

    private static func region(of request: NoticeRequest) throws(NoticeError) -> CircularRegion {
        guard let trigger = request.trigger as? any RegionTrigger else {
            let message = "The request '\(request.id)' waits for no region: give it a LocationTrigger."
            throw NoticeError(.regionIgnored, message)
        }
        guard request.series == nil else {
            let message = "The request '\(request.id)' belongs to a series: those of a region feed stand alone."
            throw NoticeError(.regionIgnored, message)
        }
        try trigger.validateRegion()
        return trigger.region
    }

    /// Returns a fingerprint that is the same in every process.
    private static func fingerprint(_ request: NoticeRequest) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // A request that can't be encoded can't be stored either: the transaction reports it.
        return Fingerprint.of(String(decoding: (try? encoder.encode(request)) ?? Data(), as: UTF8.self))
    }
}
