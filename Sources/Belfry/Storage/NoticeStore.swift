/// The place where a center keeps its requests, and what became of them.
///
/// ``memory`` lasts as long as the process. The module `BelfrySQLite` adds `.sqlite(for:)`, which outlives it.
///
/// ```swift
/// let center = NoticeCenter(app: app, backend: backend, store: try await .sqlite(for: app))
/// ```
///
/// A copy is the same store. Two centers may use one store one after the other, as two runs of an app do, not both at
/// once.
public struct NoticeStore: Sendable {
    package let requests: any RequestStore

    package init(_ requests: any RequestStore) { self.requests = requests }

    /// A new, empty store in memory at each use.
    public static var memory: NoticeStore { NoticeStore(MemoryRequestStore()) }
}
