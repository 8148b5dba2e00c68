import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryPortal
import BelfryTestSupport
import BelfryTesting
import Testing

@Suite("The portal backend obeys the rules of backends", .takesTurns)
struct PortalConformanceTests {
    @Test("Version 1 and version 2", arguments: [false, true])
    func conforms(isOld: Bool) async throws {
        let bus = try await TestBus()
        let portal = ScriptedPortal(at: bus.address, isOld ? .old : .init())
        try await portal.start()
        let suite = DeliveryBackendConformance(
            timeout: .seconds(60),
            pressAction: { _, _, action in
                // The last one is what the suite has just shown.
                let shown = try #require(portal.added.last)
                let button = try #require(shown.buttons.last)
                // The answer of the real one: what stands in the button, and its target.
                let target = try #require(button["target"])
                try portal.invoke(shown.id, #require(button["action"]?.string), [target])
            }
        ) { PortalBackend(for: PortalStage.app, bus: .address(bus.address)) }
        let report = await suite.runAll()
        await portal.stop()
        try report.verify()
        // A portal tells of no closing, shows nothing that could be read back, and comes and goes with the desktop.
        #expect(report.skipped.count == 3, "\(report)")
    }
}
