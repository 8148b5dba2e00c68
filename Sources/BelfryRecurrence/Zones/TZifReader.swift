/// Reads compiled zone data: TZif of RFC 9636, versions 1 to 4.
///
/// Versions 2 and later repeat the data in 64 bits after the old block. They end with a POSIX rule for the time after
/// the last recorded change. Leap seconds (the `right/` zones) are removed, because instants here don't count them.
struct TZifReader {
    private var bytes: ArraySlice<UInt8>

    private struct Header {
        var version: UInt8
        var utcIndicators: Int
        var standardIndicators: Int
        var leapSeconds: Int
        var transitions: Int
        var types: Int
        var nameBytes: Int

        func blockLength(timeSize: Int) -> Int {
            transitions * (timeSize + 1) + types * 6 + nameBytes + leapSeconds * (timeSize + 4)
                + standardIndicators + utcIndicators
        }
    }

    /// A kind of local time.
    struct Kind {
        var offset: Int
        var isDaylight: Bool
        /// Whether the changes to it were specified in standard time, and in UTC.
        var isByStandardClock = false
        var isByUTC = false
    }

    /// The decoded data of a file.
    struct Contents {
        var kinds: [Kind]
        /// The changes in ascending order; `kind` is an index of `kinds`.
        var changes: [(start: Int, kind: Int)]
        /// The rule after the last change.
        var rule: PosixZone?
    }

    /// Returns the table in a file's bytes.
    /// - Returns: `nil` if they aren't valid TZif.
    static func table(of data: [UInt8], named identifier: String) -> ZoneTable? {
        guard let contents = contents(of: data) else { return nil }
        return ZoneTable(
            identifier: identifier,
            initialOffset: contents.kinds[0].offset,
            recorded: contents.changes.map {
                ZoneTable.Change(start: $0.start, offset: contents.kinds[$0.kind].offset)
            },
            rule: contents.rule
        )
    }

    /// Decodes a file's bytes.
    /// - Returns: `nil` if they aren't valid TZif.
    static func contents(of data: [UInt8]) -> Contents? {
        var reader = TZifReader(bytes: data[...])
        guard var header = reader.header() else { return nil }
        var timeSize = 4
        if header.version >= UInt8(ascii: "2") {
            guard reader.skip(header.blockLength(timeSize: 4)), let second = reader.header() else { return nil }
            header = second
            timeSize = 8
        }
        guard header.types > 0, reader.bytes.count >= header.blockLength(timeSize: timeSize) else { return nil }
        return reader.block(header, timeSize: timeSize)
    }

    private mutating func skip(_ count: Int) -> Bool {
        guard bytes.count >= count else { return false }
        bytes = bytes.dropFirst(count)
        return true
    }

    private mutating func integer(_ size: Int) -> Int {
        let raw = bytes.prefix(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        bytes = bytes.dropFirst(size)
        return size == 8 ? Int(Int64(bitPattern: raw)) : Int(Int32(bitPattern: UInt32(truncatingIfNeeded: raw)))
    }

    private mutating func header() -> Header? {
        guard bytes.count >= 44, bytes.starts(with: Array("TZif".utf8)) else { return nil }
        let version = bytes[bytes.startIndex + 4]
        bytes = bytes.dropFirst(20)
        let counts = (0..<6).map { _ in integer(4) }
        // Far larger than in any valid file, and small enough that no sum of them overflows.
        guard counts.allSatisfy({ (0...0xFFFF).contains($0) }) else { return nil }
        return Header(
            version: version,
            utcIndicators: counts[0],
            standardIndicators: counts[1],
            leapSeconds: counts[2],
            transitions: counts[3],
            types: counts[4],
            nameBytes: counts[5]
        )
    }

    /// Reads the data block, whose length has been checked, and the footer after it.
    private mutating func block(_ header: Header, timeSize: Int) -> Contents? {
        let times = (0..<header.transitions).map { _ in integer(timeSize) }
        let indices = bytes.prefix(header.transitions).map { Int($0) }
        bytes = bytes.dropFirst(header.transitions)
        var kinds: [Kind] = []
        for _ in 0..<header.types {
            let offset = integer(4)
            kinds.append(Kind(offset: offset, isDaylight: bytes.first != 0))
            bytes = bytes.dropFirst(2)
        }
        bytes = bytes.dropFirst(header.nameBytes)
        let leaps = (0..<header.leapSeconds).map { _ in (at: integer(timeSize), correction: integer(4)) }
        for (index, byte) in bytes.prefix(header.standardIndicators).enumerated() where index < kinds.count {
            kinds[index].isByStandardClock = byte != 0
        }
        bytes = bytes.dropFirst(header.standardIndicators)
        for (index, byte) in bytes.prefix(header.utcIndicators).enumerated() where index < kinds.count {
            kinds[index].isByUTC = byte != 0
        }
        bytes = bytes.dropFirst(header.utcIndicators)

        // RFC 9636, 3.2: an offset is more than -25 hours and less than 26.
        guard kinds.allSatisfy({ $0.offset > -90_000 && $0.offset < 93_600 }),
            indices.allSatisfy({ $0 < kinds.count })
        else { return nil }
        var changes: [(start: Int, kind: Int)] = []
        changes.reserveCapacity(times.count)
        for (time, kind) in zip(times, indices) {
            let leap = leaps.last { $0.at <= time }?.correction ?? 0
            // 2^59 seconds is before the universe began; some files start with it.
            let instant = min(max(time, -(1 << 59)), 1 << 59) - leap
            if let last = changes.last, instant < last.start { return nil }
            changes.append((instant, kind))
        }
        return Contents(kinds: kinds, changes: changes, rule: timeSize == 8 ? footer() : nil)
    }

    private mutating func footer() -> PosixZone? {
        guard bytes.first == 10 else { return nil }
        let line = bytes.dropFirst().prefix { $0 != 10 }
        return PosixZone(parsing: String(decoding: line, as: UTF8.self))
    }
}
