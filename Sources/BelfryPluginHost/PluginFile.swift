public import Belfry
import CBelfryPlugin
import FoundationEssentials
import Glibc

/// A plug-in's file. It is opened once, then checked and loaded through the same descriptor, so that no other file can
/// be swapped in between.
///
/// A loaded file is never unloaded and its descriptor stays open, even if the file is not a plug-in. The loader knows a
/// library by the name it was opened under, here the descriptor's number. It would mistake the next file with that
/// number for this one.
enum PluginFile {
    /// Opens, checks and loads the file. Throws ``NoticeError/Code/fileUnreadable``, ``NoticeError/Code/pluginRefused``
    /// or ``NoticeError/Code/unsupported``, all permanent until the file or its owner changes.
    static func load(_ given: String) throws(NoticeError) -> UnsafePointer<belfry_plugin_descriptor> {
        let file = open(given, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            throw NoticeError(.fileUnreadable, "The plug-in \(given) can't be opened: \(systemMessage(errno)).")
        }
        let path: String
        let library: UnsafeMutableRawPointer
        do {
            path = try checkedPath(of: file, given)
            library = try load(file, path)
        } catch {
            close(file)
            throw error
        }
        return try descriptor(in: library, path)
    }

    // MARK: Whose it is

    /// Returns the real path of the file, with symbolic links resolved.
    private static func checkedPath(of file: Int32, _ given: String) throws(NoticeError) -> String {
        var status = stat()
        guard fstat(file, &status) == 0 else {
            throw NoticeError(.fileUnreadable, "The plug-in \(given) can't be read: \(systemMessage(errno)).")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw NoticeError(.fileUnreadable, "The plug-in \(given) is not a regular file.")
        }
        try checkExtent(of: file, size: Int64(status.st_size), given)
        guard let path = realPath(of: file) else {
            throw NoticeError(.fileUnreadable, "The plug-in \(given) has no path: is /proc mounted?")
        }
        try check(status, path)
        var folder = path
        while folder != "/" {
            folder = parent(of: folder)
            guard lstat(folder, &status) == 0 else {
                throw NoticeError(.fileUnreadable, "The folder \(folder) can't be read: \(systemMessage(errno)).")
            }
            try check(status, folder)
        }
        return path
    }

    private static func check(_ status: stat, _ path: String) throws(NoticeError) {
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw NoticeError(
                .pluginRefused,
                "\(path) belongs to user \(status.st_uid), who could make Belfry run anything: a plug-in and the "
                    + "folders above it have to belong to root or to you."
            )
        }
        // In a sticky directory, such as /tmp, only a file's owner can replace it.
        let isSticky = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
        guard isSticky || status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw NoticeError(
                .pluginRefused,
                "\(path) can be written by others: take that away with `chmod go-w`, or keep the plug-in elsewhere."
            )
        }
    }

    private static func realPath(of file: Int32) -> String? {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")
        return path?.hasPrefix("/") == true ? path : nil
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    // MARK: Loading

    private static func load(_ file: Int32, _ path: String) throws(NoticeError) -> UnsafeMutableRawPointer {
        guard let library = dlopen("/proc/self/fd/\(file)", RTLD_NOW | RTLD_LOCAL) else {
            throw NoticeError(.pluginRefused, "The plug-in \(path) can't be loaded: \(loaderMessage()).")
        }
        return library
    }

    private static func descriptor(
        in library: UnsafeMutableRawPointer,
        _ path: String
    ) throws(NoticeError) -> UnsafePointer<belfry_plugin_descriptor> {
        guard let symbol = dlsym(library, BELFRY_PLUGIN_ENTRY_SYMBOL) else {
            throw NoticeError(
                .pluginRefused,
                "\(path) is no plug-in of Belfry: it does not export \(BELFRY_PLUGIN_ENTRY_SYMBOL)."
            )
        }
        typealias Entry = @convention(c) (UInt32) -> UnsafePointer<belfry_plugin_descriptor>?
        let entry = unsafeBitCast(symbol, to: Entry.self)
        guard let descriptor = entry(BELFRY_PLUGIN_ABI_MAJOR) else {
            throw NoticeError(
                .unsupported,
                "The plug-in \(path) can't serve version \(BELFRY_PLUGIN_ABI_MAJOR) of the plug-in ABI: install one "
                    + "that fits this version of Belfry."
            )
        }
        return descriptor
    }

    private static func loaderMessage() -> String { dlerror().map { String(cString: $0) } ?? "no reason given" }
}

func systemMessage(_ error: Int32) -> String { String(cString: strerror(error)) }

extension NoticeError.Code {
    /// A plug-in's file that others could have changed, or that isn't a plug-in. Permanent until corrected.
    public static let pluginRefused = Self(rawValue: "pluginRefused")
}
