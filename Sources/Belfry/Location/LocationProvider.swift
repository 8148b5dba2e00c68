public import FoundationEssentials

/// Where the machine is. Regions are the core's business; a provider knows positions only.
///
/// The center runs it while a pending request waits for a place, one run at a time, and cancels it when none does. It
/// runs it again after a failure, as ``NoticeCenter`` documents. A run is made on a thread for apps, unless it is
/// isolated to an actor.
public protocol LocationProvider: Sendable {
    /// Stands in errors and in reports; the same for every run.
    var name: String { get }

    /// Reports fixes until the task is cancelled: at once the position of now where it is known, then each one that
    /// `demands` asks for, and the position of now again whenever a demand is for less distance than the one before;
    /// more often does no harm but to the battery. `report` may be called from any thread, never blocks, and may be
    /// called with whatever the source says: what can't be a position is sorted out by the core.
    ///
    /// The first demand is there when the run begins. The last one stands when the sequence has ended.
    ///
    /// Throws when positions can't be had: ``NoticeError/Code/locationDenied`` where the user or the system's settings
    /// refuse them, ``NoticeError/Code/locationUnavailable`` for all other reasons. A run that returns without being
    /// cancelled has no more to say: what it reported stands, and it isn't run again while a position is wanted.
    @concurrent func run(
        demands: LocationDemand.Updates,
        reporting report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError)
}

/// A position at a time.
public struct LocationFix: Sendable, Codable, Hashable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// Radius in meters within which the true position is; nil where the source does not say.
    public var accuracy: Double?
    /// When the position was measured.
    public var date: Date

    /// Creates a fix; ranges are checked where a center receives it.
    public init(latitude: Double, longitude: Double, accuracy: Double? = nil, date: Date) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.date = date
    }

    private enum CodingKeys: String, CodingKey {
        case latitude, longitude, accuracy
        case date = "at"
    }
}

/// A provider that never blocks the thread that it is run on: it is run on the centers' own, and begun before `add`
/// returns.
package protocol NonblockingLocationProvider: LocationProvider {}
