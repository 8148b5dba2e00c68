import Belfry
import BelfryRecorder
import BelfrySQLite
import Foundation

/// The figures of docs/store.md; build it optimised.
func measure(_ folder: String, pending count: Int) async throws {
    let clock = ContinuousClock()
    @Sendable func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }
    @Sendable func report(_ what: String, _ count: Int, _ duration: Duration) {
        let each = seconds(duration) / Double(count) * 1e6
        say(String(format: "%@: %.3f s, %.1f us each, %.0f a second", what, seconds(duration), each, 1e6 / each))
    }
    @Sendable func requests(_ range: Range<Int>) -> [NoticeRequest] {
        range.map {
            NoticeRequest(
                id: "request-\($0)",
                title: "Title of \($0)",
                body: "A body of some length, as a reminder has one.",
                trigger: .at(Date().addingTimeInterval(86_400 + Double($0)))
            )
        }
    }

    let app = AppIdentity(id: "org.example.Measure")
    let descriptor = open(folder + ".probe", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    var duration = clock.measure {
        for _ in 0..<1000 {
            _ = write(descriptor, "0123456789abcdef", 16)
            _ = fdatasync(descriptor)
        }
    }
    report("fdatasync of an appended file alone", 1000, duration)
    close(descriptor)
    unlink(folder + ".probe")

    var store = try await SQLiteRequestStore.open(in: folder + "/single")
    try await NoticeCenter(app: app, backend: RecorderBackend(), store: store).running { center in
        let all = requests(0..<1000)
        let duration = try await clock.measure { for request in all { _ = try await center.add(request) } }
        report("1,000 adds through the center, one by one", 1000, duration)
    }
    try await store.close()

    store = try await SQLiteRequestStore.open(in: folder + "/together")
    try await NoticeCenter(app: app, backend: RecorderBackend(), store: store).running { center in
        let all = requests(0..<6400)
        let duration = try await clock.measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<64 {
                    group.addTask {
                        for index in stride(from: caller, to: all.count, by: 64) {
                            _ = try await center.add(all[index])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        report("6,400 adds through the center, 64 callers at once", 6400, duration)
    }
    try await store.close()

    store = try await SQLiteRequestStore.open(in: folder + "/large")
    var revision: Int64 = 0
    var batches: [[StoreChange]] = []
    for start in stride(from: 0, to: count, by: 10_000) {
        batches.append(
            requests(start..<start + 10_000).map {
                revision += 1
                return .putRequest($0, revision: revision, TriggerProgress(anchor: 0))
            }
        )
    }
    for (number, batch) in batches.enumerated() {
        duration = try await clock.measure { try await store.commit(batch) }
        if number == 0 { report("a batch of 10,000 in one commit", 10_000, duration) }
    }
    try await store.close()
    duration = try await clock.measure { store = try await SQLiteRequestStore.open(in: folder + "/large") }
    report("open with \(count) pending (lock, check, migrations)", count, duration)
    var state = StoredState()
    duration = try await clock.measure { state = try await store.load() }
    report("load \(count) pending", state.pending.count, duration)
    let size = try FileManager.default.attributesOfItem(atPath: folder + "/large/store.sqlite")[.size] as? Int ?? 0
    say("file of \(count) requests: \(size / 1024) KiB")
}
