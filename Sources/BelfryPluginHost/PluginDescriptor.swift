import Belfry
import CBelfryPlugin

/// A plug-in's functions and name, validated once: none of the functions is missing.
///
/// Unchecked: the ABI (section 4) guarantees that the descriptor is constant and valid for the life of the process.
struct PluginDescriptor: @unchecked Sendable {
    let name: String
    private let functions: belfry_plugin_descriptor

    init(_ pointer: UnsafePointer<belfry_plugin_descriptor>) throws(NoticeError) {
        functions = PluginDecoding.whole(pointer)
        let given = PluginDecoding.string(functions.name)
        name = given.isEmpty ? "unnamed plug-in" : given
        guard functions.abi_major == BELFRY_PLUGIN_ABI_MAJOR else {
            throw NoticeError(
                .unsupported,
                "The plug-in '\(name)' is written for version \(functions.abi_major) of the plug-in ABI and this is "
                    + "version \(BELFRY_PLUGIN_ABI_MAJOR): install one that fits."
            )
        }
        guard functions.start != nil, functions.capabilities != nil, functions.deliver != nil,
            functions.withdraw != nil, functions.stop != nil, functions.destroy != nil
        else {
            throw NoticeError(
                .pluginMisbehaved,
                "The plug-in '\(name)' lacks one of its six functions. Tell its author."
            )
        }
    }

    func start(_ host: belfry_host, _ options: inout belfry_start_options) -> (belfry_status, PluginInstance?) {
        let table = UnsafeMutablePointer<belfry_host>.allocate(capacity: 1)
        table.initialize(to: host)
        var instance: OpaquePointer?
        let status = functions.start(table, &options, &instance)
        guard let instance else {
            table.deallocate()
            return (status, nil)
        }
        return (status, PluginInstance(functions: functions, pointer: instance, host: table))
    }
}

/// A running plug-in.
///
/// Unchecked: the ABI (section 3) lets calls come from any thread, several at a time.
struct PluginInstance: @unchecked Sendable {
    fileprivate let functions: belfry_plugin_descriptor
    fileprivate let pointer: OpaquePointer
    /// Owned. The plug-in may call through it until `stop` has returned (section 4).
    fileprivate let host: UnsafeMutablePointer<belfry_host>

    func capabilities(_ token: UInt64) { functions.capabilities(pointer, token) }

    func deliver(_ token: UInt64, _ delivery: Delivery) {
        withExtendedLifetime(PluginArena()) { arena in
            var notice = arena.notice(delivery)
            functions.deliver(pointer, token, &notice)
        }
    }

    func withdraw(_ token: UInt64, _ receipt: DeliveryReceipt.Reference) {
        withExtendedLifetime(PluginArena()) { arena in
            guard var receipt = arena.receipt(receipt) else { return }
            functions.withdraw(pointer, token, &receipt)
        }
    }

    /// Stops and frees it. No call may follow.
    func end() {
        functions.stop(pointer)
        functions.destroy(pointer)
        host.deallocate()
    }
}
