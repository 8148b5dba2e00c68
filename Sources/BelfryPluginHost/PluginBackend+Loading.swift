public import Belfry

extension PluginBackend {
    /// Loads a plug-in from a file: the path if `nameOrPath` has a slash, else the plug-in of that name on the search
    /// path.
    ///
    /// The file and every directory above it must belong to root or to the user, and nobody else may write to them,
    /// because a plug-in runs code in this process. A file is loaded once and never unloaded. `$ORIGIN` in its library
    /// search path doesn't work: it is loaded through its descriptor.
    ///
    /// `settings` are for this plug-in alone and use its own names. The plug-in logs the ones that it doesn't know.
    ///
    /// Throws, all permanent until something is changed: ``Belfry/NoticeError/Code/notFound``,
    /// ``Belfry/NoticeError/Code/fileUnreadable``, ``Belfry/NoticeError/Code/pluginRefused``,
    /// ``Belfry/NoticeError/Code/unsupported`` (another major version of the ABI),
    /// ``Belfry/NoticeError/Code/pluginMisbehaved``.
    public convenience init(
        loading nameOrPath: String,
        for app: AppIdentity,
        timeouts: Timeouts = Timeouts(),
        settings: [String: String] = [:],
        searchPath: PluginSearchPath = .standard()
    ) throws(NoticeError) {
        let path = nameOrPath.contains("/") ? nameOrPath : try searchPath.file(of: nameOrPath)
        try self.init(descriptor: PluginFile.load(path), app: app, timeouts: timeouts, settings: settings)
    }
}
