import Belfry
import Foundation
import Synchronization

/// A desktop that outlives the process: what it shows stands in a log outside of the store, a line before each receipt.
/// Every other notice is answered at once.
final class LogBackend: DeliveryBackend {
    let name = "log"
    private let report = Mutex<(@Sendable (BackendEvent) -> Void)?>(nil)

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        DeliveryCapabilities(server: "log 1", features: Set(DeliveryCapabilities.Feature.allCases))
    }

    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let times = delivery.isPossiblyRepeated ? "repeated" : "first"
        say("shown \(delivery.id) \(delivery.requestID) \(times) \(delivery.crossing?.rawValue ?? "-")")
        let receipt = DeliveryReceipt(backend: name, handle: delivery.id, server: "log")
        if delivery.content.title.hasSuffix("?") {
            let report = report.withLock { $0 }
            report?(
                .responded(
                    DeliveryReceipt.Reference(receipt),
                    action: NoticeAction.defaultID,
                    text: nil,
                    activationToken: nil
                )
            )
        }
        return receipt
    }

    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {}

    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        self.report.withLock { $0 = report }
    }
}
