import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import SeededRandom
import Testing

/// `BELFRY_FUZZ_ROUNDS` in the environment makes it longer.
@Suite(
    "Any call of the agent's interface is answered, and no call ends the agent",
    .takesTurns,
    .timeLimit(.minutes(10)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentInterfaceFuzzTests {
    /// Calls of each method.
    private static let rounds = ProcessInfo.processInfo.environment["BELFRY_FUZZ_ROUNDS"].flatMap(Int.init) ?? 12

    @Test("every method that the object has, with arguments that were valid before something was changed in them")
    func everyMethod() async throws {
        let world = try await AgentWorld()
        var random = FuzzedArguments(seed: RandomSeed.current)
        var (calls, taken) = (0, 0)
        try await world.agent {
            let caller = try await RawCaller(world)
            let methods = try await methods(caller.bus)
            #expect(methods.count > 25, "\(methods)")
            for round in 0..<Self.rounds {
                for (name, types) in methods {
                    let context = "BELFRY_SEED=\(RandomSeed.current), round \(round)"
                    let arguments = [.string(caller.app)] + types.dropFirst().map { random.argument($0, of: name) }
                    let (_, failure) = await caller.call(name, of: types.isEmpty ? [] : arguments)
                    calls += 1
                    guard let failure else {
                        taken += 1
                        continue
                    }
                    // The agent's own refusal, or the bus's of an argument: never its end, never silence.
                    let isRefusal = Self.refusals.contains(failure.code)
                    #expect(isRefusal, "\(context): \(name) ended with \(failure)\n\(arguments)")
                }
                // What was taken comes due.
                try await world.clock.advance(by: .seconds(600))
            }
            #expect(taken * 4 > calls, "most changes do harm: \(taken) of \(calls) calls were taken")
        }
        // What was stored lets the next agent start, and the app's requests fire.
        try await world.agent {
            let center = world.center()
            try await center.run { center in
                try await center.setAuthorization(.authorized)
                try await center.setQuietHours(nil)
                try await center.add(world.request("sound"))
                try await world.clock.advance(by: .seconds(60))
                #expect(world.recorder().deliveries.contains { $0.requestID == "sound" })
            }
        }
    }

    /// The types of what each method takes, as the object itself tells.
    private func methods(_ bus: BusConnection) async throws -> [(name: String, types: [String])] {
        let answer = try await bus.call(
            BusMethodCall(
                to: AgentNames.agent,
                AgentNames.agentPath,
                "org.freedesktop.DBus.Introspectable",
                "Introspect"
            )
        )
        var found: [(name: String, types: [String])] = []
        var isAgents = false
        for line in (answer.first?.string ?? "").split(separator: "\n") {
            if line.contains("<interface ") { isAgents = line.contains("\"\(AgentNames.agent)\"") }
            guard isAgents else { continue }
            if line.contains("<method "), let name = Self.attribute("name", of: line) { found.append((name, [])) }
            if line.contains("direction=\"in\""), let type = Self.attribute("type", of: line) {
                found[found.count - 1].types.append(type)
            }
        }
        return found
    }

    private static func attribute(_ name: String, of line: Substring) -> String? {
        guard let begin = line.firstRange(of: "\(name)=\"")?.upperBound else { return nil }
        return line[begin...].split(separator: "\"", maxSplits: 1).first.map(String.init)
    }

    /// Codes of errors that say what is wrong with a call.
    private static let refusals: Set<String> = [
        "invalidContent", "invalidIdentifier", "emptyContent", "fileUnreadable", "invalidInterval", "intervalTooShort",
        "invalidComponent", "unknownZone", "neverFires", "invalidNotation", "unknownTriggerKind", "invalidRegion",
        "invalidSeries", "notFound", "identifierTaken", "unsupported", "ownerChanged", "notAuthorized", "invalidValue",
        "pendingLimitReached", "tooLarge", "fileTooLarge",
    ]
}
