public import FoundationEssentials

extension CalendarTrigger {
    /// The calendar of the components of a ``CalendarTrigger``.
    public enum CalendarSystem: String, Sendable, Codable, Hashable, CaseIterable {
        /// The Gregorian calendar, which Belfry computes itself.
        case gregorian
        /// The Thai calendar.
        case buddhist
        /// The Chinese calendar.
        case chinese
        /// The Coptic calendar.
        case coptic
        /// The Ethiopic calendar with years of the world.
        case ethiopicAmeteAlem
        /// The Ethiopic calendar.
        case ethiopicAmeteMihret
        /// The Hebrew calendar.
        case hebrew
        /// The Indian national calendar.
        case indian
        /// The Islamic calendar by sighting.
        case islamic
        /// The Islamic civil calendar.
        case islamicCivil
        /// The Islamic tabular calendar.
        case islamicTabular
        /// The Islamic calendar of Umm al-Qura.
        case islamicUmmAlQura
        /// The Japanese calendar with its eras.
        case japanese
        /// The Persian calendar.
        case persian
        /// The calendar of the Republic of China.
        case republicOfChina

        /// Creates the system for a calendar of Foundation. ISO 8601 is the Gregorian calendar with its own weeks
        /// (``BelfryRecurrence/WeekRules``). Calendars that Belfry does not know yet count as Gregorian.
        public init(_ identifier: Calendar.Identifier) {
            self = Self.allCases.first { $0.foreign == identifier } ?? .gregorian
        }

        /// The calendar of Foundation; nil for the Gregorian calendar, which Belfry computes itself.
        var foreign: Calendar.Identifier? {
            switch self {
            case .gregorian: nil
            case .buddhist: .buddhist
            case .chinese: .chinese
            case .coptic: .coptic
            case .ethiopicAmeteMihret: .ethiopicAmeteMihret
            case .ethiopicAmeteAlem: .ethiopicAmeteAlem
            case .hebrew: .hebrew
            case .indian: .indian
            case .islamic: .islamic
            case .islamicCivil: .islamicCivil
            case .japanese: .japanese
            case .persian: .persian
            case .republicOfChina: .republicOfChina
            case .islamicTabular: .islamicTabular
            case .islamicUmmAlQura: .islamicUmmAlQura
            }
        }
    }
}
