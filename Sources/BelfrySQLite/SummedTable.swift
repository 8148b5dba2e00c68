import GRDB

/// A table whose rows carry checksums, and over which columns these go.
struct SummedTable: Sendable {
    struct Sum: Sendable {
        /// The column that holds it.
        let name: String
        let columns: [String]
    }

    let name: String
    /// The number by which a row is found.
    let key: String
    let sums: [Sum]

    /// A name for what a sum goes over: see ``RowSum/init(_:)``.
    func label(of sum: Sum) -> String { "\(name).\(sum.name)" }

    static let request = SummedTable(
        name: "request",
        key: "revision",
        sums: [Sum(name: "sum", columns: ["revision", "body", "kind", "payload"])]
    )
    /// Two, so that a firing need not read what it doesn't change.
    static let pending = SummedTable(
        name: "pending",
        key: "revision",
        sums: [
            Sum(
                name: "sum",
                columns: ["revision", "id", "shape", "value", "times", "traits", "latitude", "longitude", "radius"]
            ),
            Sum(name: "progressSum", columns: ["revision", "anchor", "fired", "lastDue", "lastLocal"]),
        ]
    )
    static let place = SummedTable(
        name: "place",
        key: "revision",
        sums: [Sum(name: "sum", columns: ["revision", "inside", "sinceWall", "sinceBoot"])]
    )
    static let delivery = keyed("delivery")
    static let response = keyed("response")
    static let setting = keyed("setting")
    static let ledger = SummedTable(
        name: "ledger",
        key: "serial",
        sums: [Sum(name: "sum", columns: ["key", "at", "body", "outcome", "thread"])]
    )
    static let header = SummedTable(
        name: "header",
        key: "serial",
        sums: [Sum(name: "sum", columns: ["transactions", "revision", "pending"])]
    )

    static let all = [request, pending, place, delivery, response, setting, ledger, header]

    private static func keyed(_ name: String) -> SummedTable {
        SummedTable(name: name, key: "serial", sums: [Sum(name: "sum", columns: ["key", "body"])])
    }

    /// The sum of a row by its values in the order of ``Sum/columns``; for tables that have one sum.
    func sum(_ values: [DatabaseValue]) -> Int64 { RowSum.of(label(of: sums[0]), values) }
}
