/// The store in which a center keeps its requests and their history.
///
/// ``memory`` lasts as long as the process. The module `BelfrySQLite` adds `.sqlite(for:)`, which outlives it.
///
/// ```swift
/// import BelfrySQLite
///
/// func openCenter(for app: AppIdentity, backend: any DeliveryBackend) async throws(NoticeError) -> NoticeCenter {
///     NoticeCenter(app: app, backend: backend, store: try await .sqlite(for: app))
/// }
/// ```
///
/// Copies refer to the same store. Two centers may use a store one after the other, as two runs of an app do, but not
/// at the same time.
public struct NoticeStore: Sendable {
    package let requests: any RequestStore

    package init(_ requests: any RequestStore) { self.requests = requests }

    /// A new, empty store in memory on each access.
    public static var memory: NoticeStore { NoticeStore(MemoryRequestStore()) }
}
