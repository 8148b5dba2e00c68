public import FoundationEssentials

/// Reports where the machine is. A provider knows only locations; the core evaluates regions.
///
/// The center runs it while a pending request waits for a region, one run at a time, and cancels it when no request
/// does. It runs it again after an error, as ``NoticeCenter`` documents. A run is on an app thread, unless
/// ``mayBlock`` is false or it is isolated to an actor.
///
/// ```swift
/// struct FixedProvider: LocationProvider {
///     let name = "fixed"
///     let mayBlock = false
///     func run(
///         demands: LocationDemand.Updates,
///         reporting report: @escaping @Sendable (LocationFix) -> Void
///     ) async throws(NoticeError) {
///         report(LocationFix(latitude: 48.137, longitude: 11.575, accuracy: 25, date: .now))
///     }
/// }
/// ```
public protocol LocationProvider: Sendable {
    /// The name in errors and in reports; the same for every run.
    var name: String { get }
    /// Whether a run may block its thread, which is the default. False is a promise: the provider then runs on the
    /// thread that all centers share, and begins before `add` returns. A run that blocks delays every center of the
    /// process.
    var mayBlock: Bool { get }

    /// Reports location fixes until the task is canceled. The first is the current one, at once if it is known,
    /// followed by each fix that `demands` request. If a demand has a smaller distance than the one before, the current
    /// fix is reported again. More fixes only cost battery. `report` never blocks, and may be called from any thread
    /// and with any values: the core ignores fixes that can't be true.
    ///
    /// The first demand is available when the run begins. The last one stays in effect after the sequence has ended.
    ///
    /// A run that returns without being canceled has no more fixes. Its last fix stays valid, and it isn't run again
    /// while fixes are needed.
    ///
    /// - Throws: ``NoticeError/Code/locationDenied`` if the user or the system's settings deny fixes, and
    ///   ``NoticeError/Code/locationUnavailable`` for all other reasons. Both are permanent for this run; the center
    ///   begins another one later.
    @concurrent func run(
        demands: LocationDemand.Updates,
        reporting report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError)
}

/// A location with its time.
///
/// ```swift
/// if let fix = try await center.locationReport().fix {
///     print("\(fix.latitude), \(fix.longitude) within \(fix.accuracy ?? 0) m at \(fix.date.formatted(.iso8601))")
/// }
/// ```
public struct LocationFix: Sendable, Codable, Hashable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// The radius in meters that contains the true location; nil if the source does not report it.
    public var accuracy: Double?
    /// When the location was measured.
    public var date: Date

    /// Creates a fix; the center that receives it checks the ranges.
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

extension LocationProvider {
    public var mayBlock: Bool { true }

    /// Performs a run, on an app thread if it may block.
    func performRun(
        demands: LocationDemand.Updates,
        reporting report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError) {
        guard mayBlock else { return try await run(demands: demands, reporting: report) }
        try await withTaskExecutorPreference(AppThreads.shared) { () async throws(NoticeError) in
            try await AppThreads.shared.performRun { () async throws(NoticeError) in
                try await run(demands: demands, reporting: report)
            }
        }
    }
}
