import Belfry
import BelfrySQLite
import CFaultySystem
import Foundation
import StoreWorkload

/// Lets the n-th call that changes the disk fail, for n = 1, 2, 3… until none does, in each of four ways, and checks
/// that the store then holds what was acknowledged: at once, and when it is opened anew. Prints "ok" with the counts,
/// or what is wrong.
///
/// A disk that fails from then on can't take back what it has got: there the batch whose commit failed may be found
/// when the store is opened anew. In the process it is undone all the same.
func fault(_ folder: String, seed: UInt64, stride: Int) async throws {
    for (code, name) in [(EIO, "EIO"), (ENOSPC, "ENOSPC")] {
        for forever in [false, true] {
            var number = 1 + Int(seed % UInt64(stride))
            var tried = 0
            var refused = 0
            while true {
                let place = "\(folder)/\(name)-\(forever)-\(number)"
                let life = try await FaultyLife.run(in: place, seed: seed, call: number, code, forever: forever)
                if let wrong = life.wrong {
                    say("wrong: call \(number) \(name) forever \(forever): \(wrong)")
                    exit(1)
                }
                if life.wasRefused { refused += 1 }
                try? FileManager.default.removeItem(atPath: place)
                if life.failures == 0 { break }
                tried += 1
                number += stride
            }
            say(
                "ok \(name)\(forever ? " from then on" : " once"): \(tried) of \(number - 1) calls failed, \(refused) "
                    + "noticed"
            )
        }
    }
}

/// Lets the calls fail one after the other while a damaged store is salvaged, in the same four ways, and checks that
/// the next opening finds what a salvage without a fault saves.
func faultSalvage(_ folder: String, seed: UInt64, stride: Int) async throws {
    let damaged = folder + "/damaged"
    try await makeDamagedStore(in: damaged)
    try FileManager.default.copyItem(atPath: damaged, toPath: folder + "/faultless")
    let saved = try await pendingIDs(in: folder + "/faultless")
    for (code, name) in [(EIO, "EIO"), (ENOSPC, "ENOSPC")] {
        for forever in [false, true] {
            var number = 1 + Int(seed % UInt64(stride))
            var failures = 1
            while failures > 0 {
                let place = "\(folder)/\(name)-\(forever)-\(number)"
                try FileManager.default.copyItem(atPath: damaged, toPath: place)
                faulty_system_arm(Int32(number), code, forever ? 1 : 0)
                do throws(NoticeError) { try await SQLiteRequestStore.open(in: place).close() } catch {
                    if error.code != .storeFailed { say("wrong: call \(number): \(error.code): \(error)") }
                }
                failures = Int(faulty_system_failures())
                faulty_system_arm(0, 0, 0)
                let found = try await pendingIDs(in: place)
                guard found == saved else {
                    say("wrong: call \(number) \(name) forever \(forever): \(found.count) of \(saved.count) are left")
                    exit(1)
                }
                try FileManager.default.removeItem(atPath: place)
                number += stride
            }
            say("ok \(name)\(forever ? " from then on" : " once"): up to call \(number)")
        }
    }
}

/// A store of many pages, with a changed byte in one of its requests.
private func makeDamagedStore(in folder: String) async throws {
    let store = try await SQLiteRequestStore.open(in: folder)
    let body = String(repeating: "body ", count: 400)
    let due = Date(timeIntervalSince1970: 1_800_000_000)
    let changes = (1...100 as ClosedRange<Int64>).map { number -> StoreChange in
        let request = NoticeRequest(id: "\(number)", title: "T", body: body, trigger: .date(due))
        return .putRequest(request, revision: number, TriggerProgress(anchor: number))
    }
    try await store.commit(changes)
    try await store.close()
    let file = URL(fileURLWithPath: folder + "/store.sqlite")
    var bytes = try Data(contentsOf: file)
    guard let last = bytes.range(of: Data("body".utf8), options: .backwards) else { return }
    bytes[last.lowerBound] ^= 1
    try bytes.write(to: file)
}

private func pendingIDs(in folder: String) async throws -> [String] {
    let store = try await SQLiteRequestStore.open(in: folder)
    let ids = try await store.load().pending.map(\.id)
    try await store.close()
    return ids
}

/// One store under one fault.
private struct FaultyLife {
    var wrong: String?
    var failures = 0
    var wasRefused = false

    static let batches = 6

    static func run(in folder: String, seed: UInt64, call: Int, _ code: Int32, forever: Bool) async throws -> FaultyLife
    {
        let options = SQLiteStoreOptions(history: HistoryLimit(count: nil, age: nil))
        var life = FaultyLife()
        var acknowledged = 0
        faulty_system_arm(Int32(call), code, forever ? 1 : 0)
        do throws(NoticeError) {
            let store = try await SQLiteRequestStore.open(in: folder, options: options)
            life.wrong = await life.use(store, seed: seed, &acknowledged)
            life.failures = Int(faulty_system_failures())
            try await store.close()
        } catch {
            life.wasRefused = true
            if error.code != .storeFailed { life.wrong = "\(error.code): \(error)" }
        }
        life.failures = Int(faulty_system_failures())
        faulty_system_arm(0, 0, 0)
        guard life.wrong == nil else { return life }
        let again = try await SQLiteRequestStore.open(in: folder, options: options)
        if let damage = again.openingReport.damage { life.wrong = "damaged: \(damage)" }
        let found = try await StoreContents(again)
        var isExpected = try await found == StoreContents.after(acknowledged, seed: seed)
        if !isExpected, forever { isExpected = try await found == StoreContents.after(acknowledged + 1, seed: seed) }
        if !isExpected { life.wrong = "opened anew, it holds something else than \(acknowledged) batches" }
        try await again.close()
        return life
    }

    /// Commits until a commit fails; answers what is wrong.
    private mutating func use(_ store: SQLiteRequestStore, seed: UInt64, _ acknowledged: inout Int) async -> String? {
        var workload = StoreWorkload(seed: seed)
        do throws(NoticeError) {
            for _ in 0..<Self.batches {
                try await store.commit(workload.next())
                acknowledged += 1
            }
            return nil
        } catch {
            wasRefused = true
            guard error.code == .storeFailed else { return "\(error.code): \(error)" }
        }
        do {
            let found = try await StoreContents(store)
            let expected = try await StoreContents.after(acknowledged, seed: seed)
            return found == expected
                ? nil : "after a failed commit it holds something else than \(acknowledged) batches"
        } catch { return "it can't be read after a failed commit: \(error)" }
    }
}
