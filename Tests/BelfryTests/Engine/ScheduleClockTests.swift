import BelfryRecurrence
import BelfryTestSupport
import Testing

@testable import Belfry

@Suite("The schedule's clock", .takesTurns)
struct ScheduleClockTests {
    private static let start = TriggerInstant(wall: 1_000_000_000, boot: 5_000_000)

    private static func clock() throws -> ScheduleClock {
        ScheduleClock(zone: try ZoneRules.named("Europe/Berlin"), at: start)
    }

    @Test("A second is explained by slewing, and more is a clock that was set") func wasSet() throws {
        let clock = try Self.clock()
        let (wall, boot) = (Self.start.wall + 60_000_000, Self.start.boot + 60_000_000)
        #expect(!clock.wasSet(at: TriggerInstant(wall: wall, boot: boot)))
        #expect(!clock.wasSet(at: TriggerInstant(wall: wall + 1_000_000, boot: boot)))
        #expect(clock.wasSet(at: TriggerInstant(wall: wall + 1_000_001, boot: boot)))
        #expect(clock.wasSet(at: TriggerInstant(wall: wall - 1_000_001, boot: boot)))
    }

    @Test("An event that overtakes the news of a clock set does not hide the jump; a mapping ends it") func jump()
        throws
    {
        var clock = try Self.clock()
        clock.begin(bootID: "boot")
        let later = TriggerInstant(wall: Self.start.wall + 3_600_000_000, boot: Self.start.boot)
        clock.advance(to: later)
        clock.advance(to: later)
        #expect(clock.jump == 3_600_000_000)
        #expect(clock.mapping.instant == TriggerInstant(wall: Self.start.wall, boot: Self.start.boot))
        #expect(clock.map() == ClockMapping(bootID: "boot", instant: later, zone: "Europe/Berlin"))
        #expect(clock.jump == 0)
    }

    @Test("Another zone moves the wall clock by nothing") func zone() throws {
        var clock = try Self.clock()
        clock.setZone(try ZoneRules.named("UTC"))
        #expect(clock.context.zone.identifier == "UTC" && clock.jump == 0)
    }
}
