import Belfry
import BelfryRecurrence
import Foundation

extension ScheduleReading {
    /// Belfry's own form, version 1.
    mutating func readNative(_ root: JSONNode) {
        guard let file = ObjectReader(NodePosition(node: root, path: ""), NativeKeys.file, collector) else { return }
        if !file.has("version") { file.fault("version", "is missing; write \"version\": 1") }
        if let version = file.place("version"), version.node.canonical != "1" {
            collector.add(
                "must be 1, found \(version.node.found); this Belfry reads version 1",
                at: "version",
                version.node.offset
            )
        }
        let zone = file.zone("zone")
        guard let notices = file.places("notices") else {
            if !file.has("notices") { file.fault("notices", "is missing; write \"notices\": [ … ]") }
            return
        }
        guard !isFull(notices.count, "notices", root["notices"]?.offset ?? 0) else { return }
        for place in notices { readNotice(place, zone) }
    }

    private mutating func readNotice(_ place: NodePosition, _ fileZone: ZoneRules?) {
        guard let notice = ObjectReader(place, NativeKeys.notice, collector) else { return }
        var request = NoticeRequest(id: "", content: NativeContent(notice, options).read())
        if let misfire = readMisfire(notice) { request.misfire = misfire }
        request.endsWhenAnswered = notice.bool("endsWhenAnswered") ?? false
        request.dismissalEnds = notice.bool("dismissalEnds") ?? false
        request.languages = options.languages ?? notice.texts("languages")
        if !notice.has("title"), !notice.has("body"), !notice.has("subtitle") {
            notice.fault("title", "is missing; give the notice a title or a body")
        }
        let series = readSeries(notice, request, fileZone)
        let id = notice.text("id") ?? series?.id
        if !notice.has("id"), !notice.has("series") {
            notice.fault("id", "is missing; give each notice an identifier that is unique in the file")
        }
        let trigger = notice.place("trigger").flatMap { place in
            ObjectReader(place, NativeKeys.trigger, collector).flatMap { NativeTrigger($0, fileZone, or: zone).read() }
        }
        switch (notice.has("trigger"), notice.has("series")) {
        case (true, true):
            notice.fault("series", "and a trigger exclude each other; the series' \"first\" says when it begins")
        case (false, false):
            notice.fault("trigger", "is missing; write for example \"trigger\": { \"at\": \"2026-12-24 18:00\" }")
        default: break
        }
        guard let plan = series.map(NoticePlan.series) ?? trigger else { return }
        guard let id else { return }
        // Where a zone of the file serves, what the entry means changes with it.
        let print = Fingerprint.of(place.node.canonical, fileZone?.identifier ?? "", languageMark)
        take(place, id: id, idOffset: notice.place("id")?.node.offset, fingerprint: print, request, plan)
    }

    var languageMark: String { options.languages?.joined(separator: ":") ?? "" }

    private func readSeries(
        _ notice: ObjectReader,
        _ request: NoticeRequest,
        _ fileZone: ZoneRules?
    ) -> NoticeSeries? {
        guard let place = notice.place("series"), let reader = ObjectReader(place, NativeKeys.series, collector) else {
            return nil
        }
        let base = reader.text("base") ?? notice.text("id")
        if base == nil { reader.fault("base", "is missing; give the series an identifier") }
        if let base, let id = notice.text("id"), id != base {
            reader.fault("base", "must be the notice's id '\(id.clipped)', or be left out")
        }
        if !reader.has("spacing") { reader.fault("spacing", "is missing; write for example \"spacing\": \"5m\"") }
        if !reader.has("count") { reader.fault("count", "is missing; write for example \"count\": 10") }
        let first = reader.date("first", in: fileZone ?? zone)
        let spacing = reader.duration("spacing")
        if let spacing, spacing < .seconds(1) || spacing > .seconds(1_000_000_000) {
            let found = reader.place("spacing")?.node.found ?? ""
            reader.fault("spacing", "must be at least 1 s, found \(found)")
            return nil
        }
        guard let base, let spacing, let count = reader.integer("count", 1...NoticeSeries.maximumCount) else {
            return nil
        }
        return NoticeSeries(
            id: base,
            content: request.content,
            first: first,
            spacing: spacing,
            count: count,
            misfire: request.misfire,
            dismissalEnds: request.dismissalEnds
        )
    }

    private func readMisfire(_ notice: ObjectReader) -> MisfirePolicy? {
        guard let place = notice.place("misfire") else { return nil }
        switch place.node.text {
        case "skip": return .skip
        case "deliverLate": return .deliver
        default: break
        }
        guard place.node.fields != nil else {
            return notice.mismatch("misfire", "'skip', 'deliverLate' or { \"deliverLate\": { \"within\": \"1h\" } }")
        }
        guard let reader = ObjectReader(place, NativeKeys.misfire, collector),
            let late = reader.place("deliverLate"),
            let bounds = ObjectReader(late, NativeKeys.deliverLate, collector)
        else { return nil }
        return .deliver(within: bounds.duration("within"))
    }
}
