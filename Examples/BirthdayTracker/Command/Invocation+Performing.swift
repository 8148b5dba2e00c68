import Belfry
import BelfryConsole
import BelfryLibnotify
import BelfryRecurrence
import BirthdayTrackerKit
import Foundation
import Terminal

extension Invocation {
    /// Does what is asked and says what was done. Throws where it could not be done.
    func perform(on file: PeopleFile) async throws {
        switch self {
        case .add(let person): try add(person, to: file)
        case .remove(let name): try remove(name, from: file)
        case .list(let leapDay): try list(file, leapDay)
        case .run(let leapDay): try await run(file, leapDay)
        }
    }

    private func add(_ person: Person, to file: PeopleFile) throws {
        try file.add(person)
        print("\(person.name): \(person.birthday). A running tracker reads the file on SIGHUP.")
    }

    private func remove(_ name: String, from file: PeopleFile) throws {
        guard try file.remove(name: name) else {
            writeError("There is no '\(name)'; 'birthday-tracker list' shows who there is.")
            exit(1)
        }
        print("\(name) is removed. A running tracker reads the file on SIGHUP.")
    }

    private func list(_ file: PeopleFile, _ leapDay: MissingDatePolicy) throws {
        for person in try file.load() {
            let next = person.birthday.trigger(leapDay: leapDay).nextDate(
                after: .now,
                in: TriggerContext(zone: .system())
            )
            print("\(person.name)\t\(person.birthday)\tnext \(written(next))")
        }
    }

    /// Until SIGINT or SIGTERM; SIGHUP reads the file again.
    private func run(_ file: PeopleFile, _ leapDay: MissingDatePolicy) async throws {
        let app = AppIdentity(id: "org.example.BirthdayTracker", name: "Birthday Tracker")
        let prompt = ConsolePrompt { app in "May \(app.name) show a notice at 8:00 on each birthday?" }
        let center = NoticeCenter(app: app, backend: .libnotify(for: app), prompt: prompt)
        let tracker = BirthdayTracker(center: center, file: file, leapDay: leapDay)
        try await center.run { center in
            let events = await center.events()
            async let _: Void = writeErrors(of: events)
            await center.setDelegate(AgeInTheNotice())
            try report(await tracker.synchronize())
            for await signal in processSignals(SIGHUP, SIGINT, SIGTERM) {
                guard signal == SIGHUP else { return }
                // A file that is being edited may be unreadable for once: what was pending stays.
                do { try report(await tracker.synchronize()) } catch let error as BirthdayError {
                    writeError("\(error)")
                }
            }
        }
    }

    /// Throws where there is nothing to wait for.
    private func report(_ outcome: BirthdayTracker.Outcome) throws {
        guard case .scheduled(let count, let next) = outcome else { throw NotAllowed() }
        let birthdays = count == 1 ? "1 birthday" : "\(count) birthdays"
        writeLine("\(birthdays); next notice: \(written(next)). SIGHUP reads the file again, ^C ends.")
    }

    private func written(_ date: Date?) -> String {
        date?.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)) ?? "never"
    }
}

/// The user does not want notices, and without them a running tracker has nothing to do.
struct NotAllowed: Error, CustomStringConvertible {
    var description: String { "You denied notices: nothing is scheduled." }
}
