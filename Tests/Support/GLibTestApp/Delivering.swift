import Belfry
import BelfryGLib
import BelfryRecorder
import CBelfryGLib
import Glibc

/// An app with a center: what its click handler adds is delivered, and the response comes back.
@MainActor
struct Delivering {
    private let recorder = RecorderBackend()
    private let loop = MainLoop()

    func run() throws {
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Tea"), backend: recorder)
        try GLibMainActor.attach()
        let serving = Task { try await center.run() }
        loop.after { self.clicked(center) }
        loop.run()
        print("the loop has ended")
        serving.cancel()
        try GLibMainActor.run(until: serving)
        print("the center has ended")
    }

    private func clicked(_ center: NoticeCenter) {
        Task {
            let responses = await center.responses()
            try await center.add(NoticeRequest(id: "tea", title: "Tea is ready"))
            await recorder.waitForDeliveries(1)
            print("delivered: \(recorder.deliveries.map(\.requestID)), on the main thread: \(gettid() == getpid())")
            try recorder.simulate(.open, on: "tea")
            for await response in responses {
                print("response: \(response.requestID), on the main thread: \(gettid() == getpid())")
                break
            }
            loop.quit()
        }
    }
}
