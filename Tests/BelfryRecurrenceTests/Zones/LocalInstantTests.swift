import BelfryRecurrence
import BelfryTestSupport
import SeededRandom
import Testing

@Suite("The instant of a local time", .takesTurns)
struct LocalInstantTests {
    @Test(
        "It is that of a trigger with this date and time, around every clock change",
        arguments: [
            "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia",
            "America/Sao_Paulo", "Asia/Kathmandu", "<+24>-24<-23>23,M3.2.0,M11.1.0",
        ]
    )
    func likeTriggers(name: String) throws {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        let zone = try ZoneRules.named(name)
        var instants = (0..<50).map { _ in Int64.random(in: -62_135_000_000...253_402_000_000, using: &random) }
        var change = zone.nextChange(after: -2_000_000_000)
        while let known = change, instants.count < 250 {
            instants.append(known)
            change = zone.nextChange(after: known)
        }
        for instant in instants {
            let local = instant + Int64(zone.offset(at: instant)) + Int64.random(in: -7200...7200, using: &random)
            let trigger = try DatePattern(matching: [DateFields(local: local)], zone: zone)
            #expect(trigger.next(after: .min) == zone.instant(ofLocal: local), "seed \(seed): \(local)")
        }
    }
}
