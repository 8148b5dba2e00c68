import BelfryAgent
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryAgentService

@Suite("Which app's start ended the process", .takesTurns, .timeLimit(.minutes(5)))
struct StartMarkTests {
    private let folder: String
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        folder = NSTemporaryDirectory() + "belfry-mark-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func mark(boot: String = "boot-1") -> StartMark { StartMark(folder: folder, bootID: boot) }

    @Test("Two starts in a row that were not survived are a quarantine, which outlives the machine's restart")
    func twice() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        mark().begin(at: now)
        #expect(mark().crashes == 1 && mark().quarantined() == nil)
        mark().begin(at: now)
        #expect(mark().quarantined() == now)
        #expect(mark(boot: "boot-2").quarantined() == now)
        mark().clear()
        #expect(mark().crashes == 0 && mark().quarantined() == nil)
    }

    @Test("A power cut is no crash, however often it comes") func powerCut() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for boot in 1...5 {
            let mark = mark(boot: "boot-\(boot)")
            #expect(mark.crashes == 0 && mark.quarantined() == nil)
            mark.begin(at: now)
        }
        // One crash in the boot of the last one: not yet two of them.
        #expect(mark(boot: "boot-5").crashes == 1 && mark(boot: "boot-5").quarantined() == nil)
    }

    @Test("A start that was survived takes back what came before it") func survived() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        mark().begin(at: now)
        mark().begin(at: now)
        mark().clear()
        mark().begin(at: now)
        #expect(mark().crashes == 1 && mark().quarantined() == nil)
    }

    @Test("A mark that can't be read, or written, keeps no app from starting") func unreadable() throws {
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/start.json"))
        #expect(mark().crashes == 0 && mark().quarantined() == nil)
        try FileManager.default.removeItem(atPath: folder)
        mark().begin(at: now)
        #expect(mark().crashes == 0)
    }

    @Test("A record is replaced whole, and not emptied first: a full disk would end a quarantine")
    func replaced() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        /// Runs `body`, and expects that the earlier record is as it was.
        func expectKept(_ body: () -> Void) throws {
            let earlier = folder + "/earlier-\(UUID().uuidString)"
            try FileManager.default.linkItem(atPath: folder + "/start.json", toPath: earlier)
            let contents = FileManager.default.contents(atPath: earlier)
            body()
            #expect(FileManager.default.contents(atPath: earlier) == contents)
            #expect(FileManager.default.contents(atPath: folder + "/start.json") != contents)
        }
        mark().begin(at: now)
        try expectKept { mark().begin(at: now) }
        try expectKept { #expect(mark().quarantined() == now) }
    }

    @Test("While a suspect is opened nobody else is; others are, a few at a time") func alone() async {
        let gate = OpeningGate(width: 2)
        let (order, log) = AsyncStream.makeStream(of: String.self)
        await gate.enter(alone: false)
        let suspect = Task {
            await gate.enter(alone: true)
            log.yield("suspect")
            await gate.leave(alone: true)
        }
        while await gate.waiting == 0 { await Task.yield() }
        let other = Task {
            await gate.enter(alone: false)
            log.yield("other")
            await gate.leave(alone: false)
        }
        // There is room for one, but the suspect came before it.
        while await gate.waiting == 1 { await Task.yield() }
        log.yield("leaving")
        await gate.leave(alone: false)
        await suspect.value
        await other.value
        log.finish()
        #expect(await order.reduce(into: []) { $0.append($1) } == ["leaving", "suspect", "other"])
    }
}
