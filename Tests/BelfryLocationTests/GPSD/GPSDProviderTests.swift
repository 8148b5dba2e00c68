import Belfry
import BelfryTestSupport
import BelfryTesting
import Foundation
import SeededRandom
import Testing

@testable import BelfryGPSD

/// What gpsd 3.22 says.
enum GPSDLines {
    static let version =
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
    static let devices =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyUSB0","activated":"2026-11-21T12:00:00.000Z"}]}"#
        + "\r\n"

    static func position(_ latitude: Double, _ rest: String = #","eph":12.5"#, mode: Int = 3) -> String {
        #"{"class":"TPV","device":"/dev/ttyUSB0","mode":\#(mode),"time":"2026-11-21T12:00:03.500Z","lat":\#(latitude),"lon":13.4\#(rest)}"#
            + "\r\n"
    }
}

@Suite("Positions from gpsd", .takesTurns, .timeLimit(.minutes(5)))
struct GPSDProviderTests {
    private func server(_ greeting: String = GPSDLines.version) throws -> ScriptedSocket {
        try ScriptedSocket(greeting: greeting)
    }

    private func provider(_ server: ScriptedSocket, _ change: (inout GPSDProvider.Timeouts) -> Void = { _ in })
        -> GPSDProvider
    {
        var timeouts = GPSDProvider.Timeouts(firstPause: .milliseconds(5))
        change(&timeouts)
        return GPSDProvider(port: server.port, timeouts: timeouts)
    }

    /// The command that asks for reports has come.
    private func watched(_ server: ScriptedSocket, times: Int = 1) async {
        await server.heard.wait(for: times) { $0.hasPrefix("?WATCH={\"enable\":true,\"json\":true};") }
    }

    @Test(
        "A report of mode 2 or 3 is a fix, with the receiver's time; the accuracy is eph, else of epx and epy, else not known"
    )
    func positions() async throws {
        let server = try server()
        try await running(provider(server)) { run in
            await watched(server)
            server.say(GPSDLines.devices)
            server.say(GPSDLines.position(1, "", mode: 0) + GPSDLines.position(2, "", mode: 1))
            server.say(#"{"class":"TPV","mode":3}"# + "\n" + #"{"class":"TPV","mode":3,"lat":3}"# + "\n")
            server.say(#"{"class":"SKY","lat":"no number","mode":{}}"# + "\n")
            server.say(GPSDLines.position(52.5) + GPSDLines.position(52.6, #","epx":3,"epy":4"#, mode: 2))
            server.say(GPSDLines.position(52.7, #","epx":3"#) + GPSDLines.position(52.8, #","eph":0"#))
            let fixes = try await run.fixes.wait(for: 4)
            #expect(fixes.map(\.latitude) == [52.5, 52.6, 52.7, 52.8])
            #expect(fixes.map(\.accuracy) == [12.5, 5, nil, nil])
            #expect(fixes.allSatisfy { $0.longitude == 13.4 })
            #expect(fixes[0].date == Date(timeIntervalSince1970: 1_795_262_403.5))
            let before = Date()
            server.say(#"{"class":"TPV","mode":2,"lat":1,"lon":2}"# + "\n")
            let last = try await run.fixes.wait(for: 5)[4]
            #expect(last.date >= before && last.date <= Date())
        }
    }

    @Test("A first fix without a time is of now, and what follows with a time is not older, whichever clock is wrong")
    func firstWithoutTime() throws {
        let now = Date(timeIntervalSince1970: 1_795_262_400)
        func times(_ reports: [(own: Double?, now: Double)]) -> [Double] {
            var times = ReportTimes()
            return reports.map { own, seconds in
                let time = own.map { #","time":"\#(now.addingTimeInterval($0).formatted(.iso8601))""# } ?? ""
                let report = GPSDReport(Array(#"{"class":"TPV","mode":2,"lat":1,"lon":2\#(time)}"#.utf8)[...])
                let fix = report?.fix(at: now.addingTimeInterval(seconds), &times)
                return fix?.date.timeIntervalSince(now) ?? .nan
            }
        }
        // The receiver's clock is right, and its reports take a second; then this machine's is four minutes ahead.
        #expect(times([(nil, 0), (0, 1), (1, 2)]) == [0, 0, 1])
        #expect(times([(nil, 240), (1, 241), (2, 242), (239, 479), (241, 481)]) == [240, 240, 240, 240, 241])
        // The receiver is ahead, and no report is held back by that; this machine's clock is set back by an hour.
        #expect(times([(nil, 0), (18, 1), (1, 2)]) == [0, 18, 1])
        #expect(times([(nil, 3_600), (1, 1), (2, 2)]) == [3_600, 1, 2])
        #expect(times([(5, 6), (4, 7)]) == [5, 4])
    }

    @Test("Lines may be cut anywhere")
    func cutAnywhere() async throws {
        let seed = RandomSeed.current
        print("Lines of gpsd, cut with seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let server = try server("")
        let provider = provider(server)
        try await running(provider) { run in
            await server.heard.wait { $0 == ScriptedSocket.connection }
            let latitudes = Array(stride(from: 0.25, through: 50, by: 0.25))
            let text = GPSDLines.version + latitudes.map { GPSDLines.position($0) }.joined()
            var rest = Substring(text)
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...300, using: &random))
                server.say(String(piece))
                rest = rest.dropFirst(piece.count)
            }
            let fixes = try await run.fixes.wait(for: 200)
            #expect(fixes.map(\.latitude) == latitudes, "seed \(seed)")
        }
        #expect(provider.ignoredLines == 0)
    }

    @Test("What can't be read is counted and does no harm: no JSON, wrong types, deep nesting, a line without end")
    func garbage() async throws {
        let server = try server()
        let provider = provider(server)
        try await running(provider) { run in
            await watched(server)
            let lines = [
                "no json", "", "[]", "{}", #"{"class":7}"#, #"{"class":"TPV","mode":"3","lat":1,"lon":2}"#,
                #"{"class":"TPV","mode":3,"lat":"1","lon":2}"#, #"{"class":"TPV","mode":1e99,"lat":1,"lon":2}"#,
                String(repeating: "[", count: 20_000), "\0\u{FFFD}\u{1}", "{\"class\":\"TPV\"",
            ]
            for line in lines { server.say(line + "\n") }
            server.say(String(repeating: "x", count: 300_000) + "\n")
            server.say(GPSDLines.position(7))
            #expect(try await run.fixes.wait(for: 1)[0].latitude == 7)
            #expect(run.fixes.all.count == 1)
            try await run.cancel()
            #expect(provider.ignoredLines == lines.count + 1)
        }
    }

    @Test(
        "A connection that closes in the middle of a line is sought again, and what was begun is no part of what follows"
    )
    func reconnecting() async throws {
        let server = try server()
        let provider = provider(server)
        try await running(provider) { run in
            await watched(server)
            server.say(GPSDLines.position(1))
            _ = try await run.fixes.wait(for: 1)
            for round in 2...4 {
                server.say(String(GPSDLines.position(99).prefix(40)))
                server.hangUp()
                await watched(server, times: round)
                server.say(GPSDLines.position(Double(round)))
                _ = try await run.fixes.wait(for: round)
            }
            #expect(run.fixes.all.map(\.latitude) == [1, 2, 3, 4])
        }
        #expect(provider.ignoredLines == 0)
    }

    @Test("gpsd that is away for longer than its timeout is an error that says so; so is one that only greets")
    func lost() async throws {
        let server = try server()
        let run = ProviderRun(provider(server) { $0.reconnect = .milliseconds(100) })
        await watched(server)
        server.say(GPSDLines.position(1))
        _ = try await run.fixes.wait(for: 1)
        server.stop()
        let error = await run.failure()
        #expect(error?.code == .locationUnavailable)
        #expect(error?.message.contains("127.0.0.1, port \(server.port)") == true, "\(String(describing: error))")

        let closing = try self.server()
        let greeted = ProviderRun(provider(closing) { $0.reconnect = .milliseconds(50) })
        await watched(closing)
        closing.hangUp()
        #expect(await greeted.failure()?.message.contains("was lost") == true)
    }

    @Test(
        "Nobody listens, somebody else does, somebody who says nothing: each is an error in time that says what to do"
    )
    func absent() async throws {
        let port = try ScriptedSocket.freePort()
        let nobody = await ProviderRun(GPSDProvider(port: port)).failure()
        #expect(nobody?.code == .locationUnavailable)
        #expect(nobody?.message.contains("apt install gpsd") == true)
        #expect(nobody?.cause == "Connection refused")

        let other = try server("SSH-2.0-OpenSSH_9.2\r\n")
        #expect(await ProviderRun(provider(other)).failure()?.cause == "it said 'SSH-2.0-OpenSSH_9.2'")

        let silent = try server("")
        let limit = Duration.milliseconds(50)
        let error = await ProviderRun(provider(silent) { $0.connect = limit }).failure()
        #expect(error?.message.contains("does not greet") == true)
        await silent.heard.wait { $0 == "gone" }

        let unknown = GPSDProvider(host: "gpsd.invalid", timeouts: .init(connect: .seconds(5)))
        #expect(await ProviderRun(unknown).failure()?.code == .locationUnavailable)
    }

    @Test("A host by name, and an address that can't be connected to in time")
    func hosts() async throws {
        let server = try server()
        try await running(GPSDProvider(host: "localhost", port: server.port)) { run in
            await watched(server)
            server.say(GPSDLines.position(5))
            let fixes = try await run.fixes.wait(for: 1)
            #expect(fixes[0].latitude == 5)
        }
        let strange = GPSDProvider(host: "a\0b", port: server.port, timeouts: .init(connect: .milliseconds(200)))
        #expect(await ProviderRun(strange).failure()?.code == .locationUnavailable)
    }

    @Test("Patience counts from the loss: a receiver may have said nothing for hours before it")
    func reconnect() throws {
        let timeouts = GPSDProvider.Timeouts(reconnect: .seconds(60), firstPause: .seconds(1))
        var search = GPSDSearch(timeouts)
        let began = SuspendingClock.now
        let lost = began + .seconds(7_200)
        #expect(search.pause(afterReports: true, at: lost) == .seconds(1))
        var pauses: [Duration] = []
        var now = lost
        while let pause = search.pause(afterReports: false, at: now) {
            pauses.append(pause)
            now += pause
        }
        #expect(pauses == [2, 4, 8, 16, 30].map { .seconds($0) })
        var never = GPSDSearch(timeouts)
        #expect(never.pause(afterReports: false, at: began) == nil, "a first connection that fails is an error at once")
    }

    @Test("An address that swallows packets is unreachable, so that the next one of the host is tried")
    func swallowed() async throws {
        let hole = try BlackHole()
        let addresses = try await SocketAddress.resolve("127.0.0.1", hole.port, within: .seconds(5)).get()
        let address = try #require(addresses.first)
        let end = await GPSDSession { _ in true }.run(to: address, greetingWithin: .milliseconds(200), endingAfter: nil)
        #expect(end.isUnreachable, "\(end)")
    }

    @Test("Canceling closes the connection, also while it is sought")
    func cancelling() async throws {
        let server = try server()
        try await running(provider(server)) { _ in await watched(server) }
        await server.heard.wait { $0 == "gone" }
        let silent = try self.server("")
        try await running(provider(silent)) { _ in await silent.heard.wait { $0 == ScriptedSocket.connection } }
        await silent.heard.wait { $0 == "gone" }
        let lost = try self.server()
        let run = ProviderRun(provider(lost) { $0.firstPause = .seconds(600) })
        await watched(lost)
        lost.say(GPSDLines.position(1))
        _ = try await run.fixes.wait(for: 1)
        lost.hangUp()
        await lost.heard.wait { $0 == "gone" }
        try await run.cancel()
    }

    @Test("A look tells version and receivers, and comes back in time without them")
    func findServer() async throws {
        let server = try server(GPSDLines.version + GPSDLines.devices)
        #expect(try await provider(server).findServer() == GPSDServer(release: "3.22", receivers: ["/dev/ttyUSB0"]))
        let quiet = try self.server()
        #expect(
            try await provider(quiet).findServer(timeout: .seconds(2))
                == GPSDServer(release: "3.22", receivers: [])
        )
        let port = try ScriptedSocket.freePort()
        await #expect(throws: NoticeError.self) { try await GPSDProvider(port: port).findServer() }
    }

    @Test("It obeys the rules of providers")
    func conformance() async throws {
        let server = try ScriptedSocket(greeting: GPSDLines.version) {
            $0.hasPrefix("?WATCH") ? GPSDLines.devices + GPSDLines.position(48) : ""
        }
        let suite = LocationProviderConformance(
            timeout: .seconds(60),
            move: { server.say(GPSDLines.position(49)) }
        ) { provider(server) }
        try await suite.runAll().verify()
    }

    @Test("Reports that were damaged at random are fixes or nothing")
    func damaged() {
        let seed = RandomSeed.current
        print("Damaged reports of gpsd, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let whole = [GPSDLines.version, GPSDLines.devices, GPSDLines.position(52.5, #","epx":3,"epy":4"#)]
        let pieces = [
            "1e999", "-", "null", "NaN", "{", "[", "\"", "\\u0000", "9999999999999999999", "\u{FEFF}", "\"mode\":3",
        ]
        var readable = 0
        for round in 0..<5_000 {
            let bytes = random.damage(Array(whole[round % 3].utf8), with: pieces)
            guard let report = GPSDReport(bytes[...]) else { continue }
            readable += 1
            var times = ReportTimes()
            if let fix = report.fix(at: Date(), &times) { #expect(fix.accuracy ?? 1 > 0, "seed \(seed)") }
        }
        #expect(readable > 0, "some damage does no harm")
    }
}
