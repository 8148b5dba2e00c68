import Belfry
import BelfryBus
import BelfryTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import BelfryPortal

@Suite("Files for the portal are read off the thread of all centers", .takesTurns, .timeLimit(.minutes(5)))
struct PortalFileTests {
    private static func session(limit: Duration = .seconds(60)) -> PortalSession {
        PortalSession(.address("unix:path=/nonexistent"), PortalStage.app, activatable: nil, limit: limit) { _ in }
    }

    private static func message(of delivery: Delivery, in session: PortalSession) async -> PortalMessage {
        await session.message(of: delivery) { PortalMessage($0, for: PortalProfile(version: 1)) }
    }

    /// The titles of finished messages, in order.
    private final class Finished: Sendable {
        private let state = Mutex<[String]>([])
        var titles: [String] { state.withLock { $0 } }
        func add(_ title: String) { state.withLock { $0.append(title) } }
    }

    @Test("That thread works on meanwhile, and a notice that follows is shown after the one with files")
    func order() async throws {
        let folder = try TemporaryFolder()
        let picture = try folder.write("tea.svg", "<svg/>")
        let (session, finished) = (Self.session(), Finished())
        let deliveries = [PortalStage.delivery("With") { $0.icon = .file(picture) }, PortalStage.delivery("Without")]
        session.files.suspend()
        let tasks = deliveries.map { delivery in
            Task(executorPreference: CenterThread.shared) {
                let message = await Self.message(of: delivery, in: session)
                finished.add(delivery.content.title)
                return message
            }
        }
        for _ in 0..<1_000 { await CenterThread.shared.letOthersWork() }
        #expect(finished.titles == [])
        session.files.resume()
        for task in tasks { #expect(await task.value.lost == []) }
        #expect(finished.titles == ["With", "Without"])
    }

    @Test("A file that can't be read in time is lost, and later notices without files wait for nothing")
    func late() async throws {
        let session = Self.session(limit: .milliseconds(50))
        let sound = PortalStage.delivery("Sound") { $0.sound = .file("/nonexistent/bell.oga") }
        session.files.suspend()
        defer { session.files.resume() }
        let message = await Self.message(of: sound, in: session)
        #expect(message.content.sound == nil)
        #expect(message.lost.map(\.detail) == ["'/nonexistent/bell.oga' could not be read within 0.05 s"])
        #expect(await Self.message(of: PortalStage.delivery("Plain"), in: session).lost == [])
    }
}
