import Belfry
import BelfryRecorder
import BelfryTesting
import CoreLocation
import Testing
import UserNotifications

// In the same suite as the others: one center a program.
extension UserNotificationsTests {
    @Test("An interval fires once or again and again, and says when it would")
    func intervals() async throws {
        try await PortedWorld.run { world in
            let once = UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: false)
            let again = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
            let before = Date()
            let next = try #require(once.nextTriggerDate())
            #expect(next >= before.addingTimeInterval(90) && next <= Date().addingTimeInterval(90))
            try await world.add("once", .titled("T"), once)
            try await world.add("again", .titled("T"), again)
            let pending = await world.center.pendingNotificationRequests()
            #expect(pending.map(\.identifier) == ["again", "once"])
            #expect(pending.compactMap(\.trigger).map(\.repeats) == [true, false])
            let triggers = pending.compactMap { $0.trigger as? UNTimeIntervalNotificationTrigger }
            #expect(triggers.map(\.timeInterval) == [60, 90])
            try await world.clock.advance(by: .seconds(180))
            #expect(world.recorder.deliveries(of: "once").count == 1)
            #expect(world.recorder.deliveries(of: "again").count == 3)
            let huge = TimeInterval.greatestFiniteMagnitude
            for (seconds, repeats) in [
                (0, false), (-1, false), (59, true), (.infinity, false), (-.infinity, true), (.nan, false),
                (huge, true),
            ] as [(TimeInterval, Bool)] {
                let bad = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: repeats)
                await #expect(throws: NoticeError.self) { try await world.add("bad", .titled("T"), bad) }
            }
        }
    }

    @Test("Date components fire where they match, in their zone or the system's")
    func calendars() async throws {
        try await PortedWorld.run { world in
            let daily = DateComponents(hour: 8, minute: 30)
            let once = DateComponents(
                timeZone: TimeZone(identifier: "Asia/Tokyo"),
                year: 2026,
                month: 1,
                day: 2,
                hour: 9
            )
            for (id, components, repeats) in [("daily", daily, true), ("once", once, false)] {
                let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: repeats)
                try await world.add(id, .titled("T"), trigger)
            }
            let pending = await world.center.pendingNotificationRequests()
            let triggers = pending.compactMap { $0.trigger as? UNCalendarNotificationTrigger }
            #expect(triggers.map(\.dateComponents) == [daily, once] && triggers.map(\.repeats) == [true, false])
            try await world.clock.advance(by: .seconds(86_400))
            // 9:00 in Tokyo is midnight in UTC.
            #expect(world.recorder.deliveries.map(\.requestID) == ["daily", "once"])
            #expect(
                world.recorder.deliveries.map { $0.dueDate.timeIntervalSince(PortedWorld.start) } == [30_600, 86_400]
            )
            let far = UNCalendarNotificationTrigger(dateMatching: DateComponents(year: 2100), repeats: false)
            #expect(far.nextTriggerDate() == Calendar.current.date(from: DateComponents(year: 2100)))
        }
    }

    @Test("A region's border fires where the region says so, and the region comes back with its name")
    func regions() async throws {
        try await PortedWorld.run { world in
            let meters: CLLocationDistance = 200
            let (north, east): (CLLocationDegrees, CLLocationDegrees) = (48, 11.5)
            let center = CLLocationCoordinate2D(latitude: north, longitude: east)
            for (id, entry, exit) in [("in", true, false), ("out", false, true), ("both", true, true)] {
                let region = CLCircularRegion(center: center, radius: meters, identifier: "shop-\(id)")
                region.notifyOnEntry = entry
                region.notifyOnExit = exit
                let trigger = UNLocationNotificationTrigger(region: region, repeats: true)
                try await world.add(id, .titled("T"), trigger)
            }
            for request in await world.center.pendingNotificationRequests() {
                let trigger = try #require(request.trigger as? UNLocationNotificationTrigger)
                let region: CLRegion = trigger.region
                let circle = try #require(region as? CLCircularRegion)
                #expect(region.identifier == "shop-\(request.identifier)" && trigger.repeats)
                #expect((circle.center.latitude, circle.center.longitude, circle.radius) == (48, 11.5, 200))
                #expect(region.notifyOnEntry == (request.identifier != "out"))
                #expect(region.notifyOnExit == (request.identifier != "in"))
            }
            // The first fix says where the device is, and fires nothing.
            for (longitude, count) in [(11.4, 0), (11.5, 2), (11.4, 4)] {
                try await world.clock.advance(by: .seconds(600))
                world.position.report(latitude: 48, longitude: longitude, accuracy: 5, date: world.clock.date)
                await world.recorder.waitForDeliveries(count)
                try await world.clock.settle()
            }
            #expect(world.recorder.deliveries.map(\.requestID).sorted() == ["both", "both", "in", "out"])
            let trigger = try await world.delivered("out").request.trigger as? UNLocationNotificationTrigger
            #expect(trigger?.region.identifier == "shop-out")
        }
    }

    @Test("A circle has the places within its radius; degrees out of range are no place")
    func places() {
        let home = CLLocationCoordinate2D(latitude: 48, longitude: 11.5)
        let circle = CLCircularRegion(center: home, radius: 1_000, identifier: "home")
        // 0.008° to the north are 890 m, 0.01° are 1,112 m.
        #expect(circle.contains(CLLocationCoordinate2D(latitude: 48.008, longitude: 11.5)))
        #expect(!circle.contains(CLLocationCoordinate2D(latitude: 48.01, longitude: 11.5)))
        let dateLine = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 0, longitude: 179.999),
            radius: 1_000,
            identifier: "line"
        )
        #expect(dateLine.contains(CLLocationCoordinate2D(latitude: 0, longitude: -179.999)))
        let nowhere = CLLocationCoordinate2D()
        #expect((nowhere.latitude, nowhere.longitude) == (0, 0) && !circle.contains(nowhere))
        #expect(CLLocationCoordinate2DIsValid(home))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(latitude: 91, longitude: 0)))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(latitude: 0, longitude: -181)))
    }

    @Test("A delivered notice has the trigger that brought it, and the date when it came")
    func triggersOfDelivered() async throws {
        try await PortedWorld.run { world in
            let interval = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
            let noon = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 12), repeats: true)
            try await world.add("soon", .titled("T"), interval)
            try await world.add("noon", .titled("T"), noon)
            try await world.add("now")
            try await world.clock.advance(by: .seconds(43_200))
            let soon: UNNotification = try await world.delivered("soon")
            #expect((soon.request.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 60)
            #expect(soon.date == PortedWorld.start.addingTimeInterval(60))
            let daily: UNNotificationTrigger? = try await world.delivered("noon").request.trigger
            #expect((daily as? UNCalendarNotificationTrigger)?.dateComponents.hour == 12 && daily?.repeats == true)
            let now = try await world.delivered("now")
            #expect(now.request.trigger == nil && now.date == PortedWorld.start)
        }
    }
}
