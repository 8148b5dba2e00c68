#if ServiceLifecycle
import Belfry
import Metrics

/// A center's counters, each with the dimension `app`.
struct NoticeMetrics: Sendable {
    private let delivered, late, missed, failed: Counter
    private let pending: Gauge
    private let lateAfter: Duration

    init(of app: AppIdentity, lateAfter: Duration, factory: any MetricsFactory) {
        func counter(_ name: String) -> Counter {
            Counter(label: "belfry.notices.\(name)", dimensions: [("app", app.id)], factory: factory)
        }
        delivered = counter("delivered")
        late = counter("late")
        missed = counter("missed")
        failed = counter("failed")
        pending = Gauge(label: "belfry.notices.pending", dimensions: [("app", app.id)], factory: factory)
        self.lateAfter = lateAfter
    }

    func count(_ event: CenterEvent) {
        switch event {
        case .delivered(let notice):
            delivered.increment()
            if notice.late > lateAfter { late.increment() }
        case .history(let entry) where entry.outcome == .missed: missed.increment()
        case .history(let entry) where entry.outcome == .failed: failed.increment()
        case .history, .undisplayed, .error: break
        }
    }

    func setPending(_ count: Int) { pending.record(count) }
}
#endif
