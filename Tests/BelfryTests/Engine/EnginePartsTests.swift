import BelfryRecorder
import BelfryTestSupport
import Foundation
import Testing

@testable import Belfry

@Suite("The parts of the engine", .takesTurns)
struct EnginePartsTests {
    // MARK: The desktop's word

    @Test("What the desktop has said holds for five seconds, and not when the clock went back")
    func recentDesktopPermission() {
        var word = RecentDesktopPermission()
        #expect(word.value(at: 0) == nil && word.value == nil)
        word.noteSilence()
        word.keep(.off, at: 10_000_000)
        #expect(!word.isSilent)
        #expect(word.value(at: 14_999_999) == .off)
        #expect(word.value(at: 15_000_000) == nil && word.value(at: 9_999_999) == nil)
        #expect(word.value == .off, "the last word is known all the same")
    }

    // MARK: The location provider's run

    private static let near = LocationDemand(accuracy: 10, distance: 5)
    private static let far = LocationDemand(accuracy: 1_000, distance: 500)

    @Test("A run is told what is wanted, is canceled when nothing is, and followed by another") func locating() async {
        var locating = Locating()
        guard case .none = locating.follow(nil), case .start(run: 1, let demands) = locating.follow(Self.near) else {
            Issue.record("no run was to be started")
            return
        }
        let task = Task<Void, Never> {}
        locating.began(task)
        guard case .none = locating.follow(Self.far) else {
            Issue.record("it runs already")
            return
        }
        var iterator = demands.makeAsyncIterator()
        let demand = await iterator.next()
        #expect(demand == Self.far, "the newest counts")
        guard case .stop(run: 1) = locating.follow(nil), case .none = locating.follow(nil) else {
            Issue.record("it was to be stopped once")
            return
        }
        #expect(task.isCancelled && locating.isEnding)
        guard case .none = locating.follow(Self.near) else {
            Issue.record("the one before has not ended")
            return
        }
        let isTaken = locating.inbox.put(
            LocationFix(latitude: 1, longitude: 2, accuracy: nil, date: .distantPast),
            of: 1
        )
        #expect(!isTaken, "it is not listened to any more")
        let news = locating.ended(1, nil)
        #expect(news.count == 1 && !locating.isEnding)
        guard case .fixes? = news.first, case .start(run: 2, _) = locating.follow(Self.near) else {
            Issue.record("no other was to be started")
            return
        }
    }

    @Test("A run that fails is reported, and one that returns by itself has no more to say") func endings() {
        var locating = Locating()
        _ = locating.follow(Self.near)
        let failure = NoticeError(.locationUnavailable, "No sky.")
        let news = locating.ended(1, failure)
        guard news.count == 2, case .event(.positionLost(failure)) = news[0], case .fixes = news[1] else {
            Issue.record("its failure was not reported")
            return
        }
        _ = locating.follow(Self.near)
        let (earlier, quiet) = (locating.ended(1, failure), locating.ended(2, nil))
        #expect(earlier.isEmpty, "of an earlier run")
        #expect(quiet.isEmpty)
        guard case .none = locating.follow(Self.far), case .none = locating.follow(nil) else {
            Issue.record("it is over")
            return
        }
        guard case .start(run: 3, _) = locating.follow(Self.near) else {
            Issue.record("no other was to be started")
            return
        }
    }

    @Test("A run that does not end when it is canceled is given up") func abandoning() {
        var locating = Locating()
        _ = locating.follow(Self.near)
        let isGivenUpEarly = locating.abandon(1)
        #expect(!isGivenUpEarly, "nobody has stopped it")
        _ = locating.follow(nil)
        #expect(locating.isEnding)
        let isGivenUp = locating.abandon(1)
        #expect(isGivenUp && !locating.isEnding)
    }
}
