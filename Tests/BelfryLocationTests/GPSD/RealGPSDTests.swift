import Belfry
import BelfryGPSD
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

private let program = ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd", "/usr/bin/gpsd"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

@Suite(
    "Positions from the real gpsd, fed with NMEA over TCP",
    .takesTurns,
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(if: program != nil, "no gpsd here: apt-get install gpsd")
)
struct RealGPSDTests {
    /// A receiver that walks north, ten positions a second, and gpsd that reads it.
    private func withService(_ body: (UInt16, ScriptedSocket) async throws -> Void) async throws {
        let receiver = try ScriptedSocket()
        let walk = Walk(receiver)
        let port = try ScriptedSocket.freePort()
        let service = Foundation.Process()
        service.executableURL = URL(fileURLWithPath: program ?? "")
        service.arguments = ["-N", "-n", "-S", String(port), "tcp://127.0.0.1:\(receiver.port)"]
        (service.standardOutput, service.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try service.run()
        defer {
            walk.stop()
            kill(service.processIdentifier, SIGKILL)
            service.waitUntilExit()
        }
        // It has opened its own port before it opens the receiver.
        await receiver.heard.wait { $0 == ScriptedSocket.connection }
        try await body(port, receiver)
    }

    @Test(
        "Its version and receiver are told, and the positions of the walk come in order, with the time of now and accuracy"
    )
    func walking() async throws {
        try await withService { port, receiver in
            let provider = GPSDProvider(port: port)
            let server = try await provider.findServer()
            #expect(server.release.hasPrefix("3."))
            #expect(server.receivers == ["tcp://127.0.0.1:\(receiver.port)"])
            try await running(provider) { run in
                let fixes = try await run.fixes.wait(for: 5, timeout: .seconds(60))
                for (one, next) in zip(fixes, fixes.dropFirst()) { #expect(one.latitude <= next.latitude) }
                #expect(abs(fixes[0].longitude - 13.4) < 0.001 && (52.5...53.5).contains(fixes[0].latitude))
                #expect(fixes.allSatisfy { abs($0.date.timeIntervalSinceNow) < 120 })
                let accuracies = fixes.compactMap(\.accuracy)
                #expect(accuracies.allSatisfy { $0 > 0 && $0 < 1_000 })
                print("Real gpsd \(server.release): \(fixes[0])")
            }
            #expect(provider.ignoredLines == 0)
        }
    }

    @Test("It obeys the rules of providers")
    func conformance() async throws {
        try await withService { port, _ in
            let report = await LocationProviderConformance(timeout: .seconds(60)) { GPSDProvider(port: port) }.runAll()
            try report.verify()
        }
    }
}

/// Plays a receiver: the time of now, and 5.5 m further north each time.
final class Walk: Sendable {
    private let isOver = Record<Void>()

    init(_ receiver: ScriptedSocket, every pause: UInt32 = 100_000) {
        let isOver = isOver
        Thread.detachNewThread {
            var steps = 0
            while isOver.all.isEmpty {
                let now = NMEA.now()
                receiver.say(NMEA.epoch(52.5 + Double(steps) * 0.00005, 13.4, time: now.time, date: now.date))
                steps += 1
                usleep(pause)
            }
        }
    }

    func stop() { isOver.add(()) }
}
