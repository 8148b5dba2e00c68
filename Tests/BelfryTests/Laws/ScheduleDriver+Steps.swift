import BelfryRecurrence
import Foundation
import SeededRandom

@testable import Belfry

extension ScheduleDriver {
    /// One random thing happens.
    mutating func step() {
        switch random.number(0...99) {
        case 0..<26: wishes()
        case 26..<46: moveTime()
        case 46..<50: walk()
        case 50..<52: answerFeeds()
        case 52..<76: finishDeliveries()
        case 76..<82: answer()
        case 82..<83: takeWhatIsDue()
        case 83..<87: close()
        case 87..<90 where schedule.clock.doubt != nil: handle(facts: .clockSynchronized)
        case 87..<90: setClock()
        case 90..<93: travel()
        case 93..<95: restartServer()
        case 95..<96: handle(facts: schedule.isRunning ? .stopped : .started)
        case 96..<98: storeFails = random.chance(30)
        default: crash()
        }
    }

    private mutating func wishes() {
        var wishes: [Wish] = []
        for _ in 0..<random.number(1...3) { wishes.append(wish()) }
        handle(wishes)
    }

    private mutating func wish() -> Wish {
        switch random.number(0...99) {
        case 0..<6: return .synchronize(ownedRequests(), isTrial: random.chance(20))
        case 6..<60: return .add((0..<random.pick([1, 1, 1, 2, 3])).map { _ in request() })
        case 60..<68: return .addSeries(series())
        case 68..<73:
            var request = request()
            request.trigger = nil
            request.content.isDisplayed = true
            return .show(request)
        case 73..<88:
            let ids = (0..<random.number(1...2)).map { _ in random.pick(Self.ids + Self.bases) }
            return .remove(ids, includingDelivered: random.chance(25))
        case 88..<90: return .removeAll
        case 90..<93: return .remove([random.pick(Self.bases)], includingDelivered: random.chance(60))
        case 93..<95: return .setQuietHours(random.chance(30) ? nil : quietHours())
        case 95: return snooze()
        case 96:
            let name = random.pick(["near", "far"])
            if random.chance(25) { return .stopMonitoring(name) }
            let (count, stride) = (random.number(1...3), random.pick([10, 500, 5_000.0]))
            // The driver answers in its place.
            return .monitor(RegionFeed(name, nearest: count, stride: stride) { _, _ in [] })
        case 97: return .removeDelivered(random.chance(50) ? nil : [random.pick(Self.ids)])
        default: return .set(random.chance(50) ? [] : [.putAuthorization(.authorized)])
        }
    }

    private mutating func ownedRequests() -> OwnedRequests {
        let keys = ["k1", "k2", "k3", "k4"].filter { _ in random.chance(60) }
        return OwnedRequests(
            owner: random.pick(["one", "two"]),
            entries: keys.map { key in
                var request = request()
                // Mostly an identifier of its own, sometimes one that another has.
                if random.chance(85) { request.id = "owned \(key)" }
                let isSeries = random.chance(20)
                return OwnedRequests.Entry(
                    key: key,
                    fingerprint: String(random.number(1...2)),
                    requests: random.chance(5) ? nil : isSeries ? series() : [request]
                )
            }
        )
    }

    private mutating func quietHours() -> QuietHours {
        func time() -> TimeOfDay { TimeOfDay(hour: random.number(0...23), minute: random.number(0...59)) }
        let periods = (0..<random.number(1...2)).map { _ in
            let weekday = Weekday(rawValue: random.number(1...7))
            return QuietHours.Period(
                from: time(),
                to: time(),
                on: random.chance(70) ? Weekday.everyDay : Set([weekday].compactMap(\.self))
            )
        }
        return QuietHours(periods, behavior: random.chance(70) ? .wait : .deliverQuietly)
    }

    mutating func snoozeChoice() -> SnoozeChoice {
        switch random.number(0...9) {
        case 0...5: .after(.seconds(random.number(1...7_200)))
        case 6...7: .tomorrow(hour: random.number(0...23), minute: random.number(0...59))
        default: .until(now.date.addingTimeInterval(Double(random.number(-100...10_000))))
        }
    }

    /// The app puts off what was answered before, or what stands on the screen.
    private mutating func snooze() -> Wish {
        let id = random.pick(Self.ids)
        let request = random.chance(90) ? request() : nil
        let response = NoticeResponse(
            id: "response \(random.next())",
            requestID: id,
            deliveryID: schedule.notices[id]?.delivered?.deliveryID ?? "an answered one",
            kind: .opened,
            date: now.date,
            request: request
        )
        return .snooze(response, snoozeChoice())
    }

    private mutating func request() -> NoticeRequest {
        var content = NoticeContent(title: "Notice", level: InterruptionLevel.allCases.randomElement(using: &random)!)
        content.desktop.isResident = random.chance(15)
        content.isDisplayed = !random.chance(15)
        content.relevance = Double(random.number(0...4)) / 4
        if random.chance(25) {
            content.thread = random.pick(["t", "u"])
            content.summary = ThreadSummary(
                moreThan: random.number(1...2),
                within: .seconds(random.number(1...7_200)),
                title: "{count}"
            )
        }
        return NoticeRequest(
            id: random.pick(Self.ids),
            content: content,
            trigger: trigger(),
            misfire: random.pick([.deliver, .deliver, .skip, .deliver(within: .seconds(600))]),
            series: random.chance(8) ? random.pick(Self.bases) : nil,
            endsWhenAnswered: random.chance(20),
            dismissalEnds: random.chance(20),
            escalation: random.chance(20)
                ? [NoticeSeries.EscalationStep(from: random.number(1...3), level: .timeSensitive)] : []
        )
    }

    private mutating func trigger() -> (any NoticeTrigger)? {
        let times: Int? = random.chance(25) ? random.number(1...4) : nil
        switch random.number(0...11) {
        case 0...1: return random.chance(50) ? nil : ImmediateTrigger()
        case 2: return IntervalTrigger(after: .seconds(random.number(1...7_200)))
        case 3...4:
            return IntervalTrigger(
                every: .seconds(60 * random.number(1...90)),
                startsNow: random.chance(30),
                count: times
            )
        case 5: return DateTrigger(date: now.date.addingTimeInterval(Double(random.number(1...10_000))))
        case 6:
            return CalendarTrigger(
                matching: DateFields(hour: random.number(0...23), minute: random.number(0...59)),
                repeats: true,
                options: .init(zone: random.chance(70) ? .floating : .named("UTC"), count: times)
            )
        case 7:
            return CalendarTrigger(
                matching: DateFields(minute: random.number(0...59)),
                repeats: random.chance(80),
                options: .init(zone: random.chance(50) ? .floating : .named("UTC"), count: times)
            )
        case 8 where random.chance(50): return floatingDate()
        case 8:
            return CalendarTrigger(
                matching: DateFields(weekday: random.number(1...7), hour: random.number(0...23)),
                repeats: random.chance(60),
                options: .init(count: times)
            )
        case 9...10: return place()
        default: return random.chance(10) ? TriggerRegistry.UnknownTrigger(storedKind: "tide", payload: .null) : nil
        }
    }

    /// Once, within a day, by the local time of wherever the machine is.
    private mutating func floatingDate() -> CalendarTrigger {
        var utc = Calendar(identifier: .gregorian)
        utc.timeZone = .gmt
        let local = Schedule.local(now.wall, in: schedule.context) + Int64(random.number(1...86_400))
        let parts: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second]
        let fields = utc.dateComponents(parts, from: Date(timeIntervalSince1970: Double(local)))
        return CalendarTrigger(matching: DateFields(fields), repeats: false)
    }

    private mutating func place() -> LocationTrigger {
        LocationTrigger(
            region: CircularRegion(
                latitude: 0,
                longitude: Double(random.number(0...3)) / 100,
                radius: Double(random.pick([100, 600, 2_000]))
            ),
            edge: random.pick(CircularRegion.Edge.allCases),
            dwell: random.chance(60) ? .zero : .seconds(random.number(1...7_200)),
            repeats: random.chance(50),
            during: random.chance(80) ? nil : random.pick(["*:*", "08..17:*", "*:0/2 UTC"])
        )
    }

    /// Some fixes come, together or apart; some are of no use.
    private mutating func walk() {
        for _ in 0..<random.number(1...3) {
            let fixes = (0..<random.number(1...2)).map { _ in
                LocationFix(
                    latitude: random.chance(3) ? .nan : 0,
                    longitude: Double(random.number(-2...12)) / 300,
                    accuracy: random.pick([nil, 5, 5, 5, 50, 150, 500, 3_000]),
                    date: now.date.addingTimeInterval(-Double(random.pick([0, 0, 0, 1, 60, 3_600])))
                )
            }
            handle(fixes.map(ScheduleEvent.positionFix))
            if random.chance(10) {
                handle([ScheduleEvent.positionLost(NoticeError(.locationUnavailable, "No satellites."))])
            }
            _ = schedule.positionDemand()
        }
    }

    /// Sources of feeds answer, sooner or later.
    private mutating func answerFeeds() {
        feedQueries += schedule.feedQueries().map { ($0, $1.count) }
        for (query, count) in feedQueries.shuffled(using: &random) where random.chance(80) {
            feedQueries.removeAll { $0.query == query }
            if random.chance(15) {
                handle([.feedFailed(query, NoticeError(.failedForNow, "No map."))])
                continue
            }
            let requests = (0..<random.number(0...3)).map { number in
                var request = request()
                // Mostly an identifier of its own, sometimes one that another has.
                if random.chance(85) { request.id = "\(query.feed) \(number)" }
                request.trigger = place()
                return request
            }
            let validation = RequestValidation()
            let result = FeedResult(requests, nearestTo: query.fix, count: count, validatedBy: validation)
            handle([.feedReturned(query, result)])
        }
    }

    private mutating func series() -> [NoticeRequest] {
        let series = NoticeSeries(
            id: random.pick(Self.bases),
            content: NoticeContent(title: "Message"),
            first: now.date,
            spacing: .seconds(random.pick([1, 60, 300])),
            count: random.number(1...5),
            dismissalEnds: random.chance(50)
        )
        return (try? series.requests(startingAt: now.date)) ?? []
    }

    /// Time goes on: to the next wake or to any time, and the alarm rings, sooner or later.
    private mutating func moveTime() {
        var delta = Int64(random.number(1...7_200)) * 1_000_000
        if let wake = schedule.nextWake, random.chance(70) {
            let untilDue =
                [wake.wall.map { $0 - now.wall }, wake.boot.map { $0 - now.boot }].compactMap { $0 }.min() ?? 0
            delta = min(max(0, untilDue), 4 * Self.day)
        } else if random.chance(3) {
            delta = Int64(random.number(1...40)) * Self.day
        }
        truth += delta
        if random.chance(92) { ring() }
    }

    mutating func ring() {
        guard let wake = schedule.nextWake, wake.isDue(at: now) else { return }
        handle([ScheduleEvent.woke])
        if schedule.log.pausedUntil == nil, schedule.nextWake?.isDue(at: now) == true {
            fault("asks to be woken again at once")
        }
    }

    private mutating func setClock() {
        let jump: Int64
        switch random.number(0...11) {
        case 0...3: jump = Int64(random.number(-3_600...3_600)) * 1_000_000
        case 4...6: jump = Int64(random.number(-23...23)) * 3_600_000_000
        case 7...8: jump = Int64(random.number(-5...5)) * Self.day
        // Back to the truth from wherever the clock is.
        case 9: jump = random.chance(50) ? -wallError : Int64(random.number(-400...400)) * Self.day
        default: return mistype()
        }
        setClock(by: jump)
    }

    /// Somebody types the wrong day, and mostly sets it right soon. The program may start again after that.
    private mutating func mistype() {
        let jump = Int64(random.number(2...5)) * Self.day
        setClock(by: jump)
        truth += Int64(random.number(1...300)) * 1_000_000
        if random.chance(70) { setClock(by: -jump) }
        if random.chance(50) { crash() }
    }

    private mutating func setClock(by jump: Int64) {
        wallError += jump
        marks.setBack(by: -jump, to: now.wall, zone: zone)
        // Another event may see the new time before the news of it.
        isClockNewsDue = true
        if random.chance(30) { handle([Wish.set([])]) }
        isClockNewsDue = false
        handle(facts: .clockSet)
        ring()
    }

    private mutating func travel() {
        // What is due is fired in the zone in which it came due, as the center does it.
        ring()
        if let due = schedule.entries.nextOnWall, due <= now.wall { return }
        zone = random.pick(zones)
        handle(facts: .zoneChanged(zone))
        ring()
    }

    /// The process is gone, the machine perhaps too; another one starts with what the store holds.
    mutating func crash() {
        crashes += 1
        orderedBeforeCrash.formUnion(ordered)
        unconfirmedAtCrash.formUnion(store.deliveries.keys)
        (showing, calledOff) = ([], [])
        (hands, feedQueries) = ([], [])
        barred = []
        (given, acknowledged) = ([], [])
        // An answer that could not be stored is lost with the process.
        if !schedule.log.unsaved.isEmpty { (ended, isClosingLost) = ([], true) }
        // What the crash left on the screen and nobody knows of is shown again: that is the one repetition there is.
        let known = Set(store.deliveries.values.compactMap { $0.receipt?.key })
        screen = screen.filter { known.contains($0.key) }
        let reboots = random.chance(40) && schedule.log.unsaved.isEmpty
        truth += Int64(random.number(0...20_000)) * 1_000_000
        if reboots {
            bootedAt = truth - Int64(random.number(0...100)) * 1_000_000
            boots += 1
            restartServer(telling: false)
        }
        if store.mapping?.bootID != "boot \(boots)" {
            // Over a reboot the wall clock is all there is: if nobody could store that it was set, it is as it was.
            wallError = mappedError
        } else if store.mapping?.doubt == nil, random.chance(10) {
            // Set while nobody watched.
            wallError += Int64(random.number(-60...60)) * 3_600_000_000
        }
        let isAnythingDue = schedule.entries.nextOnWall.map { $0 <= now.wall } ?? false
        if random.chance(20), !isAnythingDue { zone = random.pick(zones) }
        marks.setBack(by: setback, to: now.wall, zone: zone)
        schedule = Schedule(limit: limit, zone: zone, at: now)
        withdrawals = []
        isServerNewsDue = true
        handle(facts: .restored(store.state, bootID: "boot \(boots)", isSynchronized: random.chance(70)))
        handle(facts: .started)
        serverCame()
        ring()
    }

    /// How far the wall clock is behind what the stored mapping says.
    private var setback: Int64 {
        guard let mapping = store.mapping else { return 0 }
        let expected =
            mapping.bootID == "boot \(boots)"
            ? mapping.instant.wall - mapping.instant.boot + now.boot : mapping.instant.wall
        return expected - now.wall
    }
}
