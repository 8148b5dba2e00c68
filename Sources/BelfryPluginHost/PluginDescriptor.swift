import Belfry
import CBelfryPlugin

/// A running plug-in.
///
/// Unchecked: the ABI (section 3) lets calls come from any thread, several at a time.
struct PluginInstance: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// A plug-in's functions and name, validated once.
///
/// Unchecked: the ABI (section 4) guarantees that the descriptor is constant and valid for the life of the process.
struct PluginDescriptor: @unchecked Sendable {
    let name: String
    private let start:
        @convention(c) (
            UnsafePointer<belfry_host>?, UnsafePointer<belfry_start_options>?, UnsafeMutablePointer<OpaquePointer?>?
        ) -> belfry_status
    private let capabilities: @convention(c) (OpaquePointer?, UInt64) -> Void
    private let deliver: @convention(c) (OpaquePointer?, UInt64, UnsafePointer<belfry_notice>?) -> Void
    private let withdraw: @convention(c) (OpaquePointer?, UInt64, UnsafePointer<belfry_receipt>?) -> Void
    private let stop: @convention(c) (OpaquePointer?) -> Void
    private let destroy: @convention(c) (OpaquePointer?) -> Void

    init(_ pointer: UnsafePointer<belfry_plugin_descriptor>) throws(NoticeError) {
        let descriptor = PluginDecoding.whole(pointer, empty: belfry_plugin_descriptor())
        let given = PluginDecoding.string(descriptor.name)
        name = given.isEmpty ? "unnamed plug-in" : given
        guard descriptor.abi_major == BELFRY_PLUGIN_ABI_MAJOR else {
            throw NoticeError(
                .unsupported,
                "The plug-in '\(name)' is written for version \(descriptor.abi_major) of the plug-in ABI and this is "
                    + "version \(BELFRY_PLUGIN_ABI_MAJOR): install one that fits."
            )
        }
        guard let start = descriptor.start, let capabilities = descriptor.capabilities,
            let deliver = descriptor.deliver, let withdraw = descriptor.withdraw, let stop = descriptor.stop,
            let destroy = descriptor.destroy
        else {
            throw NoticeError(
                .pluginMisbehaved,
                "The plug-in '\(name)' lacks one of its six functions. Tell its author."
            )
        }
        self.start = start
        self.capabilities = capabilities
        self.deliver = deliver
        self.withdraw = withdraw
        self.stop = stop
        self.destroy = destroy
    }

    func start(_ host: inout belfry_host, _ options: inout belfry_start_options) -> (belfry_status, PluginInstance?) {
        var instance: OpaquePointer?
        let status = start(&host, &options, &instance)
        return (status, instance.map(PluginInstance.init))
    }

    func capabilities(_ instance: PluginInstance, _ token: UInt64) { capabilities(instance.pointer, token) }

    func deliver(_ instance: PluginInstance, _ token: UInt64, _ notice: inout belfry_notice) {
        deliver(instance.pointer, token, &notice)
    }

    func withdraw(_ instance: PluginInstance, _ token: UInt64, _ receipt: inout belfry_receipt) {
        withdraw(instance.pointer, token, &receipt)
    }

    func stop(_ instance: PluginInstance) { stop(instance.pointer) }
    func destroy(_ instance: PluginInstance) { destroy(instance.pointer) }
}
