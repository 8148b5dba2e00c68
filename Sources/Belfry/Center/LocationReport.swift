extension NoticeCenter {
    /// What a center knows of the position, and what became of the fixes it was given.
    public struct LocationReport: Sendable, Codable, Hashable {
        /// Why a fix was ignored.
        public enum Reason: String, Sendable, Codable, Hashable, CaseIterable, CodingKeyRepresentable {
            /// A latitude or longitude that is no number or out of its range.
            case invalidPosition
            /// An accuracy that is no number, infinite or negative.
            case invalidAccuracy
            /// Made more than ``NoticeCenter/LocationReport/futureTolerance`` after now.
            case fromTheFuture
            /// Made before the last one that was taken.
            case outOfOrder
            /// There were more than the center could take in.
            case tooMany
        }

        /// A fix may be so much ahead of the wall clock: the two are set apart.
        public static let futureTolerance: Duration = .seconds(300)

        /// The provider's name; nil where the center has none.
        public var provider: String?
        /// The last fix that was taken, since the center began.
        public var fix: LocationFix?
        /// How many were taken.
        public var taken: Int
        /// How many of those were worse than 200 m, so that they count for larger regions only.
        public var coarse: Int
        /// How many were ignored, and why.
        public var ignored: [Reason: Int]
        /// What the provider is asked for; nil while no position is wanted, and while the provider is down.
        public var demand: LocationDemand?
        /// Why the provider gave up last, where it has given no fix since.
        public var failure: NoticeError?
        /// How many pending requests wait for a place.
        public var regions: Int
        /// In how many of their regions the position is, as far as is known.
        public var inside: Int

        /// Creates a report from its parts.
        public init(
            provider: String? = nil,
            fix: LocationFix? = nil,
            taken: Int = 0,
            coarse: Int = 0,
            ignored: [Reason: Int] = [:],
            demand: LocationDemand? = nil,
            failure: NoticeError? = nil,
            regions: Int = 0,
            inside: Int = 0
        ) {
            self.provider = provider
            self.fix = fix
            self.taken = taken
            self.coarse = coarse
            self.ignored = ignored
            self.demand = demand
            self.failure = failure
            self.regions = regions
            self.inside = inside
        }
    }
}
