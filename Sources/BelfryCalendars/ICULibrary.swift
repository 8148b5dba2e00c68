import Glibc

/// The calendar functions of the system's ICU: its stable C interface, declared in ucal.h.
struct ICULibrary: Sendable {
    /// UCalendarLimitType.
    enum Limit: Int32 {
        case maximum = 1
        case actualMaximum = 5
    }

    typealias Status = UnsafeMutablePointer<Int32>
    /// The caller owns the calendar and must ``close`` it. Arguments: zone in UTF-16 and its length, locale, type.
    typealias Open =
        @convention(c) @Sendable (UnsafePointer<UInt16>?, Int32, UnsafePointer<CChar>?, Int32, Status?) ->
        OpaquePointer?
    typealias Close = @convention(c) @Sendable (OpaquePointer?) -> Void
    typealias SetMillis = @convention(c) @Sendable (OpaquePointer?, Double, Status?) -> Void
    typealias Get = @convention(c) @Sendable (OpaquePointer?, Int32, Status?) -> Int32
    typealias GetLimit = @convention(c) @Sendable (OpaquePointer?, Int32, Int32, Status?) -> Int32

    let open: Open
    let close: Close
    let setMillis: SetMillis
    let get: Get
    let getLimit: GetLimit

    /// The library, loaded on first use and never unloaded; nil if the machine has none.
    static let shared = versions.lazy.compactMap { ICULibrary(version: $0) }.first

    /// The newest version is used. Earlier ones predate any system with the glibc that the Swift libraries need.
    private static let versions = (60...120).reversed()

    /// Opens one version. Its file and functions carry the version in their names (the ICU User Guide, "Design",
    /// "Version Numbers in ICU").
    private init?(version: Int) {
        guard let library = dlopen("libicui18n.so.\(version)", RTLD_NOW | RTLD_LOCAL) else { return nil }
        func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
            dlsym(library, "\(name)_\(version)").map { unsafeBitCast($0, to: type) }
        }
        guard let open = function("ucal_open", Open.self), let close = function("ucal_close", Close.self),
            let setMillis = function("ucal_setMillis", SetMillis.self),
            let get = function("ucal_get", Get.self), let getLimit = function("ucal_getLimit", GetLimit.self)
        else { return nil }
        (self.open, self.close) = (open, close)
        (self.setMillis, self.get, self.getLimit) = (setMillis, get, getLimit)
    }
}
