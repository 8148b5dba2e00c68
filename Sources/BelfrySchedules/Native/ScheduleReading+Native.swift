import Belfry
import BelfryRecurrence

extension ScheduleReading {
    /// Reads Belfry's own form, version 1.
    mutating func readNative(_ root: NodePosition) {
        guard let file = ObjectReader(root, NativeKeys.file, collector) else { return }
        if file.require("version", "write \"version\": 1"), let version = file.position("version"),
            version.node.canonical != "1"
        {
            collector.add("must be 1, found \(version.node.found); this Belfry reads version 1", at: version)
        }
        let zone = file.zone("zone")
        guard file.require("notices", "write \"notices\": [ … ]"), let notices = file.positions("notices"),
            !isFull(notices.count, "notices", root.node["notices"]?.offset ?? 0)
        else { return }
        for position in notices { readNotice(position, zone) }
    }

    private mutating func readNotice(_ position: NodePosition, _ fileZone: ZoneRules?) {
        guard let notice = ObjectReader(position, NativeKeys.notice, collector) else { return }
        var request = NoticeRequest(id: "", content: NativeContent(notice: notice, options: options).read())
        request.misfire = misfire(notice) ?? request.misfire
        request.endsWhenAnswered = notice.bool("endsWhenAnswered") ?? false
        request.dismissalEnds = notice.bool("dismissalEnds") ?? false
        request.languages = options.languages ?? notice.texts("languages")
        if !notice.has("body"), !notice.has("subtitle") {
            notice.require("title", "give the notice a title or a body")
        }
        let series = series(notice, request, fileZone)
        if !notice.has("series") { notice.require("id", "give each notice an identifier that is unique in the file") }
        let trigger = notice.object("trigger", NativeKeys.trigger).flatMap {
            NativeTrigger($0, fileZone, or: zone).read()
        }
        if !notice.has("series") {
            notice.require("trigger", "write for example \"trigger\": { \"at\": \"2026-12-24 18:00\" }")
        } else if notice.has("trigger") {
            notice.report("series", "and a trigger exclude each other; the series' \"first\" says when it begins")
        }
        guard let plan = series.map(NoticePlan.series) ?? trigger, let id = notice.text("id") ?? series?.id else {
            return
        }
        // The zone of the file can change the meaning of the entry, so the fingerprint includes it.
        let print = Fingerprint.of(position.node.canonical, fileZone?.identifier ?? "", languageMark)
        append(position, id: id, idOffset: notice.position("id")?.node.offset, fingerprint: print, request, plan)
    }

    var languageMark: String { options.languages?.joined(separator: ":") ?? "" }

    private func series(_ notice: ObjectReader, _ request: NoticeRequest, _ fileZone: ZoneRules?) -> NoticeSeries? {
        guard let reader = notice.object("series", NativeKeys.series) else { return nil }
        let base = reader.text("base") ?? notice.text("id")
        if base == nil { reader.report("base", "is missing; give the series an identifier") }
        if let base, let id = notice.text("id"), id != base {
            reader.report("base", "must be the notice's id '\(id.clipped)', or be left out")
        }
        reader.require("spacing", "write for example \"spacing\": \"5m\"")
        reader.require("count", "write for example \"count\": 10")
        let first = reader.date("first", in: fileZone ?? zone)
        let spacing = reader.duration("spacing")
        if let spacing, spacing < .seconds(1) || spacing > .seconds(1_000_000_000) {
            let found = reader.position("spacing")?.node.found ?? ""
            return reader.report("spacing", "must be at least 1 s, and at most 1,000,000,000 s, found \(found)")
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

    private func misfire(_ notice: ObjectReader) -> MisfirePolicy? {
        guard let position = notice.position("misfire") else { return nil }
        switch position.node.text {
        case "skip": return .skip
        case "deliverLate": return .deliver
        default: break
        }
        guard position.fields?.isEmpty == false else {
            return notice.mismatch("misfire", "'skip', 'deliverLate' or { \"deliverLate\": { \"within\": \"1h\" } }")
        }
        return notice.object("misfire", NativeKeys.misfire)?.object("deliverLate", NativeKeys.deliverLate)
            .map { .deliver(within: $0.duration("within")) }
    }
}
