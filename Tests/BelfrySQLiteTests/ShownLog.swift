/// What the lives of an app have shown, over any number of kills: each delivery once, but for the one that a kill found
/// in flight.
struct ShownLog {
    /// By delivery, the life that showed it last; by life, how many of those came again.
    private var lastShownIn: [String: Int] = [:]
    private var repeatedOf: [Int: Int] = [:]
    /// By request, its deliveries in the order in which they were first shown, each with the rest of its line.
    private(set) var deliveries: [String: [(id: String, crossing: String)]] = [:]

    private(set) var shown = 0
    private(set) var repeated = 0

    /// Takes in a line `shown DELIVERY ID first|repeated CROSSING` of a life; answers what is wrong about it.
    mutating func takeIn(_ words: [String], life: Int) -> [String] {
        var wrong: [String] = []
        let (delivery, id) = (words[1], words[2])
        shown += 1
        if let earlier = lastShownIn[delivery] {
            repeated += 1
            repeatedOf[earlier, default: 0] += 1
            if words[3] != "repeated" { wrong.append("'\(delivery)' came again and is not marked as repeated") }
        } else {
            deliveries[id, default: []].append((delivery, words[4]))
        }
        lastShownIn[delivery] = life
        return wrong
    }

    /// The last life that showed a delivery.
    func life(of delivery: String) -> Int? { lastShownIn[delivery] }

    /// What more than one kill can explain.
    var tooOften: [String] {
        repeatedOf.filter { $0.value > 1 }.map { "\($0.value) deliveries of life \($0.key) came again after its kill" }
    }

    /// Of a new store: what was counted stays.
    mutating func begin() {
        (lastShownIn, repeatedOf, deliveries) = ([:], [:], [:])
    }
}
