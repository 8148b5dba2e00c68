import Belfry
import BelfryRecorder
import FoundationEssentials

// What an app's tests do: a backend that shows nothing gets a delivery, and is asked what it got.
let recorder = RecorderBackend()
let request = NoticeRequest(id: "tea", title: "Tea is ready", trigger: IntervalTrigger(after: .seconds(60)))
let delivery = Delivery(
    id: "1",
    requestID: request.id,
    app: AppIdentity(id: "org.example.Consumer"),
    content: request.content,
    dueDate: Date(timeIntervalSince1970: 0),
    late: .zero
)
let receipt = try await recorder.deliver(delivery)
print("\(recorder.name) has \(try recorder.expectDelivery(of: "tea").content.title), handle \(receipt.handle)")
