/// The descriptors of a running alarm, watched by the centers' thread.
struct ClockWatches {
    private let ids: [UInt64]

    /// The alarm outlives the watches: its `run` holds it until ``end()`` has returned.
    init(_ descriptors: ClockDescriptors, telling alarm: SystemAlarm) async throws(NoticeError) {
        let sides: [(ClockDescriptors.Side, Int32)] = [(.wall, descriptors.wallTimer), (.boot, descriptors.bootTimer)]
        var ids: [UInt64] = []
        for (side, descriptor) in sides {
            do throws(NoticeError) {
                ids.append(
                    try CenterThread.shared.watch(descriptor) { [unowned alarm] in alarm.takeIn(side, of: descriptors) }
                )
            } catch {
                for id in ids { await CenterThread.shared.unwatch(id) }
                throw error
            }
        }
        self.ids = ids
    }

    /// Returns when nobody looks at a descriptor any more, so that these can be closed: the number of one that is
    /// closed earlier may be another's by then.
    func end() async { for id in ids { await CenterThread.shared.unwatch(id) } }
}
