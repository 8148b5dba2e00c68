public import Belfry
import CoreLocation
public import Foundation
import Synchronization

/// The permissions that an app asks for. A desktop has one permission for all.
///
/// ```swift
/// let isAllowed = try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound])
/// print(isAllowed ? "Tea can be announced." : "No notices then.")
/// ```
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// The options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The number on the icon.
    public static let badge = Self(rawValue: 1)
    /// Sounds.
    public static let sound = Self(rawValue: 2)
    /// Popups.
    public static let alert = Self(rawValue: 4)
    /// No effect outside Apple's systems.
    public static let carPlay = Self(rawValue: 8)
    /// No effect: the content's interruption level makes a notice critical.
    public static let criticalAlert = Self(rawValue: 16)
    /// No effect outside Apple's systems.
    public static let providesAppNotificationSettings = Self(rawValue: 32)
    /// Doesn't ask the user: notices are silent and have no popup.
    public static let provisional = Self(rawValue: 64)
    /// No effect outside Apple's systems.
    public static let announcement = Self(rawValue: 128)
    /// No effect: the content's interruption level makes a notice time-sensitive.
    public static let timeSensitive = Self(rawValue: 256)
}

/// Apple's notification center on top of the app's `NoticeCenter`, which ``use(_:)`` sets once at start.
///
/// Calls are performed in order, including those that don't wait. Only an open question to the user holds up no other
/// call. Before ``use(_:)`` they throw.
///
/// ```swift
/// await UNUserNotificationCenter.use(NoticeCenter(app: app, backend: .auto(for: app)))
/// let content = UNMutableNotificationContent()
/// content.title = "Tea is ready"
/// let request = UNNotificationRequest(identifier: "tea", content: content, trigger: nil)
/// try await UNUserNotificationCenter.current().add(request)
/// ```
public final class UNUserNotificationCenter: NSObject, Sendable {
    private struct State {
        var center: NoticeCenter?
        weak var delegate: (any UNUserNotificationCenterDelegate)?
        /// The categories as last set: Belfry stores only the parts that a desktop supports.
        var categories: Set<UNNotificationCategory> = []
    }

    private typealias Call = @Sendable () async -> Void

    private static let shared: UNUserNotificationCenter = {
        let (stream, calls) = AsyncStream<Call>.makeStream()
        // The calls end in the app's completion handlers. On Swift's pool, the process would wake up once a second.
        Task.detached(executorPreference: AppThreads.shared) { for await call in stream { await call() } }
        return UNUserNotificationCenter(calls)
    }()

    private let state = Mutex(State())
    private let calls: AsyncStream<Call>.Continuation

    private init(_ calls: AsyncStream<Call>.Continuation) {
        self.calls = calls
        super.init()
    }

    /// The center of this program.
    public class func current() -> UNUserNotificationCenter { shared }

    /// Sets the center that does the work, and becomes its delegate. The app runs that center.
    ///
    /// Set ``delegate`` first: stored responses reach it from this call on.
    public static func use(_ center: NoticeCenter) async {
        shared.state.withLock { $0.center = center }
        await center.setDelegate(DelegateBridge())
    }

    /// The app's delegate, held weakly.
    public var delegate: (any UNUserNotificationCenterDelegate)? {
        get { state.withLock { DelegateReference($0.delegate) }.delegate }
        set {
            let reference = DelegateReference(newValue)
            state.withLock { $0.delegate = reference.delegate }
        }
    }

    // The lock protects the reference. Concurrency inside the delegate is up to the app, as with Apple.
    private struct DelegateReference: @unchecked Sendable {
        let delegate: (any UNUserNotificationCenterDelegate)?
        init(_ delegate: (any UNUserNotificationCenterDelegate)?) { self.delegate = delegate }
    }

    private func perform<Value: Sendable>(
        _ call: @escaping @Sendable (NoticeCenter) async throws -> Value,
        then done: @escaping @Sendable (Result<Value, any Error>) -> Void = { _ in }
    ) {
        calls.yield { done(await self.result(of: call)) }
    }

    private func result<Value: Sendable>(
        of call: @Sendable (NoticeCenter) async throws -> Value
    ) async -> Result<Value, any Error> {
        do {
            guard let center = state.withLock({ $0.center }) else {
                throw NoticeError(.noCenter, "no center: call UNUserNotificationCenter.use(_:) at start")
            }
            return .success(try await call(center))
        } catch let error as NoticeError {
            return .failure(UNError.named(error))
        } catch {
            return .failure(error)
        }
    }

    private func value<Value: Sendable>(
        _ call: @escaping @Sendable (NoticeCenter) async throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { done in perform(call) { done.resume(with: $0) } }
    }

    /// The date from the history at which the notice was shown that the user responded to.
    func deliveryDate(of response: NoticeResponse) async -> Date {
        let query = HistoryQuery(
            requestID: response.requestID,
            limit: 1,
            outcomes: [.delivered],
            // Includes that instant: a response may come within the clock's resolution.
            until: response.date.addingTimeInterval(0.001),
            newestFirst: true
        )
        let center = state.withLock { $0.center }
        return (try? await center?.history(query))?.first?.date ?? response.date
    }

    // MARK: Requests

    /// Adds a request. A date that has passed is not an error: the request never fires.
    ///
    /// - Throws: ``UNError`` for the request, its files or a denied permission (permanent). Errors without a code of
    ///   Apple's are a ``Belfry/NoticeError``, such as ``Belfry/NoticeError/Code/storeFailed`` (transient) and
    ///   ``Belfry/NoticeError/Code/noCenter`` before ``use(_:)``.
    public func add(_ request: UNNotificationRequest) async throws { try await value { try await $0.add(request) } }

    /// Adds a request. The handler receives the error that the `async` form throws; nil if there is none.
    public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        perform {
            try await $0.add(request)
        } then: {
            completionHandler?($0.error)
        }
    }

    /// The requests that are pending.
    public func pendingNotificationRequests() async -> [UNNotificationRequest] {
        (try? await value { try await $0.pendingRequests() }) ?? []
    }

    /// The requests that are pending.
    public func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        perform {
            try await $0.pendingRequests()
        } then: {
            completionHandler((try? $0.get()) ?? [])
        }
    }

    /// Removes pending requests.
    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        perform { _ = try await $0.remove(identifiers) }
    }

    /// Removes all pending requests.
    public func removeAllPendingNotificationRequests() {
        perform { _ = try await $0.removeAll() }
    }

    // MARK: Notices on the screen

    /// The notices on the screen, as far as the server reports them.
    public func deliveredNotifications() async -> [UNNotification] {
        (try? await value { try await $0.deliveredNotices() }) ?? []
    }

    /// The notices on the screen.
    public func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
        perform {
            try await $0.deliveredNotices()
        } then: {
            completionHandler((try? $0.get()) ?? [])
        }
    }

    /// Removes notices from the screen.
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        perform { try await $0.removeDelivered(identifiers) }
    }

    /// Removes all notices from the screen.
    public func removeAllDeliveredNotifications() {
        perform { try await $0.removeAllDelivered() }
    }

    /// Sets the number on the app's icon; 0 removes it.
    ///
    /// - Throws: ``UNError/Code/badgeInputInvalid`` (permanent) below 0. Else a ``Belfry/NoticeError``:
    ///   ``Belfry/NoticeError/Code/unsupported`` if the backend has no badges (permanent), or
    ///   ``Belfry/NoticeError/Code/noBus`` (transient). Before ``use(_:)``, ``Belfry/NoticeError/Code/noCenter``.
    public func setBadgeCount(_ count: Int) async throws { try await value { try await $0.setBadge(count) } }

    /// Sets the number on the app's icon.
    public func setBadgeCount(
        _ count: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        perform {
            try await $0.setBadge(count)
        } then: {
            completionHandler?($0.error)
        }
    }

    // MARK: Categories and permission

    /// Replaces the categories. Of several with one identifier, one that was not set before counts.
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        perform { center in
            // An app may insert a changed category into the set that it has read. Both versions are in it then.
            let former = try await self.categories(of: center)
            let current = Dictionary(grouping: categories, by: \.identifier).values.compactMap { versions in
                versions.first { !former.contains($0) } ?? versions.first
            }
            try await center.setCategories(current.map(\.category))
            self.state.withLock { $0.categories = Set(current) }
        }
    }

    /// The categories. Their Apple-only parts are kept only while the program that set them runs.
    public func notificationCategories() async -> Set<UNNotificationCategory> {
        (try? await value { try await self.categories(of: $0) }) ?? []
    }

    /// The categories.
    public func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        perform {
            try await self.categories(of: $0)
        } then: {
            completionHandler((try? $0.get()) ?? [])
        }
    }

    private func categories(of center: NoticeCenter) async throws -> Set<UNNotificationCategory> {
        let own = state.withLock { $0.categories }
        return Set(
            try await center.categories().map { category in
                own.first { $0.category == category } ?? UNNotificationCategory(category)
            }
        )
    }

    /// The permissions of the user and the desktop. Without a center, or a desktop that replies, nothing is supported.
    public func notificationSettings() async -> UNNotificationSettings {
        (try? await value { try await $0.notificationSettings() })
            ?? UNNotificationSettings(.notDetermined, .unknown, [])
    }

    /// The permissions of the user and the desktop.
    public func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        perform {
            try await $0.notificationSettings()
        } then: {
            completionHandler((try? $0.get()) ?? UNNotificationSettings(.notDetermined, .unknown, []))
        }
    }

    /// Content extensions are not supported outside Apple's systems.
    public var supportsContentExtensions: Bool { false }

    /// Asks the user if the center has a prompt; otherwise the app may notify. Never asks with `provisional`. A refusal
    /// is no error.
    ///
    /// - Returns: Whether the app may notify.
    /// - Throws: ``Belfry/NoticeError/Code/storeFailed`` (transient) if the decision can't be read or stored;
    ///   ``Belfry/NoticeError/Code/noCenter`` before ``use(_:)``.
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        try await withCheckedThrowingContinuation { done in
            requestAuthorization(options) { done.resume(with: $0) }
        }
    }

    /// Asks the user if the center has a prompt.
    public func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        requestAuthorization(options) { completionHandler((try? $0.get()) ?? false, $0.error) }
    }

    private func requestAuthorization(
        _ options: UNAuthorizationOptions,
        then done: @escaping @Sendable (Result<Bool, any Error>) -> Void
    ) {
        calls.yield {
            switch await self.result(of: { try await $0.decidedAuthorization(options) }) {
            case .success(let mayNotify?): done(.success(mayNotify))
            case .failure(let error): done(.failure(error))
            case .success(nil):
                // It begins in its turn, but the calls after it don't wait until the user decides.
                Task.immediate(executorPreference: AppThreads.shared) {
                    done(await self.result { try await $0.askedAuthorization() })
                }
            }
        }
    }
}

extension Result {
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension NoticeCenter {
    fileprivate func add(_ request: UNNotificationRequest) async throws(NoticeError) {
        let trigger = request.trigger?.trigger
        try (request.trigger as? UNLocationNotificationTrigger)?.checkRegion()
        let content = try request.content.noticeContent(of: request.trigger)
        do {
            try await add(NoticeRequest(id: request.identifier, content: content, trigger: trigger))
        } catch  where error.code == .neverFires && trigger is CalendarTrigger {
            // As on Apple's systems, a date in the past is accepted, never fires, and replaces the old request.
            _ = try await remove([request.identifier])
        }
    }

    /// Returns whether the app may notify; nil if the user has to be asked. Decides itself with `provisional`.
    fileprivate func decidedAuthorization(_ options: UNAuthorizationOptions) async throws -> Bool? {
        let status = try await authorizationStatus()
        if status == .notDetermined {
            guard options.contains(.provisional) else { return nil }
            try await setAuthorization(.provisional)
        }
        return status != .denied
    }

    /// Asks the user, and returns whether the app may notify: not if the question is closed without a response.
    fileprivate func askedAuthorization() async throws -> Bool {
        let status = try await requestAuthorization()
        return status == .authorized || status == .provisional
    }

    fileprivate func pendingRequests() async throws -> [UNNotificationRequest] {
        try await pending().map { UNNotificationRequest($0.request) }
    }

    fileprivate func notificationSettings() async throws -> UNNotificationSettings {
        let features = (try? await capabilities())?.features ?? []
        return UNNotificationSettings(try await authorizationStatus(), await desktopPermission(), features)
    }

    fileprivate func deliveredNotices() async throws -> [UNNotification] {
        try await delivered().map { UNNotification(id: $0.requestID, content: $0.content, date: $0.date) }
    }
}
