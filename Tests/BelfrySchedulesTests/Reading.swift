import Belfry
import BelfryRecurrence
import Foundation
import Testing

@testable import BelfrySchedules

/// Schedules that tests read, in Berlin.
enum Reading {
    static let berlin = try! ZoneRules.named("Europe/Berlin")

    static func schedule(_ text: String, languages: [String]? = nil) throws -> NoticeSchedule {
        try NoticeSchedule(
            parsing: text,
            named: "schedule.json",
            options: ScheduleOptions(languages: languages, zone: berlin)
        )
    }

    static func date(_ text: String) -> Date { try! DateText(zone: berlin).parse(text) }

    static func text(_ date: Date) -> String {
        let seconds = Int64(date.timeIntervalSince1970.rounded(.down))
        let offset = berlin.offset(at: seconds)
        let local = LocalDate(secondsAtUTC: seconds + Int64(offset))
        func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let day = "\(local.year)-\(padded(local.month))-\(padded(local.day))"
        return
            "\(day) \(padded(local.hour)):\(padded(local.minute))\(local.second == 0 ? "" : ":" + padded(local.second))"
    }

    /// The coming dates of a file's only entry that begins at `anchor`, in Berlin.
    static func dates(_ text: String, from anchor: String, count: Int = 6) throws -> [String] {
        let anchor = date(anchor)
        let entries = try schedule(text).entries
        try #require(entries.count == 1)
        let requests = try entries[0].requests(beginningAt: anchor, in: berlin)
        return requests.flatMap { $0.trigger?.previewOccurrences(count, after: anchor, in: berlin) ?? [] }
            .sorted().prefix(count).map(Self.text)
    }

    /// The errors of a native file whose only notice is this, without the file's name.
    static func errors(_ text: String) -> [String] {
        do {
            _ = try schedule(text)
            return []
        } catch let error as ScheduleError {
            return error.diagnostics.map { "\($0.path): \($0.message)" }
        } catch { return ["\(error)"] }
    }

    static func native(_ notice: String) -> String { #"{"version":1,"notices":[{"id":"a","title":"A",\#(notice)}]}"# }

    static func native(trigger: String) -> String { native(#""trigger":{\#(trigger)}"#) }
}
