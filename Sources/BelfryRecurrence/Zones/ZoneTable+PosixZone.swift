extension ZoneTable {
    /// A zone that a POSIX rule tells for all time.
    convenience init(_ name: String, _ rule: PosixZone) {
        self.init(identifier: name, initialOffset: rule.standardOffset, recorded: [], rule: rule)
    }

    /// A zone of a POSIX rule without dates: `EST5EDT` has those of a file (`posixrules`, the zone of New York as a
    /// rule), where there is one.
    ///
    /// As glibc 2.36 and 2.41 have it, since this is the time that all other clocks of the machine show. A change is
    /// moved by the difference between the rule's offset and the file's, though its instant is one of UTC; and after
    /// the file's last change the file's own offsets hold. So only a rule with the file's offsets comes to what it
    /// seems to say.
    /// - Returns: `nil` where the file tells of one kind of time only.
    convenience init?(_ name: String, _ rule: PosixZone, datesOf file: TZifReader.Contents) {
        guard let daylight = rule.daylight, file.kinds.count > 1 else { return nil }
        let fileKinds = file.changes.reversed().lazy.map { file.kinds[$0.kind] }
        let fileStandard = fileKinds.first { !$0.isDaylight }?.offset ?? 0
        let fileDaylight = fileKinds.first { $0.isDaylight }?.offset ?? fileStandard
        var changes: [Change] = []
        changes.reserveCapacity(file.changes.count)
        var isDaylight = false
        for (start, index) in file.changes {
            let kind = file.kinds[index]
            var shift = 0
            if !kind.isByUTC {
                shift =
                    isDaylight && !kind.isByStandardClock
                    ? daylight.offset - fileDaylight : rule.standardOffset - fileStandard
            }
            isDaylight = kind.isDaylight
            changes.append(Change(start: start + shift, offset: isDaylight ? daylight.offset : rule.standardOffset))
        }
        if file.rule != nil, let last = file.changes.last {
            changes[changes.count - 1].offset = file.kinds[last.kind].offset
        }
        self.init(identifier: name, initialOffset: rule.standardOffset, recorded: changes, rule: file.rule)
    }
}
