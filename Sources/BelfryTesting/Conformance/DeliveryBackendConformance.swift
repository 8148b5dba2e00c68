public import Belfry

/// The rules that every ``Belfry/DeliveryBackend`` must obey, as checks for your own backend.
///
/// ```swift
/// let report = await DeliveryBackendConformance { DBusBackend() }.runAll()
/// print(report)          // what was skipped, and why
/// try report.verify()    // throws with every rule that is broken
/// ```
///
/// Each check makes a backend, runs it, delivers prepared notices as a center does, and withdraws what it has shown.
/// The suite takes closures for what it can't do itself, such as pressing a button or stopping the server. A rule
/// without its closure is skipped, and the report lists it.
public struct DeliveryBackendConformance: Sendable {
    /// An action on the environment of a backend.
    public typealias Deed = @Sendable (any DeliveryBackend) async throws -> Void

    let makeBackend: @Sendable () async throws -> any DeliveryBackend
    let pressAction: (@Sendable (any DeliveryBackend, DeliveryReceipt, _ action: String) async throws -> Void)?
    let closeByHand: (@Sendable (any DeliveryBackend, DeliveryReceipt) async throws -> Void)?
    let waitForEmptyScreen: Deed?
    let shownTitles: (@Sendable (any DeliveryBackend) async throws -> [String])?
    let removeServer: Deed?
    let restoreServer: Deed?
    let isUnprepared: Bool
    let timeout: Duration

    /// Creates a suite. An error that a closure throws fails the rule that is checked, and is in the report.
    ///
    /// - Parameters:
    ///   - timeout: The timeout of one call of the backend, in real time.
    ///   - deliversUnprepared: Whether the backend also gets content that no center delivers: a megabyte of text,
    ///     control characters, ten thousand buttons. Pass false if the server is known to hang from such content.
    ///   - pressAction: Presses a button as the user would. The notice is the only one on the screen.
    ///   - closeByHand: Closes a notice as the user would, without a response. It is the only one on the screen.
    ///   - waitForEmptyScreen: Returns when the screen is empty. Needed with a real screen where a withdrawn notice
    ///     disappears only after a while.
    ///   - shownTitles: Returns the titles shown so far, in the order of showing.
    ///   - removeServer: Stops the server with all that it shows; returns when it is gone. Pass both this and
    ///     `restoreServer`, or neither.
    ///   - restoreServer: Starts the server again, as a new process; returns when it is ready.
    ///   - makeBackend: Makes a backend that is ready to be run. Its environment (bus, server) must exist.
    public init(
        timeout: Duration = .seconds(10),
        deliversUnprepared: Bool = true,
        pressAction: (@Sendable (any DeliveryBackend, DeliveryReceipt, _ action: String) async throws -> Void)? = nil,
        closeByHand: (@Sendable (any DeliveryBackend, DeliveryReceipt) async throws -> Void)? = nil,
        waitForEmptyScreen: Deed? = nil,
        shownTitles: (@Sendable (any DeliveryBackend) async throws -> [String])? = nil,
        removeServer: Deed? = nil,
        restoreServer: Deed? = nil,
        _ makeBackend: @escaping @Sendable () async throws -> any DeliveryBackend
    ) {
        self.makeBackend = makeBackend
        self.pressAction = pressAction
        self.closeByHand = closeByHand
        self.waitForEmptyScreen = waitForEmptyScreen
        self.shownTitles = shownTitles
        self.removeServer = removeServer
        self.restoreServer = restoreServer
        isUnprepared = deliversUnprepared
        self.timeout = timeout
    }

    /// Runs every check, one after another. Errors are in the report, and none is thrown.
    ///
    /// - Parameter follow: Called when each check begins and ends, for a backend that may end the process.
    public func runAll(following follow: @Sendable (ConformanceStep) -> Void = { _ in }) async -> ConformanceReport {
        let name = (try? await makeBackend().name) ?? "a backend that can't be made"
        return await ConformanceCheck.run(
            checks,
            of: "The backend \"\(name)\"",
            within: timeout * 12,
            following: follow
        )
    }

    private var checks: [ConformanceCheck] {
        [
            ConformanceCheck("It has a name, and always the same", keepsItsName),
            ConformanceCheck("It reports its capabilities", reportsCapabilities),
            ConformanceCheck("A receipt names the backend and has a handle", namesItselfInReceipts),
            ConformanceCheck("Two deliveries have two handles", givesEachDeliveryAHandle),
            ConformanceCheck("Deliveries at the same time have a handle each", deliversConcurrently),
            ConformanceCheck("Titles are shown as written, in the order of delivery", showsTitlesInOrder),
            ConformanceCheck("A replacement keeps the handle", replacesInPlace),
            ConformanceCheck("Replacing what is gone shows it anew", replacesWhatIsGone),
            ConformanceCheck("Withdrawing twice, or what never was, is no error", withdrawsTwice),
            ConformanceCheck("A withdrawal is no response", withdrawsWithoutResponse),
            ConformanceCheck("Odd content is shown, or refused for good, and harms nothing", survivesOddContent),
            ConformanceCheck("What no center delivers is shown or refused, and harms nothing", survivesUnprepared),
            ConformanceCheck("A response names the delivery and the action, once", reportsResponses),
            ConformanceCheck("A closing by hand names the delivery, and not the app as its cause", reportsClosings),
            ConformanceCheck("A server that goes and comes is reported; what it showed is gone", survivesTheServer),
            ConformanceCheck("A call whose task is canceled ends", endsCancelledCalls),
            ConformanceCheck("Canceling ends the run, and nothing is reported afterwards", endsWhenCancelled),
            ConformanceCheck("Calls after the run return", returnsAfterTheRun),
        ]
    }
}
