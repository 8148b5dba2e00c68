import BelfryRecurrence
import Foundation

@testable import Belfry

/// Ten years of a thousand requests in simulated time, from what is added to the list of what is shown.
enum SimulationBenchmark {
    private static let days = Effort.isTiny ? 30.0 : 3_653.0

    static func run(_ report: inout BenchmarkReport) throws {
        let birthdays = try seconds { number in
            DateFields(month: number % 12 + 1, day: number % 28 + 1, hour: number % 24)
        }
        report.add(
            .bound(
                "simulate ten years of 1,000 birthdays, \(birthdays.shown) notices",
                birthdays.seconds,
                "s",
                target: "1 s",
                reached: birthdays.seconds < 1
            )
        )
        let weekly = try seconds { DateFields(weekday: $0 % 7 + 1, hour: $0 % 24, minute: $0 % 60) }
        report.add(
            .bound(
                "simulate ten years of 1,000 weekly requests, \(weekly.shown) notices",
                weekly.seconds,
                "s",
                target: "1.5 s",
                reached: weekly.seconds <= 1.5
            )
        )
        report.note(
            "The schedule is the one of a center, with a content for each request, in the zone Europe/Berlin; every notice is shown "
                + "and stays unanswered."
        )
    }

    private static func seconds(_ fields: (Int) -> DateFields) throws -> (seconds: Double, shown: Int) {
        let start = SampleRequests.start.date
        var shown = 0
        var rounds: [Double] = []
        for _ in 0..<Effort.rounds(3) {
            rounds.append(
                try Stopwatch.seconds {
                    var run = try SimulatedRun(from: start, zone: try .named("Europe/Berlin"))
                    for number in 0..<1_000 {
                        let trigger = CalendarTrigger(matching: fields(number), repeats: true)
                        _ = try run.add([NoticeRequest(id: "request \(number)", title: "Title", trigger: trigger)])
                    }
                    let end = start.addingTimeInterval(days * 86_400)
                    let outcome = try run.run(until: end, atMost: 10_000_000)
                    shown = outcome.shown.count
                    keep(outcome)
                }
            )
        }
        return (Alternation.median(rounds), shown)
    }
}
