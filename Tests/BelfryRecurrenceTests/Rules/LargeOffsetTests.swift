import BelfryRecurrence
import BelfryTestSupport
import Testing

@Suite("Gaps and overlaps of any size and any offset", .takesTurns)
struct LargeOffsetTests {
    @Test("Lord Howe's half hour")
    func lordHowe() throws {
        let island = try Local("Australia/Lord_Howe")
        #expect(
            try island.next(1, DateFields(hour: 2, minute: 15), after: "2026-10-03 12:00") == ["2026-10-04 02:45+11:00"]
        )
        #expect(
            try island.next(2, DateFields(hour: 1, minute: 45), after: "2026-04-04 12:00")
                == ["2026-04-05 01:45+11:00", "2026-04-06 01:45+10:30"]
        )
        #expect(
            try island.next(3, DateFields(minute: 45), after: "2026-04-05 00:50")
                == ["2026-04-05 01:45+11:00", "2026-04-05 01:45+10:30", "2026-04-05 02:45+10:30"]
        )
    }

    @Test("The day that Apia lost")
    func apia() throws {
        let apia = try Local("Pacific/Apia")
        let noon = DateFields(hour: 12)
        let dayBefore = "2011-12-29 13:00"
        #expect(
            try apia.next(2, noon, after: dayBefore) == ["2011-12-31 12:00+14:00", "2012-01-01 12:00+14:00"]
        )
        #expect(
            try apia.next(2, noon, after: dayBefore, missingTime: .firstValid)
                == ["2011-12-31 00:00+14:00", "2011-12-31 12:00+14:00"]
        )
        #expect(
            try apia.next(1, DateFields(year: 2011, month: 12, day: 30, hour: 12), after: dayBefore, missingTime: .skip)
                == []
        )
        #expect(
            try apia.next(1, DateFields(year: 2011, month: 12, day: 30, hour: 12), after: "2011-12-01 00:00")
                == ["2011-12-31 12:00+14:00"]
        )
    }

    @Test("The day that Kwajalein lost, and the one that Manila had twice over its clock at sea")
    func dateLine() throws {
        let atoll = try Local("Pacific/Kwajalein")
        #expect(
            try atoll.next(2, DateFields(hour: 9), after: "1993-08-20 10:00", missingTime: .skip)
                == ["1993-08-22 09:00+12:00", "1993-08-23 09:00+12:00"]
        )
    }

    @Test("Troll's two hours")
    func troll() throws {
        let troll = try Local("Antarctica/Troll")
        #expect(
            try troll.next(1, DateFields(hour: 1, minute: 30), after: "2026-03-28 12:00") == ["2026-03-29 03:30+02:00"]
        )
        #expect(
            try troll.next(2, DateFields(hour: 2, minute: 30), after: "2026-10-24 12:00")
                == ["2026-10-25 02:30+02:00", "2026-10-26 02:30+00:00"]
        )
    }

    @Test("Dublin's negative daylight saving")
    func dublin() throws {
        let dublin = try Local("Europe/Dublin")
        #expect(
            try dublin.next(4, DateFields(minute: 0), after: "2025-03-29 22:00+00:00") == [
                "2025-03-29 23:00+00:00", "2025-03-30 00:00+00:00", "2025-03-30 02:00+01:00", "2025-03-30 03:00+01:00",
            ]
        )
        #expect(
            try dublin.next(2, DateFields(hour: 1, minute: 30), after: "2026-10-24 12:00")
                == ["2026-10-25 01:30+01:00", "2026-10-26 01:30+00:00"]
        )
    }

    @Test("St John's change at a minute past midnight")
    func stJohns() throws {
        let city = try Local("America/St_Johns")
        #expect(
            try city.next(2, DateFields(hour: 0, minute: 30), after: "2006-04-01 12:00")
                == ["2006-04-02 01:30-02:30", "2006-04-03 00:30-02:30"]
        )
        #expect(
            try city.next(2, DateFields(hour: 23, minute: 30), after: "2006-10-28 12:00")
                == ["2006-10-28 23:30-02:30", "2006-10-29 23:30-03:30"]
        )
    }
}
