/// The state of a pending request's region, as far as ``RegionMarks`` doesn't imply it. Stored for regions that the
/// device is inside of or whose dwell time runs; it is outside of all other evaluated regions.
package struct RegionProgress: Sendable, Hashable {
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

    package private(set) var evaluated: [Step]
    /// When the last fix was made that changed anything stored, in microseconds since 1970: older ones are ignored.
    package var lastFix: Int64?

    package init(evaluated: [Step] = [], lastFix: Int64? = nil) {
        self.lastFix = lastFix
        self.evaluated = []
        // Sort steps of any file, because the search requires their order.
        for step in evaluated.sorted(by: { $0.revision < $1.revision }) {
            evaluate(through: step.revision, accuracy: step.accuracy)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case evaluated = "judged"
        case lastFix
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            evaluated: try values.decodeIfPresent([Step].self, forKey: .evaluated) ?? [],
            lastFix: try values.decodeMicrosecondsIfPresent(forKey: .lastFix)
        )
    }

    /// Returns whether a request's region has been evaluated. O(log steps); there is rarely more than one step.
    package func covers(_ revision: Int64, radius: Double) -> Bool {
        guard evaluated.count > 1 else {
            return evaluated.first.map { $0.revision >= revision && $0.accuracy <= max(radius, Self.finest) } ?? false
        }
        var (low, high) = (0, evaluated.count)
        while low < high {
            let middle = (low + high) / 2
            if evaluated[middle].revision < revision { low = middle + 1 } else { high = middle }
        }
        return low < evaluated.count && evaluated[low].accuracy <= max(radius, Self.finest)
    }

    /// Records that a fix has evaluated all requests up to a revision. Returns true if that changes anything.
    @discardableResult
    package mutating func evaluate(through revision: Int64, accuracy: Double) -> Bool {
        let step = Step(revision: revision, accuracy: max(accuracy, Self.finest))
        while let last = evaluated.last, last.accuracy >= step.accuracy, last.revision <= revision {
            if last == step { return false }
            evaluated.removeLast()
        }
        if let last = evaluated.last, last.revision >= revision { return false }
        evaluated.append(step)
        return true
    }

    /// Removes revisions that were never assigned.
    mutating func forget(after revision: Int64) {
        let old = evaluated
        evaluated = []
        for step in old { evaluate(through: min(step.revision, revision), accuracy: step.accuracy) }
    }
}
