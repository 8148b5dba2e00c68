import FoundationEssentials

extension CalendarTrigger {
    /// Which calendar counts the components of a ``CalendarTrigger``.
    public enum CalendarSystem: String, Sendable, Codable, Hashable, CaseIterable {
        case gregorian
        case buddhist, chinese, coptic, ethiopicAmeteAlem, ethiopicAmeteMihret, hebrew, indian, islamic, islamicCivil
        case islamicTabular, islamicUmmAlQura, japanese, persian, republicOfChina

        /// Foundation's name for it. ISO 8601 is the Gregorian calendar with weeks of its own (``WeekRules``); one that Foundation
        /// adds later counts as Gregorian until Belfry knows it.
        public init(_ identifier: Calendar.Identifier) {
            self = Self.allCases.first { $0.foreign == identifier } ?? .gregorian
        }

        /// Nil for the Gregorian calendar, which Belfry computes itself.
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
