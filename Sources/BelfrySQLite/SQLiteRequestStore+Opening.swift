public import Belfry
public import FoundationEssentials

extension SQLiteRequestStore {
    /// Returns the directory of an app's own store: `$XDG_STATE_HOME/belfry/apps/<app id>`, or
    /// `~/.local/state/belfry/apps/<app id>` without that variable. Throws
    /// ``Belfry/NoticeError/Code/invalidIdentifier`` if the identifier can't name a directory.
    public static func folder(
        for app: AppIdentity,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(NoticeError) -> String { try StoreFolder.path(of: app.id, environment) }

    /// Whether there is a store in a directory. Readers call it first, because ``open(in:options:)`` creates a store.
    public static func exists(in folder: String) -> Bool {
        let folder = StoreFolder(path: folder)
        return [folder.database, folder.rescued].contains(where: StoreFolder.exists)
    }

    /// Opens an app's own store, and creates it if there is none. Throws as ``open(in:options:)`` does.
    public static func open(
        for app: AppIdentity,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) async throws(NoticeError) -> SQLiteRequestStore { try await open(in: folder(for: app), options: options) }

    /// Opens the store in a directory of its own, and creates both if there are none (directory 0700, file 0600). O(n)
    /// in the pending requests, which are read. The whole file is checked if it is under 16 MB, was not closed
    /// properly, or has shown damage. A damaged file is set aside and replaced by the data that can be read
    /// (``openingReport``). The damage report is also kept in the store's directory until it is acknowledged.
    ///
    /// Throws ``Belfry/NoticeError/Code/storeInUse``, which names the owner, after ``SQLiteStoreOptions/lockWait``;
    /// ``Belfry/NoticeError/Code/storeTooNew`` for a file of a newer version; ``Belfry/NoticeError/Code/storeFailed``
    /// otherwise.
    public static func open(
        in folder: String,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) async throws(NoticeError) -> SQLiteRequestStore {
        let file = StoreFile(StoreFolder(path: folder), options)
        try await file.open()
        return SQLiteRequestStore(folder, file)
    }
}
