import Belfry
import BelfrySQLite
import Foundation
import StoreWorkload

// The other process of the store's tests: killed, starved of disk, shut out.
//
//   StoreWriter write FOLDER SEED FIRST COUNT    commits batches FIRST… and prints "ack N" when the N-th is acknowledged
//   StoreWriter starve FOLDER SEED BYTES         the same with files of at most BYTES, then goes on without that limit
//   StoreWriter fault FOLDER SEED STRIDE         lets every STRIDE-th system call fail in turn
//   StoreWriter salvage FOLDER SEED STRIDE       the same while a damaged store is salvaged
//   StoreWriter live FOLDER SEED LIFE STEPS      a center that adds, fires and is answered (Living.swift)
//   StoreWriter travel FOLDER SEED LIFE STEPS    a center whose requests wait for places (Travelling.swift)
//   StoreWriter hold FOLDER                      prints "held" and keeps the store until its input ends
//   StoreWriter stranger FOLDER                  opens as the user nobody, and prints what comes of it

/// Unbuffered: what is printed has happened, and what has happened is printed.
func say(_ text: String) {
    let bytes = Array("\(text)\n".utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
    say("usage: StoreWriter write|starve|fault|salvage|live|travel|hold|stranger FOLDER …")
    exit(64)
}
let folder = arguments[2]
let options = SQLiteStoreOptions(history: HistoryLimit(count: nil, age: nil))
let numbers = arguments.dropFirst(3).map { Int($0) ?? 0 }

do {
    switch arguments[1] {
    case "write":
        let store = try await SQLiteRequestStore.open(in: folder, options: options)
        var workload = StoreWorkload(seed: UInt64(numbers[0]))
        for _ in 1..<numbers[1] { _ = workload.next() }
        for number in numbers[1]..<numbers[1] + numbers[2] {
            try await store.commit(workload.next())
            say("ack \(number)")
        }
    case "starve": try await starve(folder, seed: UInt64(numbers[0]), bytes: numbers[1], options)
    case "fault": try await fault(folder, seed: UInt64(numbers[0]), stride: max(1, numbers[1]))
    case "salvage": try await faultSalvage(folder, seed: UInt64(numbers[0]), stride: max(1, numbers[1]))
    case "live":
        try await Life(folder: folder, seed: UInt64(numbers[0]), number: numbers[1], steps: numbers[2]).run()
    case "travel":
        try await Travel(folder: folder, seed: UInt64(numbers[0]), number: numbers[1], steps: numbers[2]).run()
    case "hold":
        let store = try await SQLiteRequestStore.open(in: folder)
        say("held")
        while readLine() != nil {}
        try await store.close()
    case "stranger":
        // nobody: whatever the folder's mode says to root, it says the truth to this one.
        guard setegid(65_534) == 0, seteuid(65_534) == 0 else { throw CocoaError(.featureUnsupported) }
        _ = try await SQLiteRequestStore.open(in: folder)
        say("opened")
    default: say("unknown: \(arguments[1])")
    }
} catch let error as NoticeError {
    say("error \(error.code): \(error)")
    exit(1)
} catch {
    say("error: \(error)")
    exit(1)
}
