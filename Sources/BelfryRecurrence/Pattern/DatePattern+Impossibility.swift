extension DatePattern {
    /// The reason why the rule can never fire, with the component that makes it impossible; `nil` if it can fire.
    public var impossibility: RecurrenceError? {
        if next(after: .min) != nil { return nil }
        let message =
            defect ?? "The rule has no date from its start to its end, at the latest in the year 9999."
        return RecurrenceError(code: .impossibleDate, message: message)
    }

    /// Returns the reason why components have no date.
    static func defect(
        of sets: [DateFields],
        zone: ZoneRules,
        policies: DatePolicies,
        weeks: WeekRules
    ) -> String {
        // The first few are enough: nobody reads the reasons of ten thousand sets.
        sets.prefix(3).map { reason($0.withoutRedundantWeeks, zone: zone, policies: policies, weeks: weeks) }
            .joined(separator: " ")
    }

    private static func reason(
        _ fields: DateFields,
        zone: ZoneRules,
        policies: DatePolicies,
        weeks: WeekRules
    ) -> String {
        if fields.era == 0 {
            return "era 0 lies before the year 1, from which dates are computed; leave era out, or give 1."
        }
        guard Clause(fields, policies: policies, weeks: weeks).days.isEmpty else {
            return
                "\(list(fields, where: { _ in true })) never occurs in \(zone.identifier): a clock change skips it."
        }
        // Names the first component, from fine to coarse, without which there would be a date.
        let order = ["weekday", "weekdayOrdinal", "dayOfYear", "day", "weekOfMonth", "weekOfYear", "month"]
        for name in order {
            guard let path = DateFields.components.first(where: { $0.name == name })?.path,
                let value = fields[keyPath: path]
            else { continue }
            var without = fields
            without[keyPath: path] = nil
            // With an hour, the remaining components aren't narrowed down to their first day.
            without.hour = without.hour ?? 0
            if !Clause(without, policies: policies, weeks: weeks).days.isEmpty {
                let rest = list(without) { !["hour", "minute", "second"].contains($0) }
                let hint = name == "day" && policies.missingDate == .skip
                return "\(name) \(value) never occurs" + (rest.isEmpty ? "." : " with \(rest).")
                    + (hint ? " Correct it, or choose another missingDate." : "")
            }
        }
        return "\(list(fields, where: { _ in true })) never occurs."
    }

    private static func list(_ fields: DateFields, where isListed: (String) -> Bool) -> String {
        DateFields.components.compactMap { name, path in
            guard isListed(name), let value = fields[keyPath: path] else { return nil }
            return "\(name) \(value)"
        }.joined(separator: ", ")
    }
}
