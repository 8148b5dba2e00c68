extension ZoneTable {
    /// Creates a zone that a POSIX rule defines for all time.
    convenience init(_ name: String, _ rule: PosixZone) {
        self.init(identifier: name, initialOffset: rule.standardOffset, recorded: [], rule: rule)
    }

    /// Creates a zone of a POSIX rule without dates, such as `EST5EDT`, with the dates of a file (`posixrules`, usually
    /// New York).
    ///
    /// It does the same as glibc 2.36 and 2.41, because all other clocks of the machine show that time. Each change is
    /// shifted by the difference between the rule's offset and the file's, although its instant is in UTC. After the
    /// file's last change, the file's own offsets apply. So only a rule with the file's offsets has the expected
    /// effect.
    /// - Returns: `nil` if the file has only one kind of time.
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
