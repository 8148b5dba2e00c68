extension DatePattern {
    /// Why the rule can never fire, with the component that makes it impossible; `nil` when it can.
    ///
    /// Computed when it is asked for, not when the rule is compiled.
    public var impossibility: RecurrenceError? {
        if search(after: .min) != Clause.none { return nil }
        var reasons: [String] = []
        for fields in source.prefix(3) {
            reasons.append(reason(for: fields.withoutRedundantWeeks))
        }
        if reasons.isEmpty { reasons = ["No date to the year 9999 has all that the rule asks for."] }
        return RecurrenceError(code: .impossibleDate, message: reasons.joined(separator: " "))
    }

    private func reason(for fields: DateFields) -> String {
        if fields.era == 0 {
            return "era 0 lies before the year 1, from which dates are computed; leave era out, or give 1."
        }
        guard Clause(fields, policies: policies, weeks: weeks).days.isEmpty else {
            let unbounded = Clause(fields, policies: policies, weeks: weeks)
                .next(
                    after: Gregorian.seconds(ofDay: Gregorian.firstDay),
                    in: zone.table,
                    missing: policies.missingTime,
                    repeated: policies.repeatedTime
                )
            if unbounded != Clause.none { return "The rule has no date between its start and its end." }
            return
                "\(Self.list(fields, where: { _ in true })) never occurs in \(zone.identifier): a clock change skips it."
        }
        // The first component, from fine to coarse, without which there would be a date is the one to blame.
        let order = ["weekday", "weekdayOrdinal", "dayOfYear", "day", "weekOfMonth", "weekOfYear", "month"]
        for name in order {
            guard let path = DateFields.components.first(where: { $0.name == name })?.path,
                let value = fields[keyPath: path]
            else { continue }
            var without = fields
            without[keyPath: path] = nil
            // A time keeps the rest from narrowing down to its first day.
            without.hour = without.hour ?? 0
            if (try? without.validate()) != nil, !Clause(without, policies: policies, weeks: weeks).days.isEmpty {
                let rest = Self.list(without) { $0 != "hour" && $0 != "minute" && $0 != "second" }
                return "\(name) \(value) never occurs" + (rest.isEmpty ? "." : " with \(rest).")
                    + (name == "day" && policies.missingDate == .skip
                        ? " Correct it, or choose another missingDate." : "")
            }
        }
        return "\(Self.list(fields, where: { _ in true })) never occurs."
    }

    private static func list(_ fields: DateFields, where isListed: (String) -> Bool) -> String {
        DateFields.components.compactMap { name, path in
            guard isListed(name), let value = fields[keyPath: path] else { return nil }
            return "\(name) \(value)"
        }.joined(separator: ", ")
    }
}
