import Belfry

/// A recorder's state; changed only under its lock.
struct RecorderState {
    struct Script {
        var next: [NoticeError] = []
        var always: NoticeError?
    }

    let name: String
    var offered: DeliveryCapabilities
    var attempts: [Delivery] = []
    var deliveries: [Delivery] = []
    /// The notices by reference, with their positions. A dictionary, since a year of a thousand requests replaces many.
    private var screen: [DeliveryReceipt.Reference: (place: Int, notice: ShownNotice)] = [:]
    private var lastPlace = 0
    var withdrawn: [ShownNotice] = []

    var isServerThere = true
    /// Counts the server's runs: handles of an earlier one are void.
    var generation = 1
    private var lastHandle = 0

    var scripts: [RecorderBackend.Operation: Script] = [:]
    var stalling: Set<RecorderBackend.Operation> = []
    var stalledCalls: Set<UInt64> = []

    private var lastCall: UInt64 = 0

    init(name: String, offered: DeliveryCapabilities) {
        self.name = name
        self.offered = offered
    }

    var server: String { "\(name):\(generation)" }

    mutating func show(_ delivery: Delivery) -> DeliveryReceipt {
        deliveries.append(delivery)
        var lost = delivery.lost + offered.losses(of: delivery.content)
        let old = delivery.replaces.map(DeliveryReceipt.Reference.init)
        let standing = old.flatMap { screen[$0] }
        if let old, let standing, offered.features.contains(.replacing) {
            let receipt = DeliveryReceipt(backend: name, handle: old.handle, server: server, lost: lost)
            screen[old] = (standing.place, ShownNotice(delivery: delivery, receipt: receipt))
            return receipt
        }
        if standing != nil {
            lost.append(DeliveryReceipt.LostFeature(.replacing, "the earlier notice stays beside this one"))
        }
        lastHandle += 1
        lastPlace += 1
        let receipt = DeliveryReceipt(backend: name, handle: "\(lastHandle)", server: server, lost: lost)
        screen[DeliveryReceipt.Reference(receipt)] = (lastPlace, ShownNotice(delivery: delivery, receipt: receipt))
        return receipt
    }

    /// The notices in the order of their positions. O(n log n).
    var shown: [ShownNotice] { screen.values.sorted { $0.place < $1.place }.map(\.notice) }

    /// The latest notice of a request. O(n).
    func latest(of requestID: String) -> ShownNotice? {
        screen.values.filter { $0.notice.id == requestID }.max { $0.place < $1.place }?.notice
    }

    mutating func remove(_ reference: DeliveryReceipt.Reference) -> ShownNotice? {
        screen.removeValue(forKey: reference)?.notice
    }

    mutating func clearScreen() { screen = [:] }

    mutating func restartServer() {
        isServerThere = true
        generation += 1
        // A new server counts from one again, which exposes code that reuses old handles.
        lastHandle = 0
    }

    /// Removes and returns the error that the next call of this kind throws.
    mutating func takeFailure(of operation: RecorderBackend.Operation) -> NoticeError? {
        if !isServerThere {
            return NoticeError(.noServer, "The recorder's server was removed; restore it with restoreServer().")
        }
        guard var script = scripts[operation] else { return nil }
        guard !script.next.isEmpty else { return script.always }
        defer { scripts[operation] = script }
        return script.next.removeFirst()
    }

    /// Nil where such calls pass.
    mutating func stall(_ operation: RecorderBackend.Operation) -> UInt64? {
        guard stalling.contains(operation) else { return nil }
        lastCall += 1
        stalledCalls.insert(lastCall)
        return lastCall
    }
}
