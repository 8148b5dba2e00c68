import Belfry
import BelfrySQLite
import Foundation
import SeededRandom
import StoreWorkload

/// A whole app on a real store and a real clock, for as long as it is let live: it adds, removes, fires, is answered
/// and handles the answers, and says what it does before and after.
///
///   adding ID · added ID · removing ID · removed ID      by the app's calls
///   shown DELIVERY ID first|repeated CROSSING            by the backend
///   stored ID                                            an answer is in the store
///   taken RESPONSE ID                                    by the app's handler
///   idle                                                 nothing is left to be done but what is due in an hour
struct Life: Sendable {
    let folder: String
    let seed: UInt64
    /// Tells identifiers of several lives apart.
    let number: Int
    /// How many things to do; then it waits until all that came of them is done, and ends.
    let steps: Int

    func run() async throws {
        say("begun")
        let store = try await SQLiteRequestStore.open(in: folder, options: options)
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Life"),
            backend: LogBackend(),
            store: NoticeStore(store)
        )
        let events = await center.events()
        let listener = Task {
            for await case .history(let line) in events where line.outcome == .responded {
                say("stored \(line.requestID)")
            }
        }
        await center.setDelegate(SayingHandler())
        let progress = await center.events()
        try await center.run { center in
            try await live(center)
            try await center.becomeIdle(store, progress)
        }
        await listener.value
        try await store.close()
        say("idle")
    }

    private func live(_ center: NoticeCenter) async throws {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        var far: [String] = []
        for step in 0..<steps {
            let id = "\(number).\(step)"
            // However short the life, something fires and is answered.
            let title = step == 0 || random.number(0...1) == 0 ? "Question?" : "Notice"
            switch step == 0 ? 5 : random.number(0...9) {
            case 0...3:
                let wait = Duration.microseconds(random.number(1...20_000))
                try await add(NoticeRequest(id: "soon-\(id)", title: title, trigger: .after(wait)), to: center)
            case 4:
                let date = Date().addingTimeInterval(Double(random.number(1...20)) / 1_000)
                try await add(NoticeRequest(id: "date-\(id)", title: title, trigger: .date(date)), to: center)
            case 5: try await add(NoticeRequest(id: "now-\(id)", title: title), to: center)
            case 6:
                let trigger = IntervalTrigger(every: .seconds(3_600), startsNow: true)
                try await add(NoticeRequest(id: "hourly-\(id)", title: title, trigger: trigger), to: center)
            case 7, 8:
                far.append("far-\(id)")
                let trigger = IntervalTrigger(after: .seconds(3_600))
                try await add(NoticeRequest(id: "far-\(id)", title: title, trigger: trigger), to: center)
            default:
                guard let index = far.indices.randomElement(using: &random) else { continue }
                let id = far.remove(at: index)
                say("removing \(id)")
                try await center.remove(id)
                say("removed \(id)")
            }
        }
    }

    private func add(_ request: NoticeRequest, to center: NoticeCenter) async throws {
        say("adding \(request.id)")
        do throws(NoticeError) {
            try await center.add(request)
            say("added \(request.id)")
        } catch {
            // A date some milliseconds from now may be past when the center looks at it.
            guard error.code == .neverFires else { throw error }
        }
    }
}

extension NoticeCenter {
    /// Returns when nothing is due within the half-hour, and nothing is under way or to be tried again.
    func becomeIdle(_ store: SQLiteRequestStore, _ events: Events) async throws {
        var news = events.makeAsyncIterator()
        while true {
            await quiet()
            let next = try await nextFireDate()
            let isDue = next.map { $0 < Date().addingTimeInterval(1_800) } ?? false
            let isComing = try await store.load().deliveries.contains { $0.receipt == nil }
            guard isDue || isComing else { return }
            // A firing is an event.
            _ = await news.next()
        }
    }
}

/// Takes its time over some of the answers, so that a kill finds it at work.
private struct SayingHandler: NoticeCenterDelegate {
    func handle(_ response: NoticeResponse) async {
        if Bool.random() { try? await Task.sleep(for: .microseconds(Int.random(in: 1...3_000))) }
        say("taken \(response.id) \(response.requestID)")
    }
}
