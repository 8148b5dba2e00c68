import Belfry

extension ScheduleReading {
    /// `{time: "19:30", day: "Tuesday", repeat: 7, occurrence: 4, title, msg}`: from the next Tuesday 19:30 on, every 7 days,
    /// 4 times. Without `repeat` once, without `occurrence` until it is taken out.
    mutating func readA(_ place: NodePosition) {
        guard let reader = ObjectReader(place, FormKeys.a, collector) else { return }
        let start = formStart(reader)
        let days = reader.integer("repeat", 1...36_500)
        let count = reader.integer("occurrence", 1...1_000_000)
        if let count, count > 1, !reader.has("repeat") {
            reader.fault(
                "occurrence",
                "is \(count), and there is no 'repeat'; write the days between, such as \"repeat\": 7"
            )
            return
        }
        guard let start, reader.has("repeat") == (days != nil), reader.has("occurrence") == (count != nil) else {
            return
        }
        let local = LocalRepeat(
            start: start,
            step: days.map { .days($0) } ?? .once,
            end: count.map { .count($0) } ?? .never
        )
        take(place, id: nil, fingerprint: formFingerprint(place), formRequest(reader), .local(local))
    }
}
