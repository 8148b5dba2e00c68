#if CommandLine
import ArgumentParser

/// The options for how added requests are shown and where they are stored.
struct AddingOptions: ParsableArguments {
    @OptionGroup(title: "Delivery")
    var delivery: BackendOptions

    @OptionGroup(title: "Store (without any: the agent's)")
    var store: StoreOptions

    @Flag(help: "With --store: store what is added and exit; 'belfry run --store PATH' shows it.")
    var noWait = false

    func validate() throws {
        if noWait, store.path == nil {
            throw ValidationError("--no-wait needs --store PATH: nothing else keeps it.")
        }
    }
}
#endif
