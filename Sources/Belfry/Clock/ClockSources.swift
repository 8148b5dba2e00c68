import Dispatch

/// The read sources of a running alarm, on its serial queue.
struct ClockSources {
    enum Side { case wall, boot, zone }

    private let sources: [any DispatchSourceRead]
    private let remaining = DispatchGroup()
    private let queue: DispatchQueue

    /// The alarm outlives the sources: its `run` holds it until ``end()`` has returned.
    init(_ descriptors: ClockDescriptors, on queue: DispatchQueue, telling alarm: SystemAlarm) {
        self.queue = queue
        let sides: [(Side, Int32)] = [
            (.wall, descriptors.wallTimer), (.boot, descriptors.bootTimer), (.zone, descriptors.watch),
        ]
        sources = sides.map { [remaining] side, descriptor in
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [unowned alarm] in alarm.takeIn(side, of: descriptors) }
            remaining.enter()
            source.setCancelHandler { remaining.leave() }
            source.activate()
            return source
        }
    }

    /// Returns when no source looks at its descriptor any more, so that these can be closed: the number of one that is
    /// closed earlier may be another's by then.
    func end() async {
        for source in sources { source.cancel() }
        await withCheckedContinuation { continuation in
            remaining.notify(queue: queue) { continuation.resume() }
        }
    }
}
