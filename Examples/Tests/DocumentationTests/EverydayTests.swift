import Belfry
import BelfryRecurrence
import BelfrySchedules
import Foundation
import Testing

@Suite("Everyday recurrences, as the article has them")
struct EverydayTests {
    @Test("Each is valid, and says in words what it is") func sentences() throws {
        let monday = try Date("2026-01-05T00:00:00Z", strategy: .iso8601)
        let endOfLease = try Date("2028-06-30T12:00:00Z", strategy: .iso8601)
        let vitamins = CalendarTrigger.daily(at: "8:00")
        let standUp = CalendarTrigger.weekdays(at: "9:25", count: 10)
        let choir = CalendarTrigger.weekly(on: [.tuesday, .thursday], at: "19:30", zone: .named("Europe/Berlin"))
        let drinks = CalendarTrigger.monthly(on: .last(.friday), at: "18:00")
        let rent = CalendarTrigger.monthly(on: 1, at: "9:00", until: endOfLease)
        let birthday = CalendarTrigger.yearly(on: .may(10), at: "8:00")
        let watering = try RecurrenceTrigger.every(3, .days, at: "9:00", starting: monday)

        let triggers: [any NoticeTrigger] = [vitamins, standUp, choir, drinks, rent, birthday, watering]
        let sentences = triggers.map { $0.sentence(in: ["en"], zone: .utc) }
        #expect(
            sentences.prefix(6) == [
                "every day at 8:00", "every weekday at 9:25, 10 times",
                "every Tuesday and Thursday at 19:30 (Europe/Berlin)", "on the last Friday of each month at 18:00",
                "on the 1st of each month at 9:00, until 30 June 2028", "every year on 10 May at 8:00",
            ]
        )
        #expect(sentences.last??.hasPrefix("every 3 days at 9:00, from ") == true)
        for trigger in triggers { try trigger.validate() }
    }

    @Test("In three languages") func languages() throws {
        let standUp = CalendarTrigger.weekdays(at: "9:25", count: 10)
        let drinks = CalendarTrigger.monthly(on: .last(.friday), at: "18:00")
        let birthday = CalendarTrigger.yearly(on: .may(10), at: "8:00")
        let english = standUp.sentence(in: ["en"])  // every weekday at 9:25, 10 times
        let german = drinks.sentence(in: ["de"])  // am letzten Freitag jedes Monats um 18:00 Uhr
        let french = birthday.sentence(in: ["fr"])  // chaque année le 10 mai à 8:00
        #expect(english == "every weekday at 9:25, 10 times")
        #expect(german == "am letzten Freitag jedes Monats um 18:00 Uhr")
        #expect(french == "chaque année le 10 mai à 8:00")
    }
}
