import BelfryTestSupport
import Testing

@Suite(
    "A center that is killed loses no request and no answer, and fires nothing twice but what was in flight",
    .takesTurns
)
struct CenterCrashTests {
    @Test("At random instants", .timeLimit(.minutes(60)))
    func randomInstants() async throws {
        let log = try await CrashCourse<LifeLog>.atRandomInstants(kills: crashKills)
        print("center crash test, seed \(crashSeed): \(log.text); nothing lost")
        #expect(log.hasSeenAll)
    }

    @Test("At each system call of a short life", .timeLimit(.minutes(60)))
    func everySystemCall() async throws {
        let (log, calls) = try await CrashCourse<LifeLog>.atSystemCalls(every: crashCallStride)
        print(
            "center crash test at system calls, every \(crashCallStride)th of \(calls), seed \(crashSeed): \(log.text); "
                + "nothing lost"
        )
        #expect(log.kills > 0)
    }
}

@Suite(
    "A center whose machine travels loses no place and no crossing when it is killed, and tells none twice",
    .takesTurns
)
struct RegionCrashTests {
    @Test("At random instants", .timeLimit(.minutes(60)))
    func randomInstants() async throws {
        let log = try await CrashCourse<TravelLog>.atRandomInstants(kills: crashKills)
        print("place crash test, seed \(crashSeed): \(log.text); nothing lost")
        #expect(log.hasSeenAll)
    }

    @Test("At each system call of a short life", .timeLimit(.minutes(60)))
    func everySystemCall() async throws {
        let (log, calls) = try await CrashCourse<TravelLog>.atSystemCalls(every: crashCallStride)
        print(
            "place crash test at system calls, every \(crashCallStride)th of \(calls), seed \(crashSeed): \(log.text); "
                + "nothing lost"
        )
        #expect(log.kills > 0)
    }
}
