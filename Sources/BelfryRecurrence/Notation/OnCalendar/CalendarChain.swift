/// A list of values, ranges and repetitions of one component of a calendar expression. `*` is represented by `nil`.
struct CalendarChain: Sendable, Hashable {
    /// `start`, `start..stop`, `start/step` or `start..stop/step`. For seconds, all of them are microseconds.
    struct Link: Sendable, Hashable, Comparable {
        var start: Int
        var stop: Int?
        var step: Int?

        static func < (left: Link, right: Link) -> Bool {
            (left.start, left.stop ?? -1, left.step ?? 0) < (right.start, right.stop ?? -1, right.step ?? 0)
        }
    }

    /// The links; never empty.
    var links: [Link]

    /// Brings the chain into the normal form of systemd. A range ends with a value that it reaches, a repetition
    /// without effect is removed, and links are sorted and unique.
    mutating func normalize() {
        for place in links.indices {
            let link = links[place]
            guard let stop = link.stop else { continue }
            if let step = link.step, stop > link.start { links[place].stop = stop - (stop - link.start) % step }
            if links[place].stop == link.start {
                links[place].stop = nil
                links[place].step = nil
            }
        }
        links.sort()
        links = links.enumerated().filter { $0.offset == 0 || links[$0.offset - 1] != $0.element }.map(\.element)
    }

    /// Whether the values lie in a range, and each repetition can occur in it at least once.
    func isValid(in range: ClosedRange<Int>, fromTheEnd: Bool = false) -> Bool {
        links.allSatisfy { link in
            guard range.contains(link.start) else { return false }
            let step = link.step ?? 0
            if step > range.upperBound - range.lowerBound { return false }
            if let stop = link.stop { return range.contains(stop) && link.start + step <= stop }
            return fromTheEnd ? link.start - step >= range.lowerBound : link.start + step <= range.upperBound
        }
    }

    /// The values up to the last one of the component.
    func values(through last: Int) -> [Int] {
        links.flatMap { link in
            guard let step = link.step else { return link.stop == nil ? [link.start] : Array(link.start...link.stop!) }
            return Array(stride(from: link.start, through: link.stop ?? last, by: step))
        }
    }

    /// Whether the chain is one of seconds, in microseconds, without fractions.
    var isWhole: Bool {
        let unit = CalendarParser.microseconds
        return links.allSatisfy { $0.start % unit == 0 && ($0.step ?? 0) % unit == 0 }
    }

    /// The seconds of a minute, for a chain in microseconds that is whole. Others could have sixty million values.
    var wholeSeconds: [Int] {
        let unit = CalendarParser.microseconds
        return values(through: 60 * unit - 1).map { $0 / unit }
    }

    /// The values counted down from the end of the month: `7/1` is the last seven days, `3..5` the fifth to the third
    /// last.
    func valuesFromTheEnd() -> [Int] {
        links.flatMap { link in
            Array(
                stride(
                    from: link.stop ?? link.start,
                    through: link.stop == nil && link.step != nil ? 1 : link.start,
                    by: -(link.step ?? 1)
                )
            )
        }
    }

    /// Returns the first value at or after `value`; `nil` if there is none up to `last`.
    func next(from value: Int, through last: Int) -> Int? {
        var best: Int?
        for link in links {
            var found = link.start
            if value > link.start {
                guard let step = link.step else { continue }
                found += (value - link.start + step - 1) / step * step
                if found > link.stop ?? last { continue }
            }
            best = min(best ?? found, found)
        }
        return best
    }

    /// - Parameters:
    ///   - width: the number of digits to pad to with zeros.
    ///   - unit: the value of 1 in the printed numbers.
    func text(width: Int, unit: Int = 1) -> String {
        func number(_ value: Int, width: Int = width) -> String {
            let whole = String(value / unit)
            let text = String(repeating: "0", count: max(0, width - whole.count)) + whole
            if value % unit == 0 { return text }
            let fraction = String(value % unit)
            return text + "." + String(repeating: "0", count: String(unit).count - 1 - fraction.count) + fraction
        }
        return links.map { link in
            var text = number(link.start)
            if let stop = link.stop { text += ".." + number(stop) }
            if let step = link.step, !(link.stop != nil && step == unit) {
                text += "/" + number(step, width: 0)
            }
            return text
        }.joined(separator: ",")
    }
}
