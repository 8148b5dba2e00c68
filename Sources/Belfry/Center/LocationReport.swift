extension NoticeCenter {
    /// The last location fix of a center, and statistics of the fixes that it received.
    public struct LocationReport: Sendable, Codable, Hashable {
        /// Why a location fix was ignored.
        public enum Reason: String, Sendable, Codable, Hashable, CaseIterable, CodingKeyRepresentable {
            /// The latitude or longitude is not a number, or out of range.
            case invalidPosition
            /// The accuracy is not a number, infinite or negative.
            case invalidAccuracy
            /// The fix is more than ``NoticeCenter/LocationReport/futureTolerance`` ahead of the wall clock.
            case fromTheFuture
            /// The fix is older than the last accepted one.
            case outOfOrder
            /// There were more fixes than the center could process.
            case tooMany
        }

        /// How far a fix may be ahead of the wall clock, since the two clocks can differ.
        public static let futureTolerance: Duration = .seconds(300)

        /// The provider's name; nil if the center has no provider.
        public var provider: String?
        /// The last accepted fix since the center began.
        public var fix: LocationFix?
        /// How many fixes were accepted.
        public var accepted = 0
        /// How many of those had an accuracy worse than 200 m, so that they count for larger regions only.
        public var coarse = 0
        /// How many fixes were ignored, by reason.
        public var ignored: [Reason: Int] = [:]
        /// The current demand on the provider; nil while no fix is needed, and while the provider does not run.
        public var demand: LocationDemand?
        /// The last error of the provider; nil if it has reported a fix since.
        public var error: NoticeError?
        /// How many pending requests wait for a region.
        public var regions = 0
        /// How many of their regions contain the last known position.
        public var inside = 0
    }
}
