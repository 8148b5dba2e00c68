/// The watches of a running alarm's descriptors, on the centers' thread.
struct ClockWatches {
    private let ids: [UInt64]

    /// The alarm must outlive the watches: its `run` retains it until ``end()`` has returned.
    init(_ descriptors: ClockDescriptors, telling alarm: SystemAlarm) async throws(NoticeError) {
        let sides: [(ClockDescriptors.Side, Int32)] = [(.wall, descriptors.wallTimer), (.boot, descriptors.bootTimer)]
        var ids: [UInt64] = []
        for (side, descriptor) in sides {
            do throws(NoticeError) {
                ids.append(
                    try CenterThread.shared.watch(descriptor) { [unowned alarm] in
                        alarm.receive(side, of: descriptors)
                    }
                )
            } catch {
                for id in ids { await CenterThread.shared.unwatch(id) }
                throw error
            }
        }
        self.ids = ids
    }

    /// Returns when no descriptor is watched any more, so that they can be closed. The number of a descriptor closed
    /// earlier may already be in use again.
    func end() async { for id in ids { await CenterThread.shared.unwatch(id) } }
}
