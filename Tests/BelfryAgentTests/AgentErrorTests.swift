import Belfry
import BelfryAgent
import BelfryBus
import BelfryTestSupport
import Testing

@Suite("Errors of calls to the agent", .takesTurns)
struct AgentErrorTests {
    @Test("An error of the agent keeps its code and its message") func sameCode() throws {
        let error = NoticeError(.storeFailed, "There is no room.", cause: "errno 28")
        let sent = BusError.reply(error)
        let received = NoticeError(agent: sent)
        #expect(received.code == error.code)
        #expect(received.message.contains("There is no room."))
        #expect(received.message.contains("errno 28"))
    }

    @Test(
        "What went wrong on the bus is said in the app's words",
        arguments: [
            (.noBus, .noBus), (.disconnected, .noBus), (.invalidAddress, .noBus), (.authenticationFailed, .noBus),
            (.noOwner, .agentUnavailable), (.timedOut, .agentUnavailable), (.noReply, .agentUnavailable),
            (.outgoingFull, .agentUnavailable), (.tooLarge, .invalidContent), (.invalidValue, .invalidContent),
            (.closed, .centerStopped), (.cancelled, .centerStopped), (.invalidName, .agentUnavailable),
        ] as [(BusError.Code, NoticeError.Code)]
    )
    func codes(bus: BusError.Code, app: NoticeError.Code) {
        let error = NoticeError(agent: BusError(bus, "Said by the bus."))
        #expect(error.code == app)
        #expect(error.message.contains("Said by the bus."))
    }
}
