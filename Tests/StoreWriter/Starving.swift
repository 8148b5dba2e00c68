import Belfry
import BelfrySQLite
import Foundation
import StoreWorkload

/// Commits until the disk is "full" (RLIMIT_FSIZE), checks that nothing of the failed batch is there, and goes on when there is
/// room again. Prints "starved N CODE", "intact" and "ack N".
func starve(_ folder: String, seed: UInt64, bytes: Int, _ options: SQLiteStoreOptions) async throws {
    // As write(2): the signal would end the process; without it the call fails with EFBIG.
    signal(SIGXFSZ, SIG_IGN)
    let store = try await SQLiteRequestStore.open(in: folder, options: options)
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: RLIM_INFINITY)
    guard setrlimit(resource, &limit) == 0 else { throw CocoaError(.featureUnsupported) }
    var workload = StoreWorkload(seed: seed)
    var hungry = true
    var rest = 25
    var number = 0
    while rest > 0 {
        let batch = workload.next()
        do { try await store.commit(batch) } catch  where hungry {
            say("starved \(number + 1) \(error.code) \(error)")
            guard try await StoreContents(store) == StoreContents.after(number, seed: seed) else {
                say("not intact after \(number)")
                exit(1)
            }
            say("intact")
            limit.rlim_cur = RLIM_INFINITY
            guard setrlimit(resource, &limit) == 0 else { throw CocoaError(.featureUnsupported) }
            hungry = false
            try await store.commit(batch)
        }
        number += 1
        say("ack \(number)")
        if !hungry { rest -= 1 }
    }
}
