public import Belfry

/// The rules that every ``Belfry/DeliveryBackend`` obeys, as checks to run on one's own.
///
/// ```swift
/// let report = await DeliveryBackendConformance { MyBackend() }.runAll()
/// print(report)          // what was skipped, and why
/// try report.verify()    // throws with every rule that is broken
/// ```
///
/// Each check makes a backend, runs it, gives it deliveries as a center prepares them, and takes off the screen what it
/// has put there. Each may be called by itself, from any test library; it throws ``ConformanceFailure``, or what the
/// backend threw. What a suite can't do alone (press a button, take the server away) it is given as closures; a rule
/// that needs one which isn't given is skipped, and the report says so.
public struct DeliveryBackendConformance: Sendable {
    /// Does something to the world around a backend.
    public typealias Deed = @Sendable (any DeliveryBackend) async throws -> Void

    let makeBackend: @Sendable () async throws -> any DeliveryBackend
    let pressAction: (@Sendable (any DeliveryBackend, DeliveryReceipt, _ action: String) async throws -> Void)?
    let closeByHand: (@Sendable (any DeliveryBackend, DeliveryReceipt) async throws -> Void)?
    let waitForEmptyScreen: Deed?
    let shownTitles: (@Sendable (any DeliveryBackend) async throws -> [String])?
    let takeServerAway: Deed?
    let bringServerBack: Deed?
    let isUnprepared: Bool
    let limit: Duration

    /// - Parameters:
    ///   - limit: How long one call of the backend may take, in real time.
    ///   - handsOverUnprepared: Whether the backend also gets what no center hands over: a megabyte of text, control
    ///     characters, ten thousand buttons. False where the server behind it is known to hang from such things.
    ///   - pressAction: Plays the user who presses a button. The notice is the only one on the screen.
    ///   - closeByHand: Plays the user who closes a notice without an answer. It is the only one on the screen.
    ///   - waitForEmptyScreen: Returns when nothing is on the screen any more. Needed where a user's deeds are played
    ///     on a real one and a withdrawn notice takes its time to go.
    ///   - shownTitles: The titles that were shown so far, in the order of showing.
    ///   - takeServerAway: The server goes, with all that it shows; returns when it is gone.
    ///   - bringServerBack: It comes again, as another run; returns when it is there. Given both or neither.
    ///   - makeBackend: A backend that is ready to be run. Its environment (bus, server) must be there.
    public init(
        limit: Duration = .seconds(10),
        handsOverUnprepared: Bool = true,
        pressAction: (@Sendable (any DeliveryBackend, DeliveryReceipt, _ action: String) async throws -> Void)? = nil,
        closeByHand: (@Sendable (any DeliveryBackend, DeliveryReceipt) async throws -> Void)? = nil,
        waitForEmptyScreen: Deed? = nil,
        shownTitles: (@Sendable (any DeliveryBackend) async throws -> [String])? = nil,
        takeServerAway: Deed? = nil,
        bringServerBack: Deed? = nil,
        _ makeBackend: @escaping @Sendable () async throws -> any DeliveryBackend
    ) {
        self.makeBackend = makeBackend
        self.pressAction = pressAction
        self.closeByHand = closeByHand
        self.waitForEmptyScreen = waitForEmptyScreen
        self.shownTitles = shownTitles
        self.takeServerAway = takeServerAway
        self.bringServerBack = bringServerBack
        isUnprepared = handsOverUnprepared
        self.limit = limit
    }

    /// Runs every check, one after another. Nothing it finds is thrown: ask the report.
    ///
    /// - Parameter follow: Hears of each check when it begins and when it has ended, for a backend that may end the
    ///   process.
    public func runAll(following follow: @Sendable (ConformanceStep) -> Void = { _ in }) async -> ConformanceReport {
        let name = (try? await makeBackend().name) ?? "a backend that can't be made"
        return await ConformanceCheck.run(
            checks,
            of: "The backend \"\(name)\"",
            within: limit * 12,
            following: follow
        )
    }

    private var checks: [ConformanceCheck] {
        [
            ConformanceCheck("It has a name, and always the same", keepsItsName),
            ConformanceCheck("It says what it can show", answersCapabilities),
            ConformanceCheck("A receipt names the backend and has a handle", namesItselfInReceipts),
            ConformanceCheck("Two deliveries have two handles", givesEachDeliveryAHandle),
            ConformanceCheck("Deliveries at the same time have a handle each", deliversConcurrently),
            ConformanceCheck("Titles are shown as written, in the order of delivery", showsTitlesInOrder),
            ConformanceCheck("A replacement keeps the handle", replacesInPlace),
            ConformanceCheck("Replacing what is gone shows it anew", replacesWhatIsGone),
            ConformanceCheck("Withdrawing twice, or what never was, is no error", withdrawsTwice),
            ConformanceCheck("A withdrawal is no answer", withdrawsWithoutAnswer),
            ConformanceCheck("Odd content is shown, or refused for good, and harms nothing", survivesOddContent),
            ConformanceCheck("What no center hands over is shown or refused, and harms nothing", survivesUnprepared),
            ConformanceCheck("An answer names the delivery and the action, once", reportsAnswers),
            ConformanceCheck("A closing by hand names the delivery, and not the app as its cause", reportsClosings),
            ConformanceCheck("A server that goes and comes is told of; what it showed is gone", survivesTheServer),
            ConformanceCheck("A call whose task is cancelled ends", endsCancelledCalls),
            ConformanceCheck("Cancelling ends the run, and nothing is reported afterwards", endsWhenCancelled),
            ConformanceCheck("Calls after the run answer", answersAfterTheRun),
        ]
    }
}
