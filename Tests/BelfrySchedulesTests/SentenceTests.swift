import Belfry
import BelfryRecurrence
import BelfrySchedules
import BelfryTestSupport
import Foundation
import Testing

@Suite("Triggers in words", .takesTurns)
struct SentenceTests {
    private static func date(_ text: String) -> Date {
        (try? Date(text, strategy: .iso8601)) ?? .distantPast
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let trigger: any NoticeTrigger
        let en: String
        let de: String
        let fr: String
        let es: String
        var testDescription: String { en }

        init(_ trigger: any NoticeTrigger, _ en: String, _ de: String, _ fr: String, _ es: String) {
            (self.trigger, self.en, self.de, self.fr, self.es) = (trigger, en, de, fr, es)
        }
    }

    @Test("Each kind in each language", arguments: try cases()) func languages(of one: Case) {
        func sentence(_ language: String) -> String? { one.trigger.sentence(in: [language], zone: .utc) }
        #expect(sentence("en") == one.en)
        #expect(sentence("de-AT") == one.de)
        #expect(sentence("fr") == one.fr)
        #expect(sentence("es_MX") == one.es)
    }

    private static func cases() throws -> [Case] {
        let newYear = date("2026-12-31T23:59:59Z")
        let march = date("2026-03-01T00:00:00Z")
        return [
            Case(
                CalendarTrigger.daily(at: "9:00"),
                "every day at 9:00",
                "jeden Tag um 9:00 Uhr",
                "chaque jour à 9:00",
                "cada día a las 9:00"
            ),
            Case(
                CalendarTrigger.weekdays(at: "9:25", count: 10),
                "every weekday at 9:25, 10 times",
                "montags bis freitags um 9:25 Uhr, 10-mal",
                "du lundi au vendredi à 9:25, 10 fois",
                "de lunes a viernes a las 9:25, 10 veces"
            ),
            Case(
                CalendarTrigger.weekly(on: .tuesday, at: "19:30", count: 1),
                "every Tuesday at 19:30, once",
                "jeden Dienstag um 19:30 Uhr, einmal",
                "chaque mardi à 19:30, une fois",
                "cada martes a las 19:30, una vez"
            ),
            Case(
                CalendarTrigger.weekly(on: [.sunday, .monday, .thursday], at: "1:00"),
                "every Monday, Thursday and Sunday at 1:00",
                "jeden Montag, Donnerstag und Sonntag um 1:00 Uhr",
                "chaque lundi, chaque jeudi et chaque dimanche à 1:00",
                "cada lunes, jueves y domingo a la 1:00"
            ),
            Case(
                CalendarTrigger.monthly(on: .last(.friday), at: "18:00"),
                "on the last Friday of each month at 18:00",
                "am letzten Freitag jedes Monats um 18:00 Uhr",
                "le dernier vendredi de chaque mois à 18:00",
                "el último viernes de cada mes a las 18:00"
            ),
            Case(
                CalendarTrigger.monthly(on: 1, at: "18:00:30", until: newYear),
                "on the 1st of each month at 18:00:30, until 31 December 2026",
                "am 1. jedes Monats um 18:00:30 Uhr, bis zum 31. Dezember 2026",
                "le 1er de chaque mois à 18:00:30, jusqu’au 31 décembre 2026",
                "el día 1 de cada mes a las 18:00:30, hasta el 31 de diciembre de 2026"
            ),
            Case(
                CalendarTrigger.monthly(on: .lastDay, at: "0:00"),
                "on the last day of each month at 0:00",
                "am letzten Tag jedes Monats um 0:00 Uhr",
                "le dernier jour de chaque mois à 0:00",
                "el último día de cada mes a las 0:00"
            ),
            Case(
                CalendarTrigger.yearly(on: .may(10), at: "8:00", starting: march),
                "every year on 10 May at 8:00, from 10 May 2026",
                "jedes Jahr am 10. Mai um 8:00 Uhr, ab dem 10. Mai 2026",
                "chaque année le 10 mai à 8:00, à partir du 10 mai 2026",
                "cada año el 10 de mayo a las 8:00, desde el 10 de mayo de 2026"
            ),
            Case(
                CalendarTrigger.yearly(on: .august(.third(.monday)), at: "8:00"),
                "every year on the third Monday of August at 8:00",
                "jedes Jahr am dritten Montag im August um 8:00 Uhr",
                "chaque année le troisième lundi d’août à 8:00",
                "cada año el tercer lunes de agosto a las 8:00"
            ),
            Case(
                try RecurrenceTrigger.every(3, .days, at: "9:00", zone: .named("UTC"), starting: march, count: 3),
                "every 3 days at 9:00 (UTC), from 1 March 2026, 3 times",
                "alle 3 Tage um 9:00 Uhr (UTC), ab dem 1. März 2026, 3-mal",
                "tous les 3 jours à 9:00 (UTC), à partir du 1er mars 2026, 3 fois",
                "cada 3 días a las 9:00 (UTC), desde el 1 de marzo de 2026, 3 veces"
            ),
            Case(
                try RecurrenceTrigger(.rrule("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH"), starting: march),
                "every 2 weeks on Monday and Thursday at 0:00, from 9 March 2026",
                "alle 2 Wochen am Montag und am Donnerstag um 0:00 Uhr, ab dem 9. März 2026",
                "toutes les 2 semaines le lundi et le jeudi à 0:00, à partir du 9 mars 2026",
                "cada 2 semanas el lunes y el jueves a las 0:00, desde el 9 de marzo de 2026"
            ),
            Case(
                try RecurrenceTrigger.every(2, .months, at: "9:00", zone: .named("UTC"), starting: march),
                "every 2 months on the 1st at 9:00 (UTC), from 1 March 2026",
                "alle 2 Monate am 1. um 9:00 Uhr (UTC), ab dem 1. März 2026",
                "tous les 2 mois le 1er à 9:00 (UTC), à partir du 1er mars 2026",
                "cada 2 meses el día 1 a las 9:00 (UTC), desde el 1 de marzo de 2026"
            ),
            Case(
                try RecurrenceTrigger.every(4, .years, at: "9:00", zone: .named("UTC"), starting: march),
                "every 4 years on 1 March at 9:00 (UTC), from 1 March 2026",
                "alle 4 Jahre am 1. März um 9:00 Uhr (UTC), ab dem 1. März 2026",
                "tous les 4 ans le 1er mars à 9:00 (UTC), à partir du 1er mars 2026",
                "cada 4 años el 1 de marzo a las 9:00 (UTC), desde el 1 de marzo de 2026"
            ),
            Case(
                try RecurrenceTrigger(.onCalendar("8,20:00"), until: date("2026-12-31T12:00:00Z")),
                "every day at 8:00 and 20:00, until 31 December 2026 at 12:00",
                "jeden Tag um 8:00 und 20:00 Uhr, bis zum 31. Dezember 2026 um 12:00 Uhr",
                "chaque jour à 8:00 et 20:00, jusqu’au 31 décembre 2026 à 12:00",
                "cada día a las 8:00 y las 20:00, hasta el 31 de diciembre de 2026 a las 12:00"
            ),
            Case(
                DateTrigger(date: date("2026-12-24T13:00:00Z")),
                "on 24 December 2026 at 13:00",
                "am 24. Dezember 2026 um 13:00 Uhr",
                "le 24 décembre 2026 à 13:00",
                "el 24 de diciembre de 2026 a las 13:00"
            ),
            Case(
                IntervalTrigger(every: .seconds(5_400), startsNow: true, count: 2),
                "every 90 minutes, beginning at once, 2 times",
                "alle 90 Minuten, zum ersten Mal sofort, 2-mal",
                "toutes les 90 minutes, la première fois tout de suite, 2 fois",
                "cada 90 minutos, la primera vez enseguida, 2 veces"
            ),
            Case(
                IntervalTrigger(every: .seconds(3_600)),
                "every hour",
                "jede Stunde",
                "toutes les heures",
                "cada hora"
            ),
            Case(
                IntervalTrigger(after: .seconds(61)),
                "once, after 61 seconds",
                "einmal, nach 61 Sekunden",
                "une fois, après 61 secondes",
                "una vez, después de 61 segundos"
            ),
        ]
    }

    @Test(
        "Ordinal numbers in English",
        arguments: [
            (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"), (23, "23rd"),
        ]
    )
    func ordinals(day: Int, text: String) {
        let sentence = CalendarTrigger.monthly(on: .day(day), at: "9:00").sentence(in: [])
        #expect(sentence == "on the \(text) of each month at 9:00")
    }

    @Test(
        "Notations are read",
        arguments: [
            (.cron("25 9 * * 1-5"), "every weekday at 9:25"), (.cron("0 8,20 * * *"), "every day at 8:00 and 20:00"),
            (.cron("0 18 * * 5L"), "on the last Friday of each month at 18:00"),
            (.cron("0 9 15 * *"), "on the 15th of each month at 9:00"),
            (.cron("@yearly"), "every year on 1 January at 0:00"),
            (.cron("0 9 L * *"), "on the last day of each month at 9:00"),
            (.cron("0 9 1,15,L * *"), "on the 1st, the 15th and the last day of each month at 9:00"),
            (.cron("0 9 ? * MON#1,fri#3"), "on the first Monday and the third Friday of each month at 9:00"),
            (.cron("0 12 24 DEC *"), "every year on 24 December at 12:00"),
            (.cron("30 0 7 * * 7"), "every Sunday at 7:00:30"),
            (.onCalendar("*-03,09-01 08:00"), "every year on 1 March and 1 September at 8:00"),
            (.onCalendar("Mon..Fri 09:25"), "every weekday at 9:25"),
            (.onCalendar("Sat,Sun 10:00"), "every Saturday and Sunday at 10:00"),
            (.onCalendar("*-*~01 18:00"), "on the last day of each month at 18:00"),
            (.onCalendar("Fri *-*~07/1 18:00"), "on the last Friday of each month at 18:00"),
            (.onCalendar("Mon *-*-08..14 18:00"), "on the second Monday of each month at 18:00"),
            (.onCalendar("*-05-10 08:00 Europe/Berlin"), "every year on 10 May at 8:00 (Europe/Berlin)"),
            (
                .rrule("DTSTART;TZID=Europe/Berlin:20260131T180000\nRRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3"),
                "on the last Friday of each month at 18:00 (Europe/Berlin), from 27 February 2026, 3 times"
            ),
            (
                .rrule("DTSTART:20260105T090000\nRRULE:FREQ=WEEKLY;UNTIL=20260301T000000"),
                "every Monday at 9:00, from 5 January 2026, until 28 February 2026"
            ),
            (
                .rrule("DTSTART:20260105T090000\nRRULE:FREQ=MONTHLY;BYDAY=1MO,3WE"),
                "on the first Monday and the third Wednesday of each month at 9:00, from 5 January 2026"
            ),
            (
                .rrule("DTSTART:20260131T080000\nRRULE:FREQ=YEARLY;INTERVAL=2"),
                "every 2 years on 31 January at 8:00, from 31 January 2026"
            ),
            (
                .rrule("DTSTART:20260510T080000\nRRULE:FREQ=YEARLY;BYMONTHDAY=10"),
                "every year on 10 May at 8:00, from 10 May 2026"
            ),
            (
                .rrule("DTSTART:20260101T080000\nRRULE:FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU;BYHOUR=7,19"),
                "every year on the last Sunday of March and the last Sunday of October at 7:00 and 19:00, from 29 March 2026"
            ),
        ] as [(RecurrenceTrigger.Rule, String)]
    )
    func notations(rule: RecurrenceTrigger.Rule, expected: String) throws {
        #expect(try RecurrenceTrigger(rule).sentence(in: ["en"], zone: .utc) == expected)
    }

    @Test(
        "Where a short sentence would say too little or too much, there is none",
        arguments: [
            .cron("* * * * *"), .cron("0 9 13 * 5"), .cron("*/5 * * * *"), .cron("0 9 * 5 *"),
            .cron("0 9 * * 1,5#2"), .cron("0 9 1 * 1#1"), .cron("30 7 * 12 1-5"), .onCalendar("Mon *-*-13 09:00"),
            .rrule("DTSTART:20260105T090000\nRRULE:FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR"),
            .rrule("DTSTART:20260105T090000\nRRULE:FREQ=MONTHLY;BYDAY=MO,2FR"),
            .rrule("DTSTART:20260105T090000\nRRULE:FREQ=YEARLY;BYWEEKNO=20"),
            .onCalendar("2026-05-10"), .onCalendar("*:30"), .onCalendar("*:*:0/0.000001"),
            .onCalendar("*-*-01/2 09:00"),
            .rrule("DTSTART:20260105T090000\nRRULE:FREQ=DAILY;INTERVAL=2;BYDAY=MO"),
            .rrule("DTSTART:20260105T090000\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1"),
            .rrule("DTSTART:20260105T090000\nRRULE:FREQ=DAILY\nEXDATE:20260107T090000"),
            .rrule("DTSTART:20260105T090000\nRRULE:FREQ=YEARLY;BYDAY=20MO"),
            .rrule("DTSTART:20260105T090000\nRRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=MO"),
            .rrule("DTSTART:20260105T090000\nRRULE:FREQ=HOURLY;INTERVAL=2"),
        ] as [RecurrenceTrigger.Rule]
    )
    func unsaid(rule: RecurrenceTrigger.Rule) throws {
        #expect(try RecurrenceTrigger(rule).sentence(in: ["en"], zone: .utc) == nil)
    }

    @Test("A count is not told where the start leaves out dates that it counts")
    func lateStart() throws {
        func sentence(_ starting: String) throws -> String? {
            let rule = RecurrenceTrigger.Rule.rrule("DTSTART:20270101T090000\nRRULE:FREQ=DAILY;COUNT=5")
            return try RecurrenceTrigger(rule, starting: Self.date(starting)).sentence(in: ["en"], zone: .utc)
        }
        #expect(try sentence("2027-01-04T00:00:00Z") == nil)
        #expect(try sentence("2027-01-01T09:00:00Z") == "every day at 9:00, from 1 January 2027, 5 times")
    }

    @Test("Components: what fires once needs its whole date, what has no hour is no time of day") func components() {
        func sentence(_ fields: DateFields, repeats: Bool = true) -> String? {
            CalendarTrigger(matching: fields, repeats: repeats).sentence(in: ["en"], zone: .utc)
        }
        let christmas = DateFields(year: 2026, month: 12, day: 24, hour: 18)
        #expect(sentence(christmas, repeats: false) == "on 24 December 2026 at 18:00")
        #expect(sentence(christmas) == nil)
        #expect(sentence(DateFields(hour: 18), repeats: false) == nil)
        #expect(sentence(DateFields(month: 5, day: 10)) == "every year on 10 May at 0:00")
        #expect(sentence(DateFields(weekday: 2)) == "every Monday at 0:00")
        let untold = [
            DateFields(minute: 30), DateFields(month: 5), DateFields(month: 5, hour: 9), DateFields(day: -2, hour: 9),
            DateFields(weekday: 2, weekOfMonth: 1, hour: 9), DateFields(dayOfYear: 100, hour: 9), DateFields(hour: 25),
            DateFields(month: 13, day: 1), DateFields(weekday: 8, hour: 9), DateFields(day: .max, hour: .min),
        ]
        for fields in untold { #expect(sentence(fields) == nil, "\(fields)") }
        let ragged = [DateFields(weekday: 2, hour: 9), DateFields(weekday: 3, hour: 10)]
        #expect(CalendarTrigger(matching: ragged, repeats: true).sentence(in: ["en"]) == nil)
        #expect(CalendarTrigger(matching: [], repeats: true).sentence(in: ["en"]) == nil)
        let islamic = CalendarTrigger(matching: DateFields(hour: 9), repeats: true, options: .init(calendar: .islamic))
        #expect(islamic.sentence(in: ["en"]) == nil)
    }

    @Test("The limit is told as the last day that fires; the language is English where none of them is known")
    func limits() throws {
        let midnight = Self.date("2026-12-31T00:00:00Z")
        let trigger = CalendarTrigger.daily(at: "9:00", until: midnight)
        #expect(trigger.sentence(in: ["ja", "tlh"], zone: .utc) == "every day at 9:00, until 30 December 2026")
        let tokyo = try ZoneRules.named("Asia/Tokyo")
        #expect(trigger.sentence(in: ["en"], zone: tokyo) == "every day at 9:00, until 31 December 2026")
        let never = CalendarTrigger.daily(at: "9:00", starting: .distantFuture, until: .distantPast)
        #expect(never.sentence(in: ["en"], zone: .utc) == nil)
        for seconds in [Double.nan, .infinity, -1e300] {
            #expect(DateTrigger(date: Date(timeIntervalSince1970: seconds)).sentence(in: ["en"]) == nil)
        }
        #expect(IntervalTrigger(after: .milliseconds(1_500)).sentence(in: ["en"]) == nil)
        #expect(ImmediateTrigger().sentence(in: ["en"]) == nil)
    }
}
