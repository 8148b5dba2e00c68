/// What is known of a pending request's region that ``RegionMarks`` doesn't say: stored for those that the position is
/// in, and for those whose dwell time runs. All others that were judged are outside.
package struct RegionProgress: Sendable, Codable, Hashable {
    package var isInside: Bool
    /// When the border was crossed, where the dwell time counts from there and is not over.
    package var since: TriggerInstant?

    package init(isInside: Bool, since: TriggerInstant? = nil) {
        self.isInside = isInside
        self.since = since
    }
}

/// Which requests' regions were judged by a fix at all: until then being inside is no entry.
///
/// A few numbers for any number of regions. A fix judges every region that is pending then and for which its accuracy
/// is good enough; so what has been judged is told by the revision up to which requests were there, for each accuracy
/// that was ever the best. Steps rise in both: whatever a later and more accurate fix has judged makes an earlier one
/// needless.
package struct RegionMarks: Sendable, Codable, Hashable {
    package struct Step: Sendable, Codable, Hashable {
        /// Of the newest request with a place then.
        package var revision: Int64
        /// Metres; ``finest`` for all that are better.
        package var accuracy: Double

        package init(revision: Int64, accuracy: Double) {
            self.revision = revision
            self.accuracy = accuracy
        }
    }

    /// A fix that is known so well, in metres, counts for every region.
    package static let finest = 200.0

    package private(set) var judged: [Step]
    /// When the last fix was made that changed anything stored, in microseconds since 1970: older ones tell nothing.
    package var lastFix: Int64?

    package init(judged: [Step] = [], lastFix: Int64? = nil) {
        self.lastFix = lastFix
        self.judged = []
        // Whatever a file holds: in order, so that the search finds what is there.
        for step in judged.sorted(by: { $0.revision < $1.revision }) {
            judge(through: step.revision, accuracy: step.accuracy)
        }
    }

    private enum Key: String, CodingKey { case judged, lastFix }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            judged: try values.decodeIfPresent([Step].self, forKey: .judged) ?? [],
            lastFix: try values.decodeMicrosecondsIfPresent(forKey: .lastFix)
        )
    }

    /// Whether a request's region was judged. O(log steps); there is hardly ever more than one.
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

    /// A fix has judged all requests up to a revision. True where that says anything new.
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

    /// Leaves out what is said of revisions that were never given.
    mutating func forget(after revision: Int64) {
        let old = judged
        judged = []
        for step in old { judge(through: min(step.revision, revision), accuracy: step.accuracy) }
    }
}
