public import Belfry

extension NoticeStore {
    /// Opens an app's own store in one SQLite file, which survives the end of the process, a crash and a power cut.
    ///
    /// It is created if there is none, in the directory ``SQLiteRequestStore/folder(for:environment:)``. O(n) in the
    /// pending requests, which are read.
    ///
    /// ```swift
    /// let center = NoticeCenter(app: app, backend: backend, store: try await .sqlite(for: app))
    /// ```
    ///
    /// - Throws: The errors of ``SQLiteRequestStore/open(in:options:)``, and
    ///   ``Belfry/NoticeError/Code/invalidIdentifier`` (permanent) if the app's identifier can't name a directory.
    public static func sqlite(
        for app: AppIdentity,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) async throws(NoticeError) -> NoticeStore {
        .sqlite(try await SQLiteRequestStore.open(for: app, options: options))
    }

    /// Returns a store that the app has opened itself, to read the opening report or to close it.
    public static func sqlite(_ store: SQLiteRequestStore) -> NoticeStore { NoticeStore(store) }
}
