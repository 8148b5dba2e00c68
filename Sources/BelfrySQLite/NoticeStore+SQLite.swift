public import Belfry

extension NoticeStore {
    /// An app's own store, in one SQLite file that outlives the process, the crash and the power cut.
    ///
    /// It is made where there is none, in the folder ``SQLiteRequestStore/folder(for:environment:)``. O(n): what is
    /// pending is read. Throws as ``SQLiteRequestStore/open(in:options:)`` does.
    ///
    /// ```swift
    /// let center = NoticeCenter(app: app, backend: backend, store: try await .sqlite(for: app))
    /// ```
    public static func sqlite(
        for app: AppIdentity,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) async throws(NoticeError) -> NoticeStore {
        .sqlite(try await SQLiteRequestStore.open(for: app, options: options))
    }

    /// A store that the app has opened itself, to read what opening found or to close it.
    public static func sqlite(_ store: SQLiteRequestStore) -> NoticeStore { NoticeStore(store) }
}
