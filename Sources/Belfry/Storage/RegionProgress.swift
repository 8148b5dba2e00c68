/// The state of a pending request's region, as far as ``RegionMarks`` doesn't imply it. Stored for regions that the
/// device is inside of or whose dwell time runs; it is outside of all other evaluated regions.
package struct RegionProgress: Sendable, Codable, Hashable {
    package var isInside: Bool
    /// When the border was crossed, if the dwell time counts from then and is not over.
    package var since: TriggerInstant?

    package init(isInside: Bool, since: TriggerInstant? = nil) {
        self.isInside = isInside
        self.since = since
    }
}

/// The requests whose regions have been evaluated by a fix. Before that, being inside is not an entry.
///
/// It takes a few numbers for any number of regions. A fix evaluates all pending regions for which it is accurate
/// enough. So a step stores the newest revision evaluated with an accuracy. Both increase from step to step: a later
/// and more accurate fix makes an earlier step redundant.
package struct RegionMarks: Sendable, Codable, Hashable {
    package struct Step: Sendable, Codable, Hashable {
        /// The revision of the newest request with a region at that time.
        package var revision: Int64
        /// Meters; ``finest`` for all better accuracies.
        package var accuracy: Double

        package init(revision: Int64, accuracy: Double) {
            self.revision = revision
            self.accuracy = accuracy
        }
    }

    /// The accuracy in meters at which a fix counts for every region.
    package static let finest = 200.0

    package private(set) var judged: [Step]
    /// When the last fix was made that changed anything stored, in microseconds since 1970: older ones are ignored.
    package var lastFix: Int64?

    package init(judged: [Step] = [], lastFix: Int64? = nil) {
        self.lastFix = lastFix
        self.judged = []
        // Sort steps of any file, because the search requires their order.
        for step in judged.sorted(by: { $0.revision < $1.revision }) {
            judge(through: step.revision, accuracy: step.accuracy)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case evaluated = "judged"
        case lastFix
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            judged: try values.decodeIfPresent([Step].self, forKey: .judged) ?? [],
            lastFix: try values.decodeMicrosecondsIfPresent(forKey: .lastFix)
        )
    }

    /// Returns whether a request's region has been evaluated. O(log steps); there is rarely more than one step.
    package func covers(_ revision: Int64, radius: Double) -> Bool {
        guard judged.count > 1 else {
            return judged.first.map { $0.revision >= revision && $0.accuracy <= max(radius, Self.finest) } ?? false
        }
        var (low, high) = (0, judged.count)
        while low < high {
            let middle = (low + high) / 2
            if judged[middle].revision < revision { low = middle + 1 } else { high = middle }
        }
        return low < judged.count && judged[low].accuracy <= max(radius, Self.finest)
    }

    /// Records that a fix has evaluated all requests up to a revision. Returns true if that changes anything.
    @discardableResult
    package mutating func judge(through revision: Int64, accuracy: Double) -> Bool {
        let step = Step(revision: revision, accuracy: max(accuracy, Self.finest))
        while let last = judged.last, last.accuracy >= step.accuracy, last.revision <= revision {
            if last == step { return false }
            judged.removeLast()
        }
        if let last = judged.last, last.revision >= revision { return false }
        judged.append(step)
        return true
    }

    /// Removes revisions that were never assigned.
    mutating func forget(after revision: Int64) {
        let old = judged
        judged = []
        for step in old { judge(through: min(step.revision, revision), accuracy: step.accuracy) }
    }
}
