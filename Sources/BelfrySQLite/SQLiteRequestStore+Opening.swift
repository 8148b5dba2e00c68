public import Belfry
public import FoundationEssentials

extension SQLiteRequestStore {
    /// Where an app's own store is: `$XDG_STATE_HOME/belfry/apps/<app id>`, `~/.local/state/belfry/apps/<app id>`
    /// without that variable. Throws ``Belfry/NoticeError/Code/invalidIdentifier`` where the identifier can't name a
    /// folder.
    public static func folder(
        for app: AppIdentity,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(NoticeError) -> String { try StoreFolder.path(of: app.id, environment) }

    /// Whether there is a store in a folder: who only reads asks this first, since ``open(in:options:)`` makes one.
    public static func exists(in folder: String) -> Bool {
        let folder = StoreFolder(path: folder)
        return [folder.database, folder.rescued].contains(where: StoreFolder.exists)
    }

    /// Opens an app's own store, and makes it where there is none. Throws as ``open(in:options:)`` does.
    public static func open(
        for app: AppIdentity,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) async throws(NoticeError) -> SQLiteRequestStore { try await open(in: folder(for: app), options: options) }

    /// Opens the store in a folder of its own, and makes both where there are none (folder 0700, file 0600). O(n): what
    /// is pending is read. A file under 16 MB, one that was not closed in good order, and one in which damage was found
    /// is checked whole; where it is damaged, it is set aside and replaced by what can be read of it
    /// (``openingReport``). Damage is also kept in the store's folder, until it is acknowledged.
    ///
    /// Throws ``Belfry/NoticeError/Code/storeInUse`` naming the owner when ``SQLiteStoreOptions/lockWait`` is over,
    /// ``Belfry/NoticeError/Code/storeTooNew`` for a file of a newer version, ``Belfry/NoticeError/Code/storeFailed``
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
