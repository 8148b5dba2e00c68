import Belfry
import BelfrySQLite
import Foundation
import StoreWorkload

/// Commits until the disk is "full" (RLIMIT_FSIZE), checks that nothing of the failed batch is there, and goes on when
/// there is room again. Prints "starved N CODE", "intact" and "ack N".
func starve(_ folder: String, seed: UInt64, bytes: Int, _ options: SQLiteStoreOptions) async throws {
    // As write(2): the signal would end the process; without it the call fails with EFBIG.
    signal(SIGXFSZ, SIG_IGN)
    let store = try await SQLiteRequestStore.open(in: folder, options: options)
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t.max)
    guard setrlimit(resource, &limit) == 0 else { throw CocoaError(.featureUnsupported) }
    var workload = StoreWorkload(seed: seed)
    var hungry = true
    var rest = 25
    var number = 0
    while rest > 0 {
        let batch = workload.next()
        if hungry, let failure = await failure(of: batch, store) {
            say("starved \(number + 1) \(failure.code) \(failure)")
            let found = try await StoreContents(store)
            let expected = try await StoreContents.after(number, seed: seed)
            guard found == expected else {
                say("not intact after \(number)")
                exit(1)
            }
            say("intact")
            limit.rlim_cur = rlim_t.max
            guard setrlimit(resource, &limit) == 0 else { throw CocoaError(.featureUnsupported) }
            hungry = false
        }
        if !hungry {
            try await store.commit(batch)
            rest -= 1
        }
        number += 1
        say("ack \(number)")
    }
}

/// Commits, and answers why it could not.
private func failure(of batch: [StoreChange], _ store: SQLiteRequestStore) async -> NoticeError? {
    do throws(NoticeError) {
        try await store.commit(batch)
        return nil
    } catch { return error }
}
